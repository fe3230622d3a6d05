import Foundation
import Testing
import ValetModel

@testable import ValetCommands

@Test func anIdentityIsMadeOnceAndKept() throws {
    try withFolder { folder in
        let file = folder.appending(path: "deep/down/station")
        let first = StationIdentity.load(from: file)
        #expect(StationIdentity.load(from: file) == first)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == StationIdentity.text(of: first.id) + "\n")
        #expect(!first.name.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: file.deletingLastPathComponent().path)
        #expect(names == ["station"])
    }
}

@Test func aNameIsAStationOfItsOwn() throws {
    try withFolder { folder in
        let file = folder.appending(path: "station")
        let ana = StationIdentity.load(from: file, name: "ana")
        #expect(ana.name == "ana")
        #expect(StationIdentity.load(from: file, name: "ana") == ana)
        #expect(StationIdentity.load(from: file, name: "bo").id != ana.id)
        #expect(StationIdentity.load(from: file).id != ana.id)
    }
}

@Test func twoStationsDiffer() throws {
    try withFolder { folder in
        let first = StationIdentity.load(from: folder.appending(path: "a"))
        #expect(StationIdentity.load(from: folder.appending(path: "b")).id != first.id)
    }
}

@Test(arguments: [
    "", "\n", "x", String(repeating: "g", count: 32), String(repeating: "a", count: 31),
    String(repeating: "a", count: 33), "+" + String(repeating: "a", count: 31),
])
func aMalformedIdentityIsReplaced(text: String) throws {
    try withFolder { folder in
        let file = folder.appending(path: "station")
        try Data(text.utf8).write(to: file)
        #expect(StationIdentity.parse(text) == nil)
        let station = StationIdentity.load(from: file)
        #expect(StationIdentity.load(from: file) == station)
    }
}

@Test func aPlaceThatCannotBeWrittenIsNoReasonToFail() throws {
    try withFolder { folder in
        // A file where a folder would have to be: nobody can write there, not even root.
        let obstacle = folder.appending(path: "file")
        try Data().write(to: obstacle)
        let file = obstacle.appending(path: "valet/station")
        #expect(StationIdentity.load(from: file).id != StationIdentity.load(from: file).id)
    }
}

@Test func anIdentityReadsBack() {
    let id = StationID(high: 1, low: .max)
    #expect(StationIdentity.text(of: id) == "0000000000000001ffffffffffffffff")
    #expect(StationIdentity.parse(" 0000000000000001FFFFffffffffffff\n") == id)
}
