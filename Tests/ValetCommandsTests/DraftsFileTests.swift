import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetCommands
@testable import ValetTerminal

struct DraftsFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/state/drafts.json" }

    private func file(_ target: String = "valet://host/cars") -> DraftsFile {
        DraftsFile(path: path, of: target)
    }

    private func draft(_ title: String) -> Draft {
        Draft(
            list: "cars", rowID: .min, epoch: .max, title: title,
            typed: ["a": .text("é\u{1B}"), "b": .check(nil), "c": .cleared],
            seen: ["a": .real(0.1), "b": .null, "c": .integer(.max), "d": .text("\"")])
    }

    @Test func keepsDraftsByTarget() throws {
        #expect(try file().read().isEmpty)
        try file().keep([draft("one")], insteadOf: [])
        #expect(try file().read() == [draft("one")])
        #expect(try file("valet://other/x").read().isEmpty)
        try file("valet://other/x").keep([draft("two")], insteadOf: [])
        try file().keep([], insteadOf: [draft("one")])
        #expect(try file().read().isEmpty)
        #expect(try file("valet://other/x").read() == [draft("two")])
    }

    @Test func knowsAFileByItsWholePath() throws {
        let here = FileManager.default.currentDirectoryPath
        try file("cars.sqlite").keep([draft("one")], insteadOf: [])
        #expect(try file(here + "/cars.sqlite").read() == [draft("one")])
    }

    @Test func onlyItsOwnerMayReadIt() throws {
        try file().keep([draft("one")], insteadOf: [])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// A session ends: all its windows are ended at once.
    @Test func keepsWhatOtherWindowsKeepAtTheSameTime() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { try? file().keep([draft("\(number)")], insteadOf: []) }
            }
        }
        #expect(try Set(file().read().map(\.title)).count == 16)
    }

    @Test func aDamagedFileIsPutAside() throws {
        let large = String(repeating: " ", count: Limits.bytesPerCatalogFile + 1)
        for text in ["", "{", "[1]", "{\"valet://host/cars\": [{}]}", large] {
            folder.write(text, to: "state/drafts.json")
            let message = failure { try file().read() }?.message ?? "read: \(text.prefix(40))"
            #expect(message.contains("was damaged, and is now “\(path).damaged”"))
            let aside = try Data(contentsOf: URL(filePath: path + ".damaged"))
            #expect(aside == Data(text.utf8))
            #expect(try file().read().isEmpty)
            // Nor is it in the way of what is to be kept.
            folder.write(text, to: "state/drafts.json")
            try file().keep([draft("one")], insteadOf: [])
            #expect(try file().read() == [draft("one")])
        }
    }

    /// Another window has given up what both were offered.
    @Test func aTypedValueIsKeptWhereAnotherWindowDroppedIt() throws {
        try file().keep([draft("one")], insteadOf: [])
        try file().keep([], insteadOf: [draft("one")])
        try file().keep([draft("one")], insteadOf: [draft("one")])
        #expect(try file().read() == [draft("one")])
    }

    @Test func aServerIsTheSameWhateverListIsOpened() throws {
        try file("valet://Host").keep([draft("one")], insteadOf: [])
        #expect(try file("valet://host:7425/cars").read() == [draft("one")])
        #expect(try file("valet://host:7426").read().isEmpty)
    }

    @Test func keepsTheNewestOfTooMany() throws {
        let many = (0..<DraftsFile.most + 3).map { draft("\($0)") }
        try file().keep(many, insteadOf: [])
        #expect(try file().read() == Array(many.dropFirst(3)))
    }

    @Test func neverGrowsBeyondWhatItReads() throws {
        var large = draft("large")
        large.typed["a"] = .text(String(repeating: "x", count: 60_000))
        for target in 0..<40 {
            try file("valet://host\(target)").keep([large], insteadOf: [])
        }
        #expect(try file("valet://host39").read() == [large])
        try file().keep([draft("one")], insteadOf: [])
        #expect(try file().read() == [draft("one")])
    }

    @Test func saysWhatIsTooLongToBeKept() throws {
        try file("valet://other").keep([draft("two")], insteadOf: [])
        var large = draft("large")
        large.typed["a"] = .text(String(repeating: "x", count: Limits.bytesPerCatalogFile))
        #expect(throws: ValetError.self) { try file().keep([large], insteadOf: []) }
        #expect(try file("valet://other").read() == [draft("two")], "nothing else is lost")
    }

    @Test func aLinkToAFileElsewhereStaysOne() throws {
        let elsewhere = folder.file("elsewhere.json")
        try FileManager.default.moveItem(
            atPath: folder.write("{}", to: "state/drafts.json"), toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        try file().keep([draft("one")], insteadOf: [])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == elsewhere)
        #expect(try file().read() == [draft("one")])
    }

    @Test func saysWhatIsLostWhereItCannotBeWritten() throws {
        folder.write("", to: "state")
        let message = failure { try file().keep([draft("one")], insteadOf: []) }?.message ?? ""
        #expect(message.hasPrefix("1 change is not saved, and “\(path)” can't be written"))
        try file().keep([], insteadOf: [draft("one")])
    }
}
