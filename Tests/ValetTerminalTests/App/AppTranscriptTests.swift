import TestSupport
import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

private func window(
    _ generation: UInt32, _ anchor: Anchor, before: Int, rows: Int = 63, velocity: Int = 0,
    isSettled: Bool = true
) -> Asked {
    .call(
        .window(
            generation: generation, anchor: anchor, rowsBefore: before, rows: rows,
            velocity: velocity, isSettled: isSettled))
}

private func index(_ generation: UInt32) -> Asked {
    .call(.index(generation: generation, count: Limits.titlesPerIndex))
}

private func view(_ generation: UInt32, _ query: Query) -> Asked {
    .call(
        .openView(
            list: PlainCars.cars, query: query, generation: generation,
            columns: [2, 0, 1, 4]))
}

private let catalog = Asked.call(.catalog(countingRows: false))
private let counts = Asked.call(.catalog(countingRows: true))

/// Law 16: over a slow link they cost one round trip.
@Test func aListIsAskedForWithItsFirstRowsAndItsIndex() {
    let talk = ServedApp()
    #expect(
        talk.actions == [catalog, view(1, Query()), window(1, .ordinal(0), before: 22), index(1)])
}

@Test func movingInsideWhatIsHeldAsksNothing() {
    var talk = ServedApp(after: "pgdn", "pgdn", "up", "home")
    talk.actions = []
    #expect(talk.press("j", "k", "down", "up", "^N", "^P", "home", "g").isEmpty)
    #expect(talk.actions.isEmpty)
}

@Test func aThinMarginAsksForThreeScreensAroundTheRow() throws {
    var talk = ServedApp()
    talk.actions = []
    // 41 rows are held, and the screen shows 20: half a screen of margin is left at the 13th row
    // on.
    for _ in 0..<40 where talk.actions.isEmpty { talk.press("j") }
    #expect(talk.actions.count == 1)
    let rowID = try #require(talk.app.list?.cursor.rowID)
    let ordinal = try #require(talk.app.list?.cursor.ordinal)
    let near = [0, -1, 1, 0, 2, -2, 3, -3].map { line in
        AnchorRow(id: talk.server.order[ordinal + line], line: line)
    }
    #expect(talk.actions == [window(1, .rows(near, otherwise: .ordinal(ordinal)), before: 21 + 20)])
    #expect(ordinal == 31 && talk.server.order[ordinal] == rowID)
}

@Test func fastScrollingAsksOnlyForWhereItStops() {
    var talk = ServedApp()
    talk.actions = []
    talk.pressHeldUp(.times(8, "pgdn"))
    #expect(talk.actions.count == 1)
    talk.resume()
    #expect(talk.actions.count == 2)
    #expect(talk.actions.last == window(1, .ordinal(152), before: 22))
    #expect(talk.app.list?.cursor.rowID == talk.server.order[152])
    #expect(!talk.app.draw().text.contains("░"))
}

@Test func theRequestCarriesTheSpeed() throws {
    var talk = ServedApp()
    talk.actions = []
    var asked: [Asked] = []
    for step in 0..<12 where asked.isEmpty {
        talk.send(.tick(milliseconds: 50_000 + step * 100))
        asked = talk.send(.key(.pageDown))
        if step == 0 { asked = [] }
    }
    guard case .call(.window(_, _, _, _, let velocity, let isSettled)) = asked.first else {
        throw Unexpected("no request")
    }
    #expect(velocity == 190 && !isSettled)
}

@Test func eachKeystrokeIsANewGenerationAndTheNewestWins() {
    var talk = ServedApp()
    talk.actions = []
    talk.pressHeldUp("/", "b", "u")
    let search = { Query(search: Query.Search(text: $0, scope: "Make")) }
    let first = Anchor.ordinal(0)
    #expect(
        talk.actions == [
            view(2, search("b")), window(2, first, before: 22), index(2),
            view(3, search("bu")), window(3, first, before: 22), index(3),
        ])
    // The answer to the first keystroke comes late, and says nothing any more.
    talk.answer(
        .view(
            ViewSummary(
                generation: 2, epoch: 1, revision: 1, totalRows: 7, totalSections: 1,
                grouping: "Make", groupingColumn: 0, isSectioned: true, hasIndex: true,
                columns: [2, 0, 1, 4]))
    ) { call in
        if case .openView(_, _, 2, _) = call { true } else { false }
    }
    #expect(talk.app.list?.total == 1_000)
    talk.deliver()
    #expect(talk.app.list?.total == talk.server.order.count && talk.server.runs.count == 1)
}

@Test func escapeLeadsBackToThePlaceBeforeTheSearch() throws {
    var talk = ServedApp(after: "pgdn", "pgdn", "pgdn", "j", "k", "k")
    let before = try #require(talk.app.list?.cursor)
    let screen = talk.app.draw()
    talk.press("/", .text("volvo"), "down")
    #expect(talk.app.list?.cursor.ordinal == 1)
    talk.press("esc")
    #expect(talk.app.list?.cursor == before)
    #expect(talk.app.draw().text == screen.text)
}

@Test func clearingTheSearchShowsAllAgain() {
    var talk = ServedApp(after: "/", "z", "z")
    #expect(talk.app.list?.total == 0)
    talk.press("^U")
    #expect(talk.app.list?.total == 1_000 && talk.app.list?.mode == .searching)
    talk.press("q", "tab")
    #expect(talk.app.list?.query.search == Query.Search(text: "q", scope: "Owner"))
}

@Test func regroupingKeepsTheRowOnItsLine() throws {
    var talk = ServedApp(after: "pgdn", "pgdn", "j", "k", "k", "k")
    let before = try #require(talk.app.list?.cursor)
    for key in ["2", "3", "1", ">", "<"] {
        talk.press(key)
        #expect(talk.app.list?.cursor.rowID == before.rowID, "\(key)")
        #expect(talk.app.list?.cursor.line == before.line, "\(key)")
    }
    #expect(talk.press("9").isEmpty)
    #expect(talk.app.draw().text.contains("There is no grouping 9"))
}

@Test func aPlaceAskedForWhileARegroupingWaitsIsReachedInIt() {
    var talk = ServedApp()
    talk.pressHeldUp("2", ":", "5", "0", "0", "enter", "j")
    talk.resume()
    #expect(talk.app.list?.cursor.ordinal == 500)
    #expect(talk.app.list?.cursor.rowID == talk.server.order[500])
}

@Test func sectionsAreReachedForwardsAndBackwards() {
    var talk = ServedApp()
    var firsts: [Int] = []
    for _ in 0..<6 {
        talk.press("]")
        firsts.append(talk.app.list?.cursor.ordinal ?? -1)
    }
    #expect(firsts == talk.server.runs.dropFirst().map(\.first))
    talk.press("]", "j", "[")
    #expect(talk.app.list?.cursor.ordinal == firsts.last)
    talk.press(.times(7, "["))
    #expect(talk.app.list?.cursor.ordinal == 0)
}

@Test func theServerSaysWhereAnUnseenSectionBegins() {
    var talk = ServedApp(after: ":", "9", "0", "0", "enter")
    talk.actions = []
    talk.pressHeldUp("[", "[")
    let first = talk.server.runs[6].first
    #expect(talk.actions == [window(1, .ordinal(first), before: 22)])
    // The jump waits until the answer to the first is here, and isn't mistaken for it.
    talk.resume()
    #expect(talk.actions.last == window(1, .path(IndexPath(section: 5, row: 0)), before: 22))
    #expect(talk.app.list?.cursor.ordinal == talk.server.runs[5].first)
}

@Test(arguments: [
    ("20", 19), ("1,000", 999), ("5000", 999), ("0", 0), ("50%", 500), ("100%", 999), ("0%", 0),
])
func numbersAndPercentagesAreReached(text: String, ordinal: Int) {
    let talk = ServedApp(after: ":", .text(text), "enter")
    #expect(talk.app.list?.cursor.ordinal == ordinal)
    #expect(talk.rowID == talk.server.order[ordinal])
    let percent = ordinal * 100 / 999
    #expect(talk.status.contains(" \((ordinal + 1).grouped) of 1,000  \(percent)%   "))
}

@Test(arguments: ["abc", "120%", "-4", "%", ""])
func aTextThatIsNoNumberSaysSo(text: String) {
    let talk = ServedApp(after: "j", ":", .text(text), "enter")
    #expect(talk.app.list?.cursor.ordinal == 1)
    #expect(talk.app.draw().text.contains("There are 20000, 50%"))
}

@Test func aTitleIsReachedLetterByLetter() {
    var talk = ServedApp(after: "j", "'", "b")
    #expect(talk.app.list?.cursor.ordinal == talk.server.runs[1].first)
    talk.press("u")
    #expect(talk.app.list?.cursor.ordinal == talk.server.runs[2].first)
    talk.press("x")
    #expect(talk.app.list?.cursor.ordinal == talk.server.runs[2].first)
    #expect(talk.app.list?.mode == .naming(TextField(text: "bux", limit: Limits.bytesPerTitle)))
    talk.press("esc")
    #expect(talk.app.list?.cursor.ordinal == 1)
}

@Test func theIndexIsWalked() {
    var talk = ServedApp(after: "i", "j", "j")
    #expect(talk.app.list?.cursor.ordinal == talk.app.list?.view.index[2].first)
    talk.press("k", "enter", "j")
    #expect(talk.app.list?.cursor.ordinal == (talk.app.list?.view.index[1].first ?? 0) + 1)
    // Another key ends the walk and does what it always does.
    talk.press("i", "2")
    #expect(talk.app.list?.mode == .browsing && talk.app.list?.query.grouping == "Year")
}

@Test func sortingAndReversingAskAnew() {
    var talk = ServedApp(after: "s", .text("yea"), "enter")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "year")])
    talk.press("S")
    #expect(talk.app.list?.query.sort == [Query.Sort(column: "year", isDescending: true)])
    talk.press("s", "enter")
    #expect(talk.app.list?.query.sort == [])
}

@Test func enterOnARowThatIsNotHereWaitsForIt() {
    var talk = ServedApp()
    talk.pressHeldUp("pgdn", "pgdn", "pgdn", "pgdn")
    talk.actions = []
    #expect(talk.press("enter").isEmpty)
    #expect(talk.app.wantsTicks && talk.app.detail == nil)
    talk.deliver()
    #expect(talk.app.detail?.row.id == talk.server.order[76])
    #expect(talk.actions.last == .detail(talk.server.order[76]))
}

@Test func escapeStopsWaitingForARow() {
    var talk = ServedApp()
    talk.pressHeldUp("pgdn", "pgdn", "pgdn", "pgdn", "enter", "esc")
    talk.deliver()
    #expect(talk.app.detail == nil && !talk.app.wantsTicks)
}

@Test func theNextRecordFollowsTheList() {
    var talk = ServedApp(after: "enter", "J", "J", "J", "K")
    #expect(talk.app.detail?.row.id == talk.server.order[2])
    talk.press("q")
    #expect(talk.app.detail == nil && talk.app.list?.cursor.ordinal == 2)
    talk.press("home", "enter", "K", shows: "This is the first row")
}

@Test func quittingIsEasyButNotByAccident() {
    var talk = ServedApp()
    #expect(talk.press("q") == [.quit(0)])
    #expect(talk.press("Q") == [.quit(0)])
    #expect(talk.press("esc").isEmpty && talk.press("left").isEmpty)
    #expect(talk.press("^C").isEmpty)
    #expect(talk.press("^C") == [.quit(130)])
    #expect(talk.press("^C", "j", "^C").isEmpty)
    talk.press("/", "Q")
    #expect(talk.app.list?.typed.search.text == "Q")
    // The first ^C leaves the search.
    #expect(talk.press("^C") != [.quit(130)])
    #expect(talk.press("^L") == [.terminal(.redraw)])
    #expect(talk.press("^Z") == [.terminal(.suspend)])
}

@Test func theCatalogIsPassedOverForANamedList() {
    let options = AppOptions(listName: "CARS", query: Query(grouping: "Year"))
    let talk = ServedApp(lists: [PlainCars.table, PlainCars.cars], options: options)
    #expect(talk.actions.dropFirst().first == view(1, Query(grouping: "Year")))
    let wrong = ServedApp(
        lists: [PlainCars.table, PlainCars.cars], options: AppOptions(listName: "boats"))
    let there = ["table", "cars"]
    let error = ValetError(.unknownList, "no list is called “boats”", alternatives: there)
    #expect(wrong.actions == [catalog, .end(.fail(error))])
}

/// The newest view is closed.
private func closing(_ talk: ServedApp) -> Asked {
    .cancel(talk.calls.last { $0.call.isOpenView }?.call)
}

@Test func rowsAreCountedOnlyWhereTheirCountShows() {
    let lists = [PlainCars.table, PlainCars.cars]
    #expect(!ServedApp().actions.contains(counts))
    var named = ServedApp(lists: lists, options: AppOptions(listName: "cars"))
    #expect(!named.actions.contains(counts))
    #expect(named.press("q") == [closing(named), counts])
    #expect(named.lines[2].hasSuffix("1,000"))

    // What is known is not blanked by an answer that does not know it, nor counted again.
    named.load(Catalog(lists: lists))
    #expect(named.lines[2].hasSuffix("1,000"))
    named.press("enter")
    #expect(named.press("q") == [closing(named)])

    // Beside what was found stands of how many.
    let query = Query(search: .init(text: "fiat", scope: "Make"))
    let found = ServedApp(options: AppOptions(query: query))
    #expect(!found.actions.contains(counts))
    #expect(found.lines[0].contains("142 of 1,000"))
}

@Test func countsThatABreakPreventedAreAskedAgain() {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars], isConnected: false)
    talk.connect(answering: 1)
    #expect(talk.actions.last == counts)
    talk.isHeldUp = false
    talk.reconnect()
    #expect(talk.actions == [catalog, counts])
    #expect(talk.lines[2].hasSuffix("1,000"))
    talk.reconnect()
    #expect(talk.actions == [catalog])
}

@Test func theCatalogOpensAndClosesLists() throws {
    var talk = ServedApp(lists: [PlainCars.table, PlainCars.cars])
    #expect(talk.actions == [catalog, counts], "once, when the counts show")
    talk.press("j", "enter")
    #expect(talk.app.list?.list.name == "cars")
    #expect(talk.press("q") == [closing(talk)])
    #expect(talk.app.list == nil)
    talk.actions = []
    talk.press("k", "l")
    guard case .call(.openView(let list, _, let generation, _)) = talk.actions.first else {
        throw Unexpected("no view")
    }
    #expect(list.name == "table" && generation == 2)
}

@Test func aPasteIsTextAndNeverCommands() {
    var talk = ServedApp()
    #expect(talk.send(.paste("Qqdd\n")).isEmpty)
    talk.press("/", .paste("fi\nat"))
    #expect(talk.app.list?.typed.search.text == "fi at")
}
