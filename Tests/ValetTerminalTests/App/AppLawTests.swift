import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

@Test func pagesWithEverLongerValuesMoveNoColumn() {
    var talk = ServedApp(lists: [PlainCars.table])
    // Behind the first window, every value is longer than the one before.
    for (place, id) in talk.server.order.enumerated().dropFirst(60) {
        talk.server.cars[id]?[1] = .text(String(repeating: "M", count: place / 10))
        talk.server.cars[id]?[4] = .text(String(repeating: "O", count: place / 10))
        talk.server.cars[id]?[3] = .real(Double(place) * 1e9)
    }
    let labels = talk.lines[2]
    for _ in 0..<40 {
        talk.press("pgdn")
        #expect(talk.lines[2] == labels)
    }
    // What doesn't fit is cut, a number to nothing but the sign of it.
    #expect(talk.lines[10].contains("MM…  "))
    #expect(talk.lines[10].contains("   …  O"))
    #expect(!talk.lines[10].contains("000"))
}

/// After a search or a jump the columns follow what is shown, in one step.
@Test func columnsAreFittedOnceTheKeysRest() {
    var talk = ServedApp(lists: [PlainCars.table])
    let labels = talk.lines[2]
    // Keys that come quickly, one after the other.
    talk.press("/")
    for key in ["c", "i", "t"] {
        talk.send(.key(Key(name: key)!))
        #expect(talk.lines[2] == labels && talk.app.tickMilliseconds == 300, "\(key)")
    }
    #expect(talk.shows("Citroën"))
    talk.wait(milliseconds: 299)
    #expect(talk.lines[2] == labels && talk.app.tickMilliseconds == Frames.standingMilliseconds)
    talk.wait(milliseconds: 1)
    let fitted = talk.lines[2]
    #expect(fitted != labels)
    #expect(talk.app.tickMilliseconds.map { $0 > 300 } ?? true)
    // Scrolling shows other rows, and moves nothing.
    talk.press("enter", "pgdn", "pgdn")
    talk.wait(milliseconds: 1_000)
    #expect(talk.lines[2] == fitted)
}

@Test func aColumnIsAsWideAsItNeeds() {
    let long = String(repeating: "long ", count: 10)
    var talk = ServedApp(lists: [PlainCars.table])
    talk.server.cars[talk.server.order[2]]?[4] = .text(long)
    talk.press("r", "right", "right", "right", "right")
    #expect(talk.app.list?.columns.widths[4] == 5)
    talk.press("_", says: "As wide as it needs; _ again takes that back")
    #expect(talk.app.list?.columns.widths[4] == long.count && talk.shows(long))
    // Also when the others are fitted anew.
    talk.press("2")
    talk.wait(milliseconds: 400)
    #expect(talk.app.list?.columns.widths[4] == long.count)
    talk.press("_")
    #expect(talk.app.list?.columns.widths[4] == 5)
    talk.press("left", "_", "right", "_", "left", "_", "right", "_")
    #expect(talk.app.list?.columns.widths[4] == 5)
    var cells = ServedApp(after: "_")
    #expect(cells.app.message == "Cars has no columns")
    cells.press("c", says: "Cars has no columns")
}

@Test func aColumnIsReachedByItsName() {
    var talk = ServedApp(lists: [PlainCars.wideTable(60)], after: "c", .text("column 57"))
    #expect(talk.shows(" Go to column"))
    talk.press("enter")
    let column = talk.app.list?.cellColumn ?? 0
    #expect(talk.app.list?.list.columns[column].label == "Column 57")
    #expect(talk.lines[2].contains("Column 57"))
    talk.press("c", .text("model"), "enter")
    #expect(talk.app.list?.cellColumn == 1)
}

@Test func allColumnsAreHiddenAndShown() {
    var talk = ServedApp(lists: [PlainCars.table], after: "o", .times(5, "down"), "space")
    #expect(talk.app.list?.columns.layout.tableOrder == [1])
    talk.press("esc", "o", "space", "space", "esc")
    #expect(talk.app.list?.columns.layout.tableOrder == [1, 0, 2])
    talk.press("o", .text("all"), "space", "enter")
    #expect(talk.app.list?.columns.layout.tableOrder == [1, 0, 2, 3, 4])
}

@Test func columnsAreMeasuredByTheFirstRowsAfterAnEmptyAnswer() {
    let query = Query(search: .init(text: "zz", scope: "Make"))
    var talk = ServedApp(lists: [PlainCars.table], options: AppOptions(query: query))
    #expect(talk.app.list?.columns.widths.isEmpty == true)
    talk.press("/", "^U", "enter")
    #expect(talk.app.list?.columns.widths[4] == "Chloé".count)
}

@Test func oneLongValueInTwentyWidensNoColumn() {
    let layout = RowLayout(list: PlainCars.table)
    let rows = (0..<60).map { number in
        let model = number.isMultiple(of: 30) ? String(repeating: "x", count: 30) : "M\(number)"
        return Row(
            id: Int64(number),
            cells: [
                .text("Audi"), .text(model), .integer(number == 7 ? 123_456_789 : 1_990), .real(1),
                .null,
            ])
    }
    let window = Window(
        generation: 1, revision: 1, totalRows: 40_000, totalSections: 0, anchor: 0, first: 0,
        rows: rows, runs: [])
    let widths = layout.widths(
        for: window, positions: ShownColumns.positions(of: Array(0..<5)),
        glyphs: Glyphs(isASCII: false))
    #expect(widths == [0: 4, 1: 5, 2: 9, 3: 5, 4: 5])
}

// MARK: Nobody loses a place by accident

@Test func aListThatIsLeftKeepsItsQueryItsPlaceAndItsSearch() throws {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table])
    talk.press("enter", "2", "/", .text("fiat"), "enter", "pgdn", "j")
    let (screen, cursor) = (talk.lines, try #require(talk.app.list?.cursor))
    talk.press("q", "j", "enter")
    #expect(talk.app.list?.list.name == "table" && talk.app.list?.query == Query())
    talk.press("q", "k", "enter")
    #expect(talk.app.list?.cursor == cursor)
    #expect(talk.lines == screen)
    #expect(talk.app.list?.query.grouping == "Year")
    #expect(talk.app.list?.query.search?.text == "fiat")
}

@Test func aPlaceIsKeptWhileOthersChangeTheList() throws {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table])
    talk.press("enter", "pgdn", "pgdn", "j")
    let cursor = try #require(talk.app.list?.cursor)
    talk.press("q")
    _ = talk.server.carryOut(.delete(talk.server.order[3], talk.server.order[4]))
    talk.press("enter")
    #expect(talk.app.list?.cursor.rowID == cursor.rowID)
    #expect(talk.app.list?.cursor.line == cursor.line)
    #expect(talk.app.list?.cursor.ordinal == cursor.ordinal - 2)
}

@Test func escapeNeverLeavesAList() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table], after: "enter")
    for _ in 0..<3 {
        talk.press("esc")
        #expect(talk.app.list != nil && talk.status.contains("q goes back to the lists"))
    }
    talk.press("q")
    #expect(talk.app.list == nil)
}

@Test func escapeFromAKeptSearchStaysOnTheRowThatWasFound() throws {
    var talk = ServedApp(after: "/", .text("fiat"), "enter", "j", "j", "j")
    let found = try #require(talk.app.list?.cursor)
    talk.press("esc")
    #expect(talk.app.list?.query == Query())
    #expect(talk.app.list?.cursor.rowID == found.rowID)
    #expect(talk.app.list?.cursor.line == found.line)
}

@Test func escapeWhileAKeptSearchIsChangedGoesBackToIt() {
    var talk = ServedApp(after: "/", "tab", .text("ana"), "enter", "j", "j")
    let (screen, rowID) = (talk.lines, talk.rowID)
    talk.press("/", "tab", "^U", "b")
    #expect(talk.app.list?.query.search?.text == "b")
    talk.press("esc")
    #expect(talk.lines == screen && talk.rowID == rowID)
    #expect(talk.app.list?.query.search == Query.Search(text: "ana", scope: "Owner"))
}

@Test func aSearchThatIsClearedKeepsTheRow() {
    var talk = ServedApp(after: "/", .text("fiat"), "enter", "j", "j")
    let rowID = talk.rowID
    talk.press("/", "^U", "enter")
    #expect(talk.app.list?.query.search == nil && talk.rowID == rowID)
    talk.press("pgdn", "pgdn", "pgdn")
    let other = talk.rowID
    talk.press("/", "b", "^U", "enter")
    #expect(talk.rowID == other)
}

// MARK: Nothing flashes

/// The frames that are drawn one behind the other, each once.
private func frames(of talk: inout ServedApp, after key: String) -> [Screen] {
    var frames = [talk.app.nextFrame()]
    talk.pressHeldUp(.key(key))
    while true {
        let frame = talk.app.nextFrame()
        if frame != frames.last { frames.append(frame) }
        guard !talk.waiting.isEmpty else { return Array(frames.dropFirst()) }
        talk.deliverOne()
    }
}

@Test(arguments: [
    ["2"], ["G"], ["s", "down", "enter"], ["/", "b"], ["]"], ["enter"], ["e"], ["i", "G"],
])
func oneAnswerIsOneFrame(keys: [String]) {
    var talk = ServedApp()
    talk.server.hasSlowPages = true
    for key in keys.dropLast() { talk.press(key) }
    let frames = frames(of: &talk, after: keys.last ?? "")
    #expect(frames.count == 1)
    #expect(frames.allSatisfy { !$0.text.contains("░") })
}

@Test func aListThatOpensAtOnceShowsNoSkeleton() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table])
    #expect(frames(of: &talk, after: "enter").count == 1)
}

@Test func aNoticeStandsForAMomentAndNoLonger() {
    var talk = ServedApp()
    let before = talk.app.nextFrame()
    talk.pressHeldUp("G")
    var frame = talk.app.nextFrame()
    #expect(frame == before && talk.app.wantsTicks)
    talk.wait(milliseconds: 79)
    frame = talk.app.nextFrame()
    #expect(frame == before)
    talk.wait(milliseconds: 1)
    frame = talk.app.nextFrame()
    #expect(frame.text.contains("░") && talk.status.contains("1,000 of 1,000"))
    // Further keys don't hold it up again.
    talk.press("k", says: "999 of 1,000")
    // Nor does another size.
    talk.deliver()
    talk.press("2")
    talk.send(.resized(Size(columns: 70, rows: 20)))
    #expect(talk.app.draw().size.columns == 70)
}

// MARK: Slow answers

@Test func whereAHeldKeyStopsTheRequestUnderWayIsOvertakenOnce() {
    var talk = ServedApp()
    talk.isHeldUp = true
    talk.actions = []
    func pageDown(at milliseconds: Int) {
        talk.send(.tick(milliseconds: milliseconds))
        talk.send(.key(.pageDown))
    }
    for step in 0..<4 { pageDown(at: 50_000 + step * 33) }
    #expect(talk.actions.count == 1 && talk.app.tickMilliseconds == 40)
    talk.send(.tick(milliseconds: 50_099 + 39))
    #expect(talk.actions.count == 1)
    talk.send(.tick(milliseconds: 50_099 + 40))
    #expect(
        talk.actions.dropFirst() == [
            .call(
                .window(
                    generation: 1, anchor: .ordinal(76), rowsBefore: 22, rows: 63, velocity: 575,
                    isSettled: false))
        ])
    // Who goes on waits for that one, so that somebody who never stops sees rows now and then.
    pageDown(at: 50_200)
    talk.send(.tick(milliseconds: 50_300))
    #expect(talk.actions.count == 2 && talk.app.tickMilliseconds == 80)
}

@Test func aServerThatSaysNothingIsSlow() {
    var talk = ServedApp()
    talk.send(.roundTrip(milliseconds: 11))
    talk.pressHeldUp("G")
    for _ in 0..<24 {
        #expect(talk.app.wantsTicks && talk.shows("● live  11 ms"))
        talk.wait(milliseconds: 80)
    }
    talk.wait(milliseconds: 80)
    #expect(talk.shows("◐ slow") && !talk.shows("live"))
    talk.deliver()
    #expect(talk.shows("● live  11 ms") && !talk.app.wantsTicks)
}

@Test(arguments: [(399, "● live  399 ms"), (400, "◐ slow  400 ms"), (1_234, "◐ slow  1234 ms")])
func aRoundTripIsSlowFromFourTenthsOfASecond(milliseconds: Int, label: String) {
    var talk = ServedApp()
    talk.send(.roundTrip(milliseconds: milliseconds))
    #expect(talk.lines[0].hasSuffix(label))
}

@Test func theCatalogIsNamedByItsFileAndNotByTheListThatWasAskedFor() {
    let options = AppOptions(targetName: "cars.sqlite", listName: "cars")
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars], options: options)
    #expect(talk.lines[0].hasPrefix(" Cars"))
    talk.press("q")
    #expect(talk.lines[0].hasPrefix(" cars.sqlite  2 lists"))
}

// MARK: What is shown is what is there

@Test func copiesCarryTheWholeStoredValue() {
    var talk = ServedApp(lists: [PlainCars.cars.with { $0.columns[2].type = .date }])
    let long = String(repeating: "longer and ", count: 1_000)
    talk.server.mostBytes = 100
    let id = talk.server.order[0]
    talk.server.cars[id]?[4] = .text(long)
    talk.server.cars[id]?[2] = .integer(1_700_000_000)
    talk.press("r")
    #expect(talk.press("y").contains(.copy("1700000000 Audi M0")))
    #expect(talk.press("Y").first?.wholeRow == WholeRow(rowID: id, columns: [2, 0, 1, 4]))
    #expect(talk.app.draw().text.contains("Copied the row, 11,019 bytes"))
    #expect(talk.actions.last == .copy("1700000000\tAudi\tM0\t" + long))
    talk.press("enter", "G", "y")
    #expect(talk.actions.last == .copy(long))
    #expect(talk.status.contains("Copied the field, 11,000 bytes"))
    talk.press("up", "up", "y")
    #expect(talk.actions.last == .copy("1700000000"))
    // Without a connection there is no half of it.
    talk.send(.disconnected(reason: "gone"))
    #expect(talk.press("G", "y").isEmpty && talk.shows("Offline: the rest of the value"))
}

@Test func aCutSaysHowMuchIsMissingAndEnterShowsIt() {
    var talk = ServedApp(size: Size(columns: 80, rows: 10))
    talk.server.mostBytes = 100
    let words = (100..<250).map { "word\($0)" }
    talk.server.cars[talk.server.order[0]]?[3] = .text(words.joined(separator: " "))
    talk.press("r", "enter", "j", "j", "j")
    let byteCount = words.joined(separator: " ").utf8.count
    #expect(talk.app.draw().text.contains("\((byteCount - 100).grouped) more bytes: Enter shows"))
    talk.press("enter")
    #expect(!talk.shows("Enter shows"))
    // It is taller than the screen, and read to its end before the next field comes.
    #expect(talk.shows("word100") && !talk.shows("word249"))
    for _ in 0..<20 where !talk.shows("word249") { talk.press("j") }
    #expect(talk.app.detail?.selected == 3 && talk.shows("word249") && !talk.shows("word100"))
    talk.press("j")
    #expect(talk.app.detail?.selected == 4)
    talk.press("k", "pgdn")
    #expect(talk.app.detail?.selected == 3 && !talk.shows("word100"))
}

// MARK: The look

@Test func everyRoleHasItsColourAndItsFormWithoutColour() {
    var talk = ServedApp(after: "/", .text("fiat"), "enter")
    let screen = talk.app.draw()
    #expect(style(of: "Fiat", in: screen, on: 2) == Style(.cyan, .bold))
    #expect(style(of: "142", in: screen, on: 2) == .dim)
    #expect(style(of: "[Make]", in: screen, on: 1) == Style.reverse.with(.bold))
    #expect(style(of: "2 Year", in: screen, on: 1) == .dim)
    #expect(style(of: "Year", in: screen, on: 1) == .plain)
    #expect(style(of: "Fiat", in: screen, on: 3) == Style(.yellow, [.bold, .underline, .shaded]))
    #expect(style(of: "Fiat", in: screen, on: 4) == Style(.yellow, [.bold, .underline]))
    // Only what is searched is marked.
    talk.press("/", "^U", "tab", .text("ana"))
    #expect(talk.app.draw()[3, 73].style != Style(.yellow, [.bold, .underline]))
}

@Test func aKeyThatDoesNothingSaysSo() {
    var talk = ServedApp(after: "$")
    #expect(talk.status.contains("? lists the keys"))
    talk.press("'", "z", "z")
    #expect(talk.status.contains("'zz") && talk.status.contains("No section has “zz”"))
}

@Test func daysInTheSectionIndexShowWhatTellsThemApart() {
    #expect(SectionStrip.short("2026-11-22") == "11-22")
    #expect(SectionStrip.short("2026-11-22 14:00") == "14:00")
    #expect(SectionStrip.short("2026-11") == "26-11")
    #expect(SectionStrip.short("Škoda Fabia") == "Škoda Fabia")
}

@Test func columnsThatATableDoesNotShowAreCounted() {
    var talk = ServedApp(lists: [PlainCars.wideTable(195, label: "C")])
    #expect(talk.lines[2].contains("+186 ›"))
    talk.press(.times(80, "shift-right"))
    #expect(talk.lines[2].hasSuffix("+135 columns: Enter shows all"))
}
