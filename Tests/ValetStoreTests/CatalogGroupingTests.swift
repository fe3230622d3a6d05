import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog says of how sections stand.
struct CatalogGroupingTests {
    private let folder = TemporaryFolder()

    private func list(_ words: String) throws -> ListDescription {
        let path = try folder.database("CREATE TABLE cars (make TEXT, parked DATE)")
        let yaml = "lists: [{name: cars, groupings: [{column: make, \(words)}]}]"
        return try Database(path: path, catalogPath: folder.write(yaml, to: "valet.yaml"))
            .catalog.lists[0]
    }

    @Test func aStyleSaysWhetherSectionsStandApartAndHaveAnIndex() throws {
        let plain = try list("style: plain").groupings[0]
        #expect(!plain.isGrouped && plain.indexTitles == .none && plain.footerTemplate == nil)
        let grouped = try list("style: grouped, footer: '{count} of {}'").groupings[0]
        #expect(grouped.isGrouped && grouped.indexTitles == .none)
        #expect(grouped.footerTemplate == "{count} of {}")
        #expect(try list("style: indexed").groupings[0].indexTitles == .firstLetter)
        #expect(
            try list("style: indexed, index: wholeValue").groupings[0].indexTitles == .wholeValue)
    }

    @Test(arguments: ["style: grouped, footer: '{count} of {}'", "style: plain", "style: indexed"])
    func aStyleReadsBackAsItIsPrinted(words: String) throws {
        let list = try list(words)
        let yaml = CatalogText.yaml(of: [list], tables: [nil])
        let path = folder.file("again.yaml")
        try yaml.write(toFile: path, atomically: true, encoding: .utf8)
        let database = try folder.database("CREATE TABLE cars (make TEXT, parked DATE)")
        let again = try Database(path: database, catalogPath: path).catalog.lists[0]
        #expect(again.groupings == list.groupings)
    }

    @Test(arguments: [
        ("style: grouped, index: firstLetter", "must be left out"),
        ("style: plain, index: wholeValue", "must be left out"),
        ("style: indexed, index: none", "must not be “none”"),
        ("style: round", "indexed"), ("footer: [a]", "footer"),
        ("footer: \(String(repeating: "x", count: 1_025))", "1024 bytes"),
    ]) func aStyleThatCantBeIsNamed(words: String, message: String) {
        let error = #expect(throws: ValetError.self) { try list(words) }
        let text = "\(error?.message ?? "") \(error?.alternatives ?? [])"
        #expect(text.contains(message), "\(text)")
    }
}
