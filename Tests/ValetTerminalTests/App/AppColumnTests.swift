import Foundation
import Testing
import ValetModel

@testable import ValetTerminal

/// What the cell under the cell cursor shows.
private func cell(_ talk: ServedApp) -> String {
    let screen = talk.app.draw()
    guard let row = screen.cursor?.row else { return "" }
    return screen.row(row).filter { $0.style.attributes.contains(.reverse) }
        .map { String($0.character) }.joined().trimmingCharacters(in: .whitespaces)
}

@Test func theCellCursorGoesFromColumnToColumn() {
    var talk = ServedApp(lists: [PlainCars.table])
    #expect(cell(talk) == "M0")
    talk.press("right")
    #expect(cell(talk) == "Audi")
    talk.press("l")
    #expect(cell(talk) == "1990")
    // The real cursor stands there, too.
    let screen = talk.app.draw()
    let attributes = screen.cursor.map { screen[$0.row, $0.column].style.attributes }
    #expect(attributes?.contains(.reverse) == true)
    #expect(screen.cursor.map { talk.lines[$0.row].contains("1990") } == true)
    talk.press("h", "left", "left", "left")
    #expect(cell(talk) == "M0", "and not out of the list")
    talk.press("right", "j", "pgdn", "2")
    #expect(talk.app.list?.cellColumn == 0, "it stays on its column")
}

@Test func theColumnsScrollAtTheEdge() {
    var talk = ServedApp(lists: [PlainCars.wideTable(7)], size: Size(columns: 60, rows: 12))
    let first = talk.lines[2]
    #expect(first.contains("Model") && first.contains("Column 0") && first.hasSuffix(" ›"))
    for place in 1..<12 {
        talk.press("right")
        let label = talk.app.list?.columns.layout.label(of: talk.app.list?.cellColumn ?? -1) ?? ""
        #expect(talk.lines[2].contains(label), "column \(place)")
        #expect(talk.lines[2].contains("Model"), "the title stays")
    }
    #expect(talk.lines[2].hasPrefix(" ‹") && !talk.lines[2].contains("+"))
    let last = talk.lines.dropLast()
    talk.press("right")
    #expect(talk.lines.dropLast() == last)
    talk.press(.times(12, "left"))
    #expect(talk.lines[2] == first)
    talk.press("shift-right")
    let turned = talk.app.list?.cellColumn ?? 0
    #expect(turned > 0 && !first.contains(talk.app.list?.columns.layout.label(of: turned) ?? ""))
    talk.press("shift-left", "shift-left")
    #expect(talk.lines[2] == first)
}

@Test func querysGoByTheColumnUnderTheCellCursor() {
    var talk = ServedApp(lists: [PlainCars.table], after: "right", "right", "s")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "year")])
    #expect(talk.lines[2].contains("Year ▲"))
    talk.press("S")
    #expect(talk.lines[2].contains("Year ▼"))
    talk.press("left", "S")
    #expect(talk.lines[2].contains("Year ▲"), "S reverses what is sorted")
    talk.press("right", "s", says: "Sorted by Year ▲, the whole list: s again drops the sort")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "year")])
    #expect(talk.app.list?.query.grouping == "None")
    talk.press("s", says: "No longer sorted")
    #expect(talk.app.list?.query.sort == [] && talk.app.list?.query.grouping == nil)
    talk.press("S")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "year", isDescending: true)])
    talk.press("right", "right", "0")
    #expect(talk.app.list?.query.grouping == "owner")
    #expect(talk.lines[1].contains("[owner]"))
    #expect(talk.press("0").isEmpty)
}

@Test func aSortShowsItsFirstRowsAndSaysHowFarItGoes() throws {
    var talk = ServedApp(lists: [PlainCars.table], after: "G", "right", "right")
    talk.press("s", says: "Sorted by Year ▲, within sections: s again sorts the whole list")
    let last = try #require(talk.app.list?.held.section(at: 999))
    #expect(last.first > 0 && talk.app.list?.cursor.ordinal == last.first)
    talk.press("G", "t", says: "Sorted by it already: Year ▲")
    talk.press("right", "t", says: "Sorted by Year ▲, then Fuel ▲")
    #expect(talk.app.list?.cursor.ordinal == last.first)
    #expect(talk.app.list?.query.sort.map(\.column) == ["year", "fuel"])
    // Another column alone, and back to where it all began.
    talk.press("s", says: "Sorted by Fuel ▲, within")
    #expect(talk.app.list?.query.sort.map(\.column) == ["fuel"])
    talk.press(.times(4, "esc"))
    #expect(talk.app.list?.query.sort == [] && talk.app.list?.cursor.ordinal == 999)
    talk.press("s", "s", says: "Sorted by Fuel ▲, the whole list")
    #expect(talk.app.list?.cursor.ordinal == 0)
}

/// Keys may be quicker than answers.
@Test func theSectionsOfBeforeAreKeptOverASlowLink() {
    var talk = ServedApp(lists: [PlainCars.table], after: "2", "right")
    talk.pressHeldUp("s", "s", "s")
    #expect(talk.app.list?.query == Query(grouping: "Year"))
    // What was chosen since counts.
    talk.resume()
    talk.press("s", "s", "esc", "3", "s")
    #expect(talk.app.list?.query == Query(grouping: "None"))
}

/// A catalog may have no grouping without sections.
@Test func theWholeListIsSortedWhateverTheGroupings() {
    let list = PlainCars.table.with { $0.groupings.removeAll { $0.name == "None" } }
    var talk = ServedApp(lists: [list], after: "2", "right", "s", "s")
    #expect(talk.app.list?.query.expression == SectionExpression.none)
    #expect(!talk.shows("──") && talk.app.list?.isSectioned == false)
    talk.press(":", .text("command"), "enter", says: "No command line has this grouping")
    talk.press("s")
    #expect(talk.app.list?.query.grouping == "Year" && talk.app.list?.query.expression == nil)
}

@Test func aSortByNameLeadsToItsColumn() {
    var talk = ServedApp(lists: [PlainCars.wideTable(7)], size: Size(columns: 60, rows: 12))
    talk.press("?", .text("by its name"), "enter", .text("Column 6"), "enter")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "c6")])
    #expect(talk.lines[2].contains("Column 6 ▲"))
    // Off the screen it is said in the line.
    talk.press("shift-left", "shift-left", "shift-left")
    #expect(!talk.lines[2].contains("Column 6"))
    #expect(talk.lines[1].contains("sort c6 ▲"))
}

@Test func aCopyCarriesWhatTheCellHolds() throws {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.server.mostBytes = 3
    let rowID = talk.rowID
    talk.server.cars[rowID]?[0] = .text("a long make\nof two lines")
    talk.press("r", "right")
    #expect(talk.press("y").first?.wholeRow == WholeRow(rowID: rowID, columns: [0]))
    #expect(talk.actions.last == .copy("a long make\nof two lines"))
    #expect(talk.status.contains("Copied Make, 24 bytes"))
    talk.press("right", "right")
    #expect(talk.press("y") == [.copy("0.5")])
}

@Test func inAListOfCellsTheKeysOpenAndGoBack() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], after: "enter", "right")
    #expect(talk.app.detail != nil)
    talk.press("left")
    #expect(talk.app.detail == nil && talk.app.list != nil)
    talk.press("left")
    #expect(talk.app.list == nil)
    talk.press("enter", "0", .text("own"), "enter")
    #expect(talk.app.list?.query.grouping == "owner")
}

@Test func aListWithoutATitleColumnBeginsWithTheRowNumber() {
    var talk = ServedApp(lists: [PlainCars.table.with { $0.titleColumn = nil }])
    #expect(talk.press("y") == [.copy("\(talk.rowID)")])
    talk.press("s", says: "Can't sort by the row number")
    talk.press("0", says: "Can't group by the row number")
}
