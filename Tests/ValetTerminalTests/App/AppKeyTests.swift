import Testing
import ValetModel

@testable import ValetTerminal

/// Every key of a motion goes to the same place. A page is the 20 lines below a header without the
/// last one, which stays to be seen.
@Test(arguments: [
    (["down", "j", "^N"], 500), (["up", "k", "^P"], 498), (["pgdn", "^F"], 518),
    (["pgup", "^B"], 480), (["^D"], 508), (["^U"], 490), (["home", "g"], 0), (["end", "G"], 999),
]) func aMotionHasSeveralKeys(keys: [String], place: Int) {
    for key in keys {
        var talk = ServedApp(after: ":", "5", "0", "0", "enter")
        #expect(talk.app.list?.cursor.ordinal == 499)
        talk.press(key)
        #expect(talk.app.list?.cursor.ordinal == place, "\(key)")
    }
}

@Test func halfAPageIsHalfOfOne() throws {
    var talk = ServedApp(after: "pgdn")
    let page = try #require(talk.app.list?.cursor.ordinal)
    talk.press("pgup", "^D")
    let half = try #require(talk.app.list?.cursor.ordinal)
    #expect(abs(half - page / 2) <= 1)
    talk.press("^U")
    #expect(talk.app.list?.cursor.ordinal == 0)
}

/// Law 8: screen readers and input methods follow the terminal's own cursor.
@Test func theTerminalsCursorStandsAtTheCaret() {
    var talk = ServedApp()
    func caret(_ text: String) {
        let screen = talk.app.draw()
        guard let cursor = screen.cursor else {
            Issue.record("no cursor after \(text)")
            return
        }
        let before = screen.row(cursor.row).prefix(cursor.column).map { String($0.character) }
        #expect(before.joined().hasSuffix(text), "\(before.joined())")
    }
    talk.press("/", .text("bm"))
    caret("/ bm")
    talk.press("esc", ":", .text("12"))
    caret(":12")
    talk.press("esc", "'", .text("b"))
    caret("'b")
    talk.press("esc", "?", .text("row"))
    caret("row")
    talk.press("esc", "e", "end")
    caret("Audi")
}

/// Law 4: Enter acts on the text as it is typed.
@Test func enterKeepsASearchThatHasNoAnswerYet() {
    var talk = ServedApp(after: "/")
    talk.pressHeldUp(.text("volvo"), "enter")
    #expect(talk.app.list?.mode == .browsing)
    talk.resume()
    #expect(talk.app.list?.query.search?.text == "volvo")
    #expect(talk.app.list?.total == talk.server.order.count)
    #expect(talk.shows("Volvo"))
}

@Test func aKeyBehindASearchWaitsForItsRow() {
    var talk = ServedApp(after: "/")
    talk.pressHeldUp(.text("volvo"), "enter", "j", "enter")
    #expect(talk.app.detail == nil && talk.app.list?.viewport.waiting?.act == .open)
    talk.resume()
    #expect(talk.app.detail?.row.id == talk.server.order[1] && talk.lines[0].contains("Volvo"))
}

@Test func aTitleThatIsFoundComesToTheTop() {
    let talk = ServedApp(after: "j", "'", "b", "enter")
    #expect(talk.app.list?.cursor.line == 1)
    #expect(talk.lines[2].hasPrefix("── BMW ") && talk.lines[3].hasPrefix("▌"))
}

@Test func anEmptyListOffersToAddOne() {
    let talk = ServedApp(rows: 0)
    #expect(talk.shows("No cars.  + add one"))
    var list = PlainCars.cars
    list.isEditable = false
    let other = ServedApp(lists: [list], rows: 0)
    #expect(other.shows("No cars.") && !other.shows("add one"))
}

@Test func aChangeThatWaitsIsMagenta() throws {
    var talk = ServedApp(after: "j", "e")
    talk.fill(1, with: "Z9")
    talk.pressHeldUp("^S")
    let screen = talk.app.draw()
    let row = try #require(talk.lines.firstIndex { $0.hasPrefix("▌…") })
    #expect(screen[row, 1].style.foreground == .magenta)
}

// MARK: The way back

@Test func escapeStepsBackThroughGroupingsSortsAndFarPlaces() throws {
    var talk = ServedApp(after: "j", "j", "j")
    let start = try #require(talk.app.list?.cursor)
    talk.press("G")
    let end = try #require(talk.app.list?.cursor)
    talk.press("2", "S", "down", "enter")
    #expect(talk.app.list?.query.grouping == PlainCars.cars.groupings[1].name)
    let sort = try #require(talk.app.list?.query.sort)
    talk.press(":", "5", "0", "%", "enter", "j")
    #expect(talk.app.list?.cursor.ordinal == 501)

    talk.press("esc")
    #expect(talk.app.list?.query.sort == sort && talk.rowID == end.rowID)
    talk.press("esc")
    #expect(talk.app.list?.query.sort == [] && talk.rowID == end.rowID)
    talk.press("esc")
    #expect(talk.app.list?.query == Query())
    #expect(talk.app.list?.cursor == end)
    talk.press("esc")
    #expect(talk.app.list?.cursor == start)
    talk.press("esc")
    #expect(talk.app.list?.cursor == start && talk.status.contains("q quits"))
}

@Test func escapeLeavesAKeptSearchFirstAndThenGoesBackToWhereItBegan() throws {
    var talk = ServedApp(after: "j", "j", "j", "/")
    let start = try #require(talk.app.list?.cursor)
    talk.press(.text("fiat"), "enter", "j", "2")
    let found = talk.rowID
    talk.press("esc")
    #expect(talk.app.list?.query.search == nil && talk.rowID == found)
    talk.press("esc")
    #expect(talk.app.list?.query == Query() && talk.rowID == found)
    talk.press("esc")
    #expect(talk.app.list?.cursor == start)
}

@Test func aStepBackToARowThatHasGoneIsToItsPlace() throws {
    var talk = ServedApp(after: "j", "j", "j")
    let start = try #require(talk.app.list?.cursor)
    talk.press("G")
    talk.others(.delete(start.rowID ?? 0))
    talk.press("esc")
    #expect(talk.app.list?.cursor.ordinal == start.ordinal)
    #expect(talk.rowID == talk.server.order[start.ordinal])
}

@Test func keysThatComeBeforeTheAnswerStepBackAsFar() throws {
    var talk = ServedApp(after: "/", .text("fiat"), "enter")
    let found = talk.rowID
    talk.pressHeldUp("esc", "esc")
    talk.deliver()
    #expect(talk.app.list?.query == Query())
    #expect(talk.rowID == talk.server.order[0] && talk.rowID != found)
}
