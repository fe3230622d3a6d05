import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog says of how sections stand.
struct CatalogGroupingTests {
    private let folder = TemporaryFolder()

    private static let manyValues = ["make", "parked", "Fuel"].map {
        "{count \($0)}{least \($0)}{greatest \($0)}"
    }.joined()

    private static let table = "CREATE TABLE cars (make TEXT, parked DATE, Fuel REAL)"

    private func list(_ words: String) throws -> ListDescription {
        try folder.database(
            Self.table, catalog: "lists: [{name: cars, groupings: [{column: make, \(words)}]}]"
        ).catalog.lists[0]
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

    @Test func valuesInHeadersAndFootersNameColumnsAsTheTableDoes() throws {
        let grouping = try list(
            "header: 'Σ {sum fuel} l  {count}', footer: '{least PARKED} – {greatest parked}'"
        ).groupings[0]
        #expect(grouping.headerTemplate == "Σ {sum Fuel} l  {count}")
        #expect(grouping.footerTemplate == "{least parked} – {greatest parked}")
    }

    @Test(arguments: [
        "style: grouped, footer: '{count} of {}'", "style: plain", "style: indexed",
        "header: '{mean Fuel} l', footer: '{distinct make} {count Fuel}'",
    ])
    func aStyleReadsBackAsItIsPrinted(words: String) throws {
        let list = try list(words)
        let yaml = CatalogText.yaml(of: [list], tables: [nil])
        let again = try folder.database(Self.table, catalog: yaml).catalog.lists[0]
        #expect(again.groupings == list.groupings)
    }

    @Test(arguments: [
        ("style: grouped, index: firstLetter", "needs “style: indexed”"),
        ("style: plain, index: wholeValue", "needs “style: indexed”"),
        ("style: indexed, index: none", "must not be “none”"),
        ("header: '{avg fuel}'", "groupings[0].header: “{avg fuel}” must be “{}”, “{count}”, or a"),
        ("footer: '{sum}'", "such as “{sum fuel}”"), ("footer: '{fuel}'", "such as “{sum fuel}”"),
        ("header: '{sum petrol}'", "there is no column “petrol” [\"make\", \"parked\", \"Fuel\"]"),
        (
            "header: '{sum make}'",
            "“{sum make}” needs a column of numbers, and “make” is of type text"
        ),
        ("header: '{sum parked}'", "needs a column of numbers"),
        ("footer: '{mean make}'", "needs a column of numbers"),
        ("header: '{sum fuel'", "has a “{” without its “}”"),
        ("header: '\(Self.manyValues)'", "more than 8 values"),
        ("title: '{} {sum fuel}'", "“header” or “footer”"),
        ("title: '{count} {}'", "“header” or “footer”"),
        ("style: round", "indexed"), ("footer: [a]", "footer"),
        ("footer: \(String(repeating: "x", count: 1_025))", "1024 bytes"),
    ]) func aStyleThatCantBeIsNamed(words: String, message: String) {
        let error = #expect(throws: ValetError.self) { try list(words) }
        let text = "\(error?.message ?? "") \(error?.alternatives ?? [])"
        #expect(text.contains(message), "\(text)")
    }
}
