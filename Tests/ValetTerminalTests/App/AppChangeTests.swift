import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// The list after the server changed it: the same window, of a later revision.
private func pushed(_ talk: inout ServedApp) {
    talk.server.revision += 1
    talk.server.arrange()
    guard let held = talk.app.list?.held.range, let cursor = talk.app.list?.cursor.ordinal else {
        return
    }
    talk.answer(
        .window(
            talk.server.window(
                anchor: cursor, before: cursor - held.lowerBound, count: held.count)),
        toNewest: \.isWindow)
}

private func car(_ model: String) -> [Cell] {
    [.text("Audi"), .text(model), .integer(2026), .real(1), .text("New")]
}

@Test func rowsThatComeAboveDoNotMoveWhatYouLookAt() throws {
    var talk = ServedApp(after: "pgdn", "j", "k", "k")
    let before = try #require(talk.app.list?.cursor)
    for number in 0..<3 { talk.server.cars[Int64(5_000 + number)] = car("A\(number)") }
    pushed(&talk)
    #expect(talk.app.list?.cursor.rowID == before.rowID)
    #expect(talk.app.list?.cursor.line == before.line)
    #expect(talk.app.list?.cursor.ordinal == before.ordinal + 3)
    #expect(talk.app.draw().text.contains("↑3 new"))
    talk.press("j")
    #expect(!talk.app.draw().text.contains("new"))
}

/// The cursor keeps its row, and the view stays at the top as long as both are seen.
@Test func onTheFirstRowTheViewStaysAtTheTop() {
    var talk = ServedApp()
    let rowID = talk.rowID
    let top = talk.app.list?.cursor.line ?? 0
    for number in 0..<3 {
        talk.server.cars[5_000 + Int64(number)] = car("A\(number)")
        pushed(&talk)
        #expect(talk.rowID == rowID && talk.app.list?.cursor.ordinal == number + 1)
        #expect(talk.app.list?.cursor.line == top + number + 1)
        #expect(talk.app.list?.visible.lowerBound == 0 && !talk.status.contains("new"))
    }
    // More than there is room for.
    for number in 10..<40 { talk.server.cars[5_000 + Int64(number)] = car("A\(number)") }
    pushed(&talk)
    #expect(talk.rowID == rowID && talk.app.list?.visible.contains(33) == true)
    #expect(talk.status.contains("↑30 new"))
    // From now on the row keeps its line.
    let line = talk.app.list?.cursor.line
    talk.server.cars[6_000] = car("A")
    pushed(&talk)
    #expect(talk.rowID == rowID && talk.app.list?.cursor.line == line)
    #expect(talk.status.contains("↑31 new"))
    talk.press("g")
    #expect(talk.app.list?.cursor.ordinal == 0 && !talk.status.contains("new"))
}

/// Who has scrolled away from the top stays where they look.
@Test func aViewThatLeftTheTopStays() {
    var talk = ServedApp(size: Size(columns: 80, rows: 12))
    for number in 0..<4 {
        talk.server.cars[5_000 + Int64(number)] = car("A\(number)")
        pushed(&talk)
    }
    let wheel = MouseEvent(.wheelDown, row: 5, column: 10)
    talk.send(.mouse(wheel))
    let line = talk.app.list?.cursor.line
    #expect(talk.app.list?.visible.contains(0) == false)
    talk.server.cars[6_000] = car("A")
    pushed(&talk)
    #expect(talk.app.list?.cursor.line == line && talk.status.contains("↑1 new"))
}

/// The first row goes to another place: nothing has come.
@Test func aFirstRowThatMovesTakesTheCursorAlong() {
    var talk = ServedApp()
    let rowID = talk.rowID
    let line = talk.app.list?.cursor.line
    talk.server.cars[rowID]?[1] = .text("M12")
    pushed(&talk)
    #expect(talk.rowID == rowID && talk.app.list?.cursor.ordinal ?? 0 > 3)
    #expect(talk.app.list?.cursor.line == line && !talk.status.contains("new"))
}

/// Neither a detail, a form or a question is of another row then, nor is one deleted unseen.
@Test(arguments: ["enter", "e", "d", "E"])
func theFirstRowIsNotLeftWhileSomethingIsDoneToIt(key: String) {
    var talk = ServedApp()
    let rowID = talk.rowID
    talk.press(key)
    talk.server.cars[5_000] = car("A")
    pushed(&talk)
    #expect(talk.rowID == rowID && talk.app.list?.cursor.ordinal == 1)
}

@Test func aRowThatGoesLeavesItsPlaceToItsNeighbour() throws {
    var talk = ServedApp(after: "j", "j")
    let gone = try #require(talk.app.list?.cursor.rowID)
    talk.server.cars[gone] = nil
    pushed(&talk)
    #expect(talk.app.list?.cursor.ordinal == 2)
    #expect(talk.app.list?.cursor.rowID == talk.server.order[2])
    #expect(talk.app.list?.total == 999)
}

@Test func aRowThatTheNewQueryLacksGivesItsPlaceToTheFirst() {
    var talk = ServedApp(after: "/", .text("volvo"), "enter", "pgdn")
    talk.server.cars = talk.server.cars.filter { $0.key.isMultiple(of: 2) }
    let rowID = talk.app.list?.cursor.rowID ?? 0
    talk.server.cars[rowID] = nil
    talk.press("2")
    #expect(talk.app.list?.cursor.ordinal == 0)
    #expect(talk.app.list?.held.isStale == false)
}

@Test func anEmptyListSaysSo() {
    var talk = ServedApp()
    talk.server.cars = [:]
    pushed(&talk)
    #expect(talk.app.draw().text.contains("   No cars."))
    #expect(talk.press("j", "enter", "]", "pgup", "G").isEmpty)
}

@Test func offlineRowsStayAndAreDim() throws {
    var talk = ServedApp(after: "pgdn", "j")
    let place = try #require(talk.app.list?.cursor)
    talk.send(.disconnected(reason: "reset by peer"))
    var screen = talk.app.draw()
    #expect(screen.text.contains("○ offline") && !screen.text.contains("░"))
    #expect(screen[5, 5].style.attributes.contains(.dim))
    #expect(talk.press("k", "pgdn", "pgdn", "pgdn").isEmpty)
    #expect(talk.press("r") == [.reconnect])
    talk.send(.connecting)
    #expect(talk.app.draw().text.contains("◌ reconnecting (1)"))
    talk.press("pgup", "pgup", "pgup", "j")
    talk.actions = []
    talk.send(.connected)
    #expect(talk.actions.count == 4)
    screen = talk.app.draw()
    #expect(screen.text.contains("● live") && !screen[5, 5].style.attributes.contains(.dim))
    #expect(screen.text.contains(" Reconnected"))
    #expect(talk.app.list?.cursor.rowID == place.rowID)
}

@Test func staleRowsStandUntilTheNewOnesAreHere() {
    var talk = ServedApp()
    talk.pressHeldUp("2")
    talk.wait(milliseconds: 80)
    let screen = talk.app.draw()
    #expect(screen.text.contains("Audi M") && !screen.text.contains("░"))
    #expect(screen[5, 5].style.attributes.contains(.dim))
    talk.deliver()
    #expect(!talk.app.draw()[5, 5].style.attributes.contains(.dim))
}

@Test func skeletonsStandOnlyForWhatWasNeverSeen() {
    var talk = ServedApp()
    talk.server.hasSlowPages = true
    talk.press("pgdn", "pgdn", "pgdn", "pgdn", "pgdn", "pgdn", "pgdn")
    talk.pressHeldUp("home")
    talk.wait(milliseconds: 80)
    let seen = talk.app.draw()
    #expect(!seen.text.contains("░") && seen[5, 5].style.attributes.contains(.dim))
    talk.press("end", shows: "░")
    talk.deliver()
    #expect(!talk.app.draw().text.contains("░"))
}

@Test func errorsAreSaidAndTheLastAnswerStays() {
    var talk = ServedApp()
    talk.pressHeldUp("2")
    talk.waiting = []
    talk.isHeldUp = false
    talk.fail(.unknownGrouping, "no grouping is called Year", newest: \.isOpenView)
    #expect(talk.app.list?.query == Query())
    #expect(talk.app.draw().text.contains("no grouping is called Year"))
    #expect(talk.app.list?.held.isStale == false)
    talk.fail(.storageFailed, "the disk is on fire", newest: \.isWindow)
    #expect(talk.app.draw().text.contains("the disk is on fire"))
}

@Test func aListThatCannotBeOpenedSaysWhy() {
    var talk = ServedApp(lists: [PlainCars.cars, PlainCars.table])
    talk.pressHeldUp("enter")
    talk.waiting = []
    talk.fail(.listUnavailable, "the table is locked", newest: \.isOpenView)
    #expect(talk.app.draw().text.contains("Cars can't be shown: the table is locked"))
    talk.isHeldUp = false
    talk.press("r")
    #expect(talk.app.list?.total == 1_000)
}

@Test func aCatalogThatCannotBeReadSaysWhy() {
    var talk = ServedApp(options: AppOptions(targetName: "cars.sqlite"), isConnected: false)
    #expect(talk.shows("◌ connecting") && talk.shows("░"))
    talk.connect(answering: 0)
    talk.fail(.storageFailed, "not a database") { $0 == .catalog(countingRows: false) }
    #expect(talk.shows("cars.sqlite can't be read: not a database"))
    #expect(talk.press("r") == [.call(.catalog(countingRows: false))])
    talk.send(.disconnected(reason: "test"))
    #expect(talk.press("r") == [.reconnect])
}

@Test func columnsThatTheCatalogDoesNotHaveAreNotCopied() {
    var talk = ServedApp()
    talk.isHeldUp = true
    talk.answer(
        .view(
            ViewSummary(
                generation: 1, epoch: 2, revision: 2, totalRows: 1, totalSections: 1,
                grouping: "Make", groupingColumn: 0, isSectioned: true, hasIndex: false,
                columns: [9_999, 0, 1])),
        toNewest: \.isOpenView)
    let row = Row(id: 7, cells: [.text("new"), .text("Audi"), .text("A4")])
    talk.answer(
        .window(
            Window(
                generation: 1, revision: 2, totalRows: 1, totalSections: 1, anchor: 0, first: 0,
                rows: [row], runs: [SectionRun(section: 0, title: "Audi", first: 0, count: 1)])),
        toNewest: \.isWindow)
    talk.press("k")
    #expect(talk.press("Y").contains(.copy("Audi\tA4")))
    talk.press("enter")
    talk.answer(
        .detail(RowDetail(id: 7, revision: 2, cells: [.text("Audi")])), toNewest: \.isDetail)
    #expect(talk.press("G", "y").contains(.copy("")), "the last field is missing")
    #expect(talk.app.draw().text.contains("Audi"))
}

@Test func aRowThatGoesFarAwayTakesNobodyAlong() throws {
    var talk = ServedApp(after: "pgdn", "j", "k", "k")
    let before = try #require(talk.app.list?.cursor)
    let rowID = try #require(before.rowID)
    // Rows come above in the same moment.
    for number in 0..<3 { talk.server.cars[Int64(5_000 + number)] = car("A\(number)") }
    talk.server.cars[rowID]?[0] = .text("Volvo")
    let next = talk.server.order[before.ordinal + 1]
    pushed(&talk)
    #expect(talk.app.list?.cursor.rowID == next)
    #expect(talk.app.list?.cursor.ordinal == before.ordinal + 3)
    // The row stays where it was until the next key.
    #expect(talk.app.list?.goneLine == before.line)
    talk.press("y")
    #expect(talk.app.list?.cursor.rowID == next && talk.app.list?.cursor.line == before.line)
}

@Test func theIndexIsAskedForAgainWhenSectionsChange() throws {
    var talk = ServedApp()
    var window = try #require(talk.app.list?.held.window)
    talk.actions = []
    window.revision += 1
    talk.answer(.window(window), toNewest: \.isWindow)
    #expect(talk.actions.isEmpty)
    window.revision += 1
    window.sectionsVersion += 1
    talk.answer(.window(window), toNewest: \.isWindow)
    #expect(talk.actions == [.call(.index(generation: 1, count: Limits.titlesPerIndex))])
}

/// More came above than a window holds: what is pushed has other rows, and isn't shown.
@Test func aWindowOfOtherRowsIsAskedForAgainAroundTheCursor() throws {
    var talk = ServedApp(after: "pgdn", "j", "k", "k")
    let before = try #require(talk.app.list?.cursor)
    for number in 0..<200 { talk.server.cars[Int64(5_000 + number)] = car("A\(number)") }
    pushed(&talk)
    let after = try #require(talk.app.list?.cursor)
    #expect(after.rowID == before.rowID && after.line == before.line)
    #expect(after.ordinal == talk.server.order.firstIndex(of: try #require(before.rowID)))
}

@Test func rowsAboveAreNewUntilTheCursorGoesElsewhere() {
    var talk = ServedApp(after: "pgdn", "j", "j")
    talk.press("d", "y", "u", says: "Undone")
    #expect(talk.app.list?.viewport.newAbove == 0, "the cursor is on the row that came back")
    func others() {
        talk.others(.insert([0: .text("AA")]))
        #expect(talk.status.contains("↑1 new"))
    }
    talk.press("j")
    others()
    talk.press("/", "v", "enter")
    #expect(talk.status.contains("1 of 143") && !talk.status.contains("new"))
    talk.press("esc", "j")
    others()
    talk.press("2")
    #expect(!talk.status.contains("new"))
}
