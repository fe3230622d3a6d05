import Foundation
import TestSupport
import Testing
import ValetModel
import ValetTerminal

@testable import ValetCommands

struct QueriesFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/valet/queries.yaml" }
    private var file: QueriesFile { QueriesFile(path: path) }

    private static let query = SavedQuery(
        name: "new", list: "cars", grouping: "Make",
        sort: [
            Query.Sort(column: "year", isDescending: true), Query.Sort(column: "model"),
        ], search: Query.Search(text: "bm", scope: "Owner"),
        conditions: ["year ≥ 2015", "make = bmw, audi"])

    private func write(_ text: String) { folder.write(text, to: "valet/queries.yaml") }

    private func mistake(_ text: String) async -> String {
        write(text)
        return await failure { try await file.read() }?.description ?? ""
    }

    @Test func aSavedQueryIsReadAgain() async throws {
        #expect(try await file.read().isEmpty)
        #expect(try await !file.save(Self.query))
        var other = Self.query
        (other.list, other.conditions) = ("boats", [])
        #expect(try await !file.save(other))
        #expect(try await file.read() == [other, Self.query])
        var newer = Self.query
        (newer.name, newer.grouping, newer.search) = ("NEW", nil, nil)
        #expect(try await file.save(newer), "in place of the one that is called so")
        #expect(try await file.read() == [other, newer])
        // Nothing is left beside it.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/valet")
        #expect(names == ["queries.yaml"])
    }

    @Test(arguments: [
        "\"quoted\" \\ and 'so'", "a &b *c !d % @e", "# no comment", "- : ? [x] {y}, z", "true",
        "12", "~", " blanks ", "two\nlines\r\u{85}\u{2028}\u{2029}", "\u{1B}[31m\0\u{7F}",
        "not first: \u{FEFF}\u{FFFE}\u{FFFF}\u{10FFFF}", "Škoda 漢字 🚗 e\u{301}",
    ])
    func anyTextIsReadAsItWasSaved(text: String) async throws {
        let query = SavedQuery(
            name: "a " + text, list: text, grouping: text, sort: [Query.Sort(column: text)],
            search: Query.Search(text: text, scope: text), conditions: [text])
        _ = try await file.save(query)
        let read = try await file.read()
        #expect(read == [query])
        #expect(read.first?.list.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }

    @Test func aFileMayBeWrittenByHand() async throws {
        write(
            """
            # Mine.
            queries:
              - name: new
                list: cars
                group: Make
                sort: [{column: year, descending: true}, {column: model}]
                search: bm
                scope: Owner
                where: [year ≥ 2015, "make = bmw, audi"]
            """)
        #expect(try await file.read() == [Self.query])
    }

    @Test func queriesThatAnEarlierVersionSavedAreKept() async throws {
        let older = folder.file("valet/questions.yaml")
        folder.write("questions:\n  - {name: old, list: cars}\n", to: "valet/questions.yaml")
        _ = try await file.save(SavedQuery(name: "new", list: "cars"))
        try FileManager.default.removeItem(atPath: older)
        #expect(try await file.read().map(\.name) == ["new", "old"])
    }

    @Test func aFileThatIsBrokenIsLeftAsItIs() async throws {
        let broken = "queries:\n  - {name: a, list: b\n"
        write(broken)
        await #expect(throws: ValetError.self) { _ = try await file.save(Self.query) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == broken)
    }

    @Test func mistakesAreNamedWithTheirPlace() async {
        #expect(await mistake("queries:\n- {name: a}").contains("must have a name and a list"))
        #expect(await mistake("others: 1").contains("is not a known key"))
        #expect(await mistake("queries: 7").contains("must be a list"))
        #expect(
            await mistake("queries:\n- {name: a, list: b}\n- {name: A, list: b}")
                .contains("line 3: queries[1]: “A” is given more than once"))
        let long = String(repeating: "x", count: 65)
        #expect(await mistake("queries:\n- {name: \(long), list: b}").contains("limited to 64"))
        let many = (0...256).map { "- {name: n\($0), list: b}\n" }.joined()
        #expect(await mistake("queries:\n" + many).contains("limited to 256"))
        let huge = "# " + String(repeating: "x", count: Limits.bytesPerCatalogFile)
        #expect(await !mistake(huge).isEmpty)
        #expect(await mistake("").isEmpty)
    }

    @Test func thereIsALimitToHowManyAreSaved() async throws {
        write("queries:\n" + (0..<256).map { "- {name: n\($0), list: b}\n" }.joined())
        await #expect(throws: ValetError.self) { _ = try await file.save(Self.query) }
        // One of them is replaced all the same.
        #expect(try await file.save(SavedQuery(name: "n7", list: "b", grouping: "g")))
        #expect(try await file.read().count == 256)
    }

    /// As people keep their configuration in a repository.
    @Test func aLinkToAFileElsewhereStaysOne() async throws {
        write("")
        let elsewhere = folder.path + "/elsewhere.yaml"
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        _ = try await file.save(Self.query)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == elsewhere)
        #expect(try String(contentsOfFile: elsewhere, encoding: .utf8).contains("\"new\""))
    }
}
