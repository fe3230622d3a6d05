import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetCommands

@Suite struct StationIdentityTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String = "station") -> URL { URL(filePath: folder.file(name)) }

    @Test func anIdentityIsMadeOnceAndKept() throws {
        let file = file("deep/down/station")
        let first = StationIdentity.load(from: file)
        #expect(StationIdentity.load(from: file) == first)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == StationIdentity.text(of: first.id) + "\n")
        #expect(!first.name.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("deep/down"))
        #expect(names == ["station"])
    }

    @Test func aNameIsAStationOfItsOwn() {
        let ana = StationIdentity.load(from: file(), name: "ana")
        #expect(ana.name == "ana")
        #expect(StationIdentity.load(from: file(), name: "ana") == ana)
        #expect(StationIdentity.load(from: file(), name: "bo").id != ana.id)
        #expect(StationIdentity.load(from: file()).id != ana.id)
    }

    @Test func twoStationsDiffer() {
        let first = StationIdentity.load(from: file("a"))
        #expect(StationIdentity.load(from: file("b")).id != first.id)
    }

    @Test(arguments: [
        "", "\n", "x", String(repeating: "g", count: 32), String(repeating: "a", count: 31),
        String(repeating: "a", count: 33), "+" + String(repeating: "a", count: 31),
    ])
    func aMalformedIdentityIsReplaced(text: String) {
        folder.write(text, to: "station")
        #expect(StationIdentity.parse(text) == nil)
        let station = StationIdentity.load(from: file())
        #expect(StationIdentity.load(from: file()) == station)
    }

    @Test func aPlaceThatCannotBeWrittenIsNoReasonToFail() {
        // A file where a folder would have to be: nobody can write there, not even root.
        folder.write("", to: "file")
        let file = file("file/valet/station")
        #expect(StationIdentity.load(from: file).id != StationIdentity.load(from: file).id)
    }

    @Test func anIdentityReadsBack() {
        let id = StationID(high: 1, low: .max)
        #expect(StationIdentity.text(of: id) == "0000000000000001ffffffffffffffff")
        #expect(StationIdentity.parse(" 0000000000000001FFFFffffffffffff\n") == id)
    }
}
