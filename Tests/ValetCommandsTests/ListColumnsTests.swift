import TestSupport
import Testing
import ValetModel

@testable import ValetCommands

@Suite struct ListColumnsTests {
    @Test func columnsThatTheCatalogDoesNotHaveAreAnError() throws {
        let list = ListDescription(
            name: "cars", title: "Cars",
            columns: .named(["make": .text, "year": .integer]), titleColumn: 0, groupings: [],
            scopes: [], cell: .columns)
        try list.check(columns: [1, 0])
        for columns in [[2], [0, 9_999], [-1]] {
            #expect(throws: list.columnsChanged) { try list.check(columns: columns) }
        }
    }
}
