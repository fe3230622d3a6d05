import Testing
import ValetModel

@testable import ValetTerminal

@Test func theHistorySaysWhoChangedWhatAndWhen() {
    var talk = ServedApp()
    talk.server.history = .of(
        .change(.updated, of: 1, [CellChange(column: 3, before: .null, after: .real(40))]),
        .change(
            .deleted, of: 5_000,
            [Cell.text("Trabant"), .text("601"), .integer(1964)].enumerated().map {
                CellChange(column: $0, before: $1, after: .null)
            }, by: "ana"),
        .change(nil, [], by: ""),
        .change(.updated, of: 77, [CellChange(column: 99, before: .null, after: .null)]))
    talk.press("H", shows: "History of Cars, times in UTC", "ana deleted “1964 Trabant 601”")
    let edited = talk.lines.first { $0.contains("01-01 14:02  bo edited") } ?? ""
    #expect(edited.contains("Fuel NULL → 40.0") && talk.shows("another program changed the file"))
    // Choosing goes to the row, or says all of it.
    talk.press("enter")
    #expect(talk.app.palette == nil && talk.rowID == 1)
    talk.press("H", "down", "enter", says: "deleted “1964 Trabant 601”")
    talk.press("H", "esc")
    #expect(talk.app.palette == nil)
}

@Test func aHistoryThatComesLateDoesNotLieOverWhatAPersonDoes() {
    var talk = ServedApp()
    talk.server.history = .of(.change(.updated, []))
    talk.pressHeldUp("H", "j")
    talk.deliver()
    #expect(talk.app.palette == nil)
    var empty = ServedApp()
    empty.press("H", says: "No history for Cars")
    empty.send(.disconnected(reason: "test"))
    empty.press("H")
    #expect(empty.app.message == "Offline: the history can't be read")
}

@Test func columnsAreHiddenAndShown() {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars], after: "enter", "o")
    #expect(talk.shows("✓  Make") && talk.shows("✓  Owner") && !talk.shows("✓  Model"))
    talk.actions = []
    talk.press("space")
    #expect(talk.shows("   Make") && talk.app.palette != nil)
    talk.press("enter")
    #expect(!talk.lines[2].contains("Make") && talk.lines[2].contains("Year"))
    #expect(talk.lines[2].contains("Owner ") && talk.lines[2].contains(" +1"))
    #expect(talk.actions.isEmpty, "hiding asks nothing")
    // The choice stays with the list.
    talk.press("q", "enter")
    #expect(!talk.lines[2].contains("Make"))
    talk.press("o", "space", "esc")
    #expect(talk.lines[2].contains("Make") && talk.lines[4].contains("Audi"))
    talk.press("q", "j", "enter", "o", says: "A list of cells has no columns to choose")
}

@Test func moreThanAScreenfulOfColumnsCanBeChosenFrom() {
    let lists = [PlainCars.wideTable(95, label: "C")]
    var talk = ServedApp(lists: lists, after: "o", .text("C90"), "space")
    #expect(talk.app.message == "At most 64 columns are shown")
    talk.press("esc", "o", "space", "esc", "o", .text("C90"), "space", "enter")
    talk.press(.times(40, "shift-right"))
    #expect(talk.lines[2].contains("C90"))
    #expect(
        talk.actions.contains { action in
            if case .call(.openView(_, _, _, let columns)) = action {
                columns.contains(95)
            } else {
                false
            }
        })
}

@Test func theHistoryIsInThePersonsTimeZone() throws {
    let zone = try #require(ZoneClock(named: "Asia/Tokyo"))
    var talk = ServedApp(options: AppOptions(zone: zone))
    talk.server.history = .of(.change(nil, [], by: ""))
    talk.press("H")
    #expect(talk.shows("01-01 23:02  another program") && !talk.shows("UTC"))
}

@Test func aListIsFoundByItsName() {
    let lists = (0..<200).map { number in
        PlainCars.table.with { ($0.name, $0.title) = ("t\(number)", "Table \(number)") }
    }
    var talk = ServedApp(lists: [PlainCars.cars] + lists, after: "/", .text("LE 17"))
    #expect(talk.lines[1].hasPrefix(" / LE 17"))
    #expect(talk.lines.count { $0.contains("Table ") } == 11, "17, and 170 to 179")
    #expect(talk.lines[2].hasPrefix("▌  Table 17 "))
    // Keys are text here, also those that quit elsewhere.
    talk.press("Q", shows: "No list has this in its name.")
    talk.press("enter")
    #expect(talk.app.list == nil)
    talk.press("backspace", "down", "down", "enter")
    #expect(talk.app.list?.list.name == "t171")
    // All are there again, the cursor on the one that was open.
    talk.press("q")
    #expect(talk.app.catalog?.wanted == nil && talk.app.catalog?.selectedList?.name == "t171")
    talk.press("/", .paste("cars"), "^C")
    #expect(talk.app.catalog?.wanted == nil && talk.app.catalog?.selectedList?.name == "cars")
    talk.press("/", "down", "up", "esc", "down")
    #expect(talk.app.catalog?.selectedList?.name == "t0")
    // A list far down is seen when all are there again.
    talk.press("/", .text("t150"), "esc")
    #expect(talk.lines.contains { $0.hasPrefix("▌  Table 150 ") })
}
