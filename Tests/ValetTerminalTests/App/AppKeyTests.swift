import Testing
import ValetModel

@testable import ValetTerminal

/// Every key of a motion goes to the same place. A page is the 20 lines below a header without the
/// last one, which stays to be seen, and half a page is half of that.
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
    let other = ServedApp(lists: [PlainCars.readOnly], rows: 0)
    #expect(other.shows("No cars.") && !other.shows("add one"))
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
    let first = talk.rowID
    talk.press(":", "5", "0", "%", "enter", "j")
    #expect(talk.app.list?.cursor.ordinal == 501)

    talk.press("esc")
    #expect(talk.app.list?.query.sort == sort && talk.rowID == first)
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
    #expect(talk.app.list?.query == Query(grouping: "Year") && talk.rowID == found)
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

/// Typed fast, or over a slow link, Escape and the next key come as one.
@Test func aKeyRightBehindEscapeIsTwoKeys() {
    var talk = ServedApp()
    talk.send(.key(.alt("/")))
    #expect(talk.app.list?.mode == .searching)
    talk.send(.key(.alt("b")))
    #expect(talk.app.list?.mode == .searching, "in a text it is a habit")
}
