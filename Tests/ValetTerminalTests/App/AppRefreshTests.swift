import Testing
import ValetModel

@testable import ValetTerminal

private func served(rows: Bool = true) -> ServedApp {
    let list = PlainCars.cars.with { $0.isRefreshable = true }
    return ServedApp(lists: [list], rows: rows ? 1_000 : 0)
}

@Test func rLoadsAListFromWhereItComesFrom() {
    var talk = served()
    let line = talk.app.list?.cursor.ordinal
    talk.actions = []
    talk.press("r")
    #expect(talk.actions == [.call(.refresh(list: "cars"))])
    #expect(talk.status.contains("loading"))
    // One at a time.
    talk.press("r")
    #expect(talk.actions == [.call(.refresh(list: "cars"))])
    for (stage, done, total, words) in [
        (.loading, 70_000, nil, "loaded 68 kB   Esc cancels"), (.loading, 1, 3, "loading 33 %"),
        (.changing, .max, .max, "changing rows 100 %"),
    ] as [(RefreshProgress.Stage, Int, Int?, String)] {
        talk.answer(
            .refreshing(RefreshProgress(stage: stage, done: done, total: total)),
            toNewest: \.isRefresh)
        #expect(talk.status.contains(words))
    }
    talk.answer(.refreshed(.done(added: 1_200, changed: 0, removed: 3)), toNewest: \.isRefresh)
    #expect(talk.status.contains("Cars: 1,200 added, 3 removed"))
    #expect(talk.app.list?.cursor.ordinal == line)
    talk.press("r")
    talk.answer(.refreshed(.done(added: 0, changed: 0, removed: 0)), toNewest: \.isRefresh)
    #expect(talk.status.contains("no changes"))
}

@Test(arguments: ["esc", "^c"]) func aRefreshIsCancelled(_ key: String) {
    var talk = served()
    talk.press("r")
    talk.actions = []
    talk.press(key)
    #expect(talk.actions == [.cancel(.refresh(list: "cars"))])
    talk.answer(.refreshed(.cancelled), toNewest: \.isRefresh)
    #expect(talk.status.contains("cancelled"))
    // Then the key means what it means elsewhere.
    talk.actions = []
    talk.press(key)
    #expect(
        talk.actions.isEmpty && talk.status.contains(key == "esc" ? "q quits" : "again to quit"))
}

@Test func aRefreshThatFailsSaysWhyAlsoInTheLog() {
    var talk = served()
    talk.press("r")
    talk.answer(.refreshed(.failed("the server answered 404")), toNewest: \.isRefresh)
    #expect(talk.status.contains("Cars can't be loaded: the server answered 404"))
    talk.press("j")
    #expect(!talk.status.contains("404"))
    talk.press("L", shows: "404")
}

@Test func anEmptyListIsLoadedWhenItIsOpenedOnce() {
    var talk = served(rows: false)
    #expect(talk.actions.filter { $0 == .call(.refresh(list: "cars")) }.count == 1)
    talk.answer(.refreshed(.failed("no")), toNewest: \.isRefresh)
    talk.press("2")
    #expect(talk.actions.filter { $0 == .call(.refresh(list: "cars")) }.count == 1)
    var full = served()
    #expect(!full.actions.contains(.call(.refresh(list: "cars"))))
    full.press("/", "z", "q", "x")
    #expect(!full.actions.contains(.call(.refresh(list: "cars"))))
}

@Test func pullingTwiceAtTheTopLoadsTheListAgain() {
    var talk = served()
    talk.actions = []
    // A key that is held down pulls once.
    for step in 0..<10 {
        talk.send(.tick(milliseconds: 60_000 + step * 33))
        talk.press("up")
    }
    #expect(talk.actions.isEmpty && talk.status.contains("again to reload"))
    talk.send(.tick(milliseconds: 61_000))
    talk.press("k")
    #expect(talk.actions == [.call(.refresh(list: "cars"))])
    // Elsewhere the key moves.
    var other = ServedApp()
    other.actions = []
    for step in 0..<3 {
        other.send(.tick(milliseconds: 60_000 + step * 500))
        other.press("up")
    }
    #expect(other.actions.isEmpty && !other.status.contains("loads"))
}

@Test func theScopeOfTheGroupingIsCalledAfterIt() {
    var list = PlainCars.cars
    list.scopes.insert(Scope(name: "Grouping", columns: .currentGrouping), at: 0)
    var talk = ServedApp(lists: [list], after: "/")
    #expect(talk.lines[1].contains("in [Make]"))
    talk.press("esc", "2", "/")
    #expect(talk.lines[1].contains("in [Year]"))
}
