import Testing
import ValetModel

@testable import ValetTerminal

private func marked(_ talk: ServedApp) -> [Int64] {
    talk.app.list?.selection.compared.map(\.id) ?? []
}

/// The line of a field.
private func line(_ label: String, _ talk: ServedApp) -> String {
    talk.lines.first { $0.dropFirst(3).hasPrefix(label) } ?? ""
}

/// Two cars of one make, side by side.
private func compared(size: Size = .standard, options: AppOptions = AppOptions()) -> ServedApp {
    var talk = ServedApp(lists: [PlainCars.table], size: size, options: options)
    talk.press("M", "j", "M", "D")
    return talk
}

@Test func rowsAreMarkedUpToALimit() {
    var talk = ServedApp(lists: [PlainCars.table], after: "M")
    #expect(marked(talk) == [talk.rowID] && talk.status.contains("M adds another row"))
    talk.press("j")
    #expect(talk.lines.contains { $0.hasPrefix("  ◇") } && talk.status.contains("1 to compare"))
    for _ in 0..<7 { talk.press("M", "j") }
    #expect(marked(talk).count == 8)
    talk.press("M")
    #expect(marked(talk).count == 8 && talk.status.contains("At most 8 rows"))
    // The same key takes a mark off, and makes room.
    talk.press("k", "M")
    #expect(marked(talk).count == 7 && talk.status.contains("Removed from the comparison"))
}

@Test func marksAreOfRowsAndNotOfPlaces() {
    var talk = ServedApp(lists: [PlainCars.table], after: "M", "space")
    let first = marked(talk)
    #expect(talk.lines.contains { $0.hasPrefix("  ◈") }, "selected, too")
    talk.press("X", "2", "/", .text("Volvo"), "enter", "G", "M")
    #expect(marked(talk).count == 2 && marked(talk).first == first.first)
    talk.press("D")
    #expect(talk.app.comparison?.rowIDs == marked(talk))
    talk.press("q")
    // Whoever deletes a row takes its mark along.
    talk.press("esc", "1", "g", "d", "y")
    #expect(marked(talk).count == 1)
}

@Test func escTakesTheMarksOffLast() {
    var talk = ServedApp(lists: [PlainCars.table], after: "M", "2", "esc")
    #expect(marked(talk).count == 1 && talk.app.list?.query.grouping != "Year")
    talk.press("esc")
    #expect(marked(talk).isEmpty && talk.status.contains("1 row removed from the comparison"))
}

@Test func oneRowIsNotCompared() {
    var talk = ServedApp(lists: [PlainCars.table], after: "D")
    #expect(talk.app.comparison == nil && talk.status.contains("Press M on two rows"))
    talk.press("M", "D")
    #expect(talk.app.comparison == nil && talk.status.contains("Press M on one more row"))
}

@Test func fieldsThatDifferAreMarkedAndTheOthersHidden() {
    var talk = compared()
    #expect(talk.lines[0].hasPrefix(" 2 of Table side by side"))
    #expect(line("Make", talk).hasPrefix("   Make") || line("Make", talk).hasPrefix("▌  Make"))
    #expect(line("Make", talk).ranges(of: "Audi").count == 2)
    #expect(line("Year", talk).hasPrefix(" ≠ Year"))
    let before = talk.lines.count { $0.hasPrefix(" ≠ ") }
    talk.press("d")
    #expect(
        line("Make", talk).isEmpty && talk.lines.count { $0.dropFirst(1).hasPrefix("≠ ") } == before
    )
    talk.press("?", shows: "only fields that differ, or all")
    talk.press("esc", "d", "esc")
    #expect(talk.app.comparison == nil && marked(talk).count == 2)
}

@Test func valuesThatStandAloneStandOut() {
    var talk = ServedApp(lists: [PlainCars.table], after: "M", "j", "M", "j", "M")
    let rowIDs = marked(talk)
    for (rowID, year) in zip(rowIDs, [2_000, 2_001, 2_000]) {
        talk.server.cars[rowID]?[2] = .integer(Int64(year))
    }
    talk.press("D")
    let screen = talk.app.draw()
    #expect(style(of: "2001", in: screen)?.attributes.contains([.bold, .underline]) == true)
    talk.press("j", "j", "l")
    let cursor = talk.app.draw()
    #expect(style(of: "2001", in: cursor)?.attributes.contains([.reverse, .underline]) == true)
    let place = cursor.cursor ?? Position(row: 0, column: 0)
    #expect(!cursor[place.row, place.column + 5].style.attributes.contains(.underline))
    #expect(style(of: "2000", in: screen)?.attributes.contains(.bold) == false)
}

/// What is stored tells them apart: nothing, an empty text, and the default.
@Test func nothingAndAnEmptyTextDiffer() {
    var talk = ServedApp(lists: [PlainCars.table], after: "M", "j", "M")
    for (rowID, owner) in zip(marked(talk), [Cell.null, .text("")]) {
        talk.server.cars[rowID]?[4] = owner
    }
    talk.press("D")
    #expect(line("Owner", talk).hasPrefix(" ≠ Owner"))
    #expect(line("Owner", talk).contains("NULL") && line("Owner", talk).contains("\"\""))
}

@Test func aChangeOfOthersIsShownAtOnce() {
    var talk = compared()
    let rowIDs = marked(talk)
    talk.actions = []
    talk.others(.set(rowIDs[1], 4, .text("Zoe")))
    #expect(line("Owner", talk).contains("~Zoe"))
    #expect(
        talk.actions == rowIDs.map { .call(.detail(list: "table", rowID: $0)) },
        "once for a revision")
    talk.wait(milliseconds: 6_000)
    #expect(line("Owner", talk).contains(" Zoe"))
    talk.others(.delete([RowDeletion(rowID: rowIDs[0], seen: nil)]))
    #expect(talk.lines[2].contains("✗ ") && line("Make", talk).ranges(of: "Audi").count == 2)
    // It has gone from the list, and so from the comparison.
    #expect(marked(talk) == [rowIDs[1]])
}

@Test(arguments: ["M", "x"])
func aRowIsTakenOut(key: String) {
    var talk = ServedApp(
        lists: [PlainCars.table], after: "M", "j", "M", "j", "M", "D", "l", .key(key))
    #expect(talk.app.comparison?.rowIDs == marked(talk) && marked(talk).count == 2)
    talk.press(key)
    #expect(talk.app.comparison == nil && marked(talk).count == 1)
    #expect(talk.status.contains("M adds another"))
}

@Test func rowsWithoutRoomAreScrolledTo() {
    var talk = ServedApp(lists: [PlainCars.table], size: Size(columns: 60, rows: 8))
    for _ in 0..<6 { talk.press("M", "j") }
    talk.press("D")
    #expect(talk.lines[1].hasSuffix("4 ›") && !talk.lines[1].contains("‹"))
    talk.press(.times(5, "right"))
    #expect(talk.lines[1].hasPrefix(" ‹ 4") && !talk.lines[1].contains("›"))
    #expect(talk.app.comparison?.current == 5)
    // As much of the fields: five of them in four lines.
    #expect(!talk.shows("Owner"))
    talk.press("G")
    #expect(talk.lines[6].hasPrefix("▌") && talk.lines[6].contains("Owner"))
}

@Test func aValueThatIsCutIsShownWhole() {
    var talk = compared(size: Size(columns: 50, rows: 12))
    let long = String(repeating: "long ", count: 9) + "end"
    talk.others(.set(marked(talk)[0], 0, .text(long)))
    #expect(!talk.shows("end"))
    talk.press("g", "enter", shows: "end")
}

@Test func comparedRowsAreShownInASCII() {
    var talk = compared(options: AppOptions(isASCII: true))
    #expect(line("Year", talk).hasPrefix(" !=Year"))
    #expect(!talk.lines.contains { $0.contains("≠") || $0.contains("▌") })
    talk.press("q")
    #expect(talk.lines.contains { $0.hasPrefix("  o") })
}
