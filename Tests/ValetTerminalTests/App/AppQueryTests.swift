import Testing
import ValetModel

@testable import ValetTerminal

private func query(_ talk: ServedApp) -> Query? { talk.app.list?.query }

/// With a grouping, a sort, a search and conditions, saved as `old bmws`.
private func saved(options: AppOptions = AppOptions()) -> ServedApp {
    var talk = ServedApp(lists: [PlainCars.table], options: options)
    talk.press("2", "right", "s", "/", "tab", .text("bo"), "enter", "f", .text("year<2000"))
    talk.press("enter")
    talk.press(":", .text("save old bmws"), "enter")
    return talk
}

@Test func aQueryIsSavedAndAskedAgain() {
    var talk = saved()
    #expect(talk.status.contains("Saved as “old bmws”"))
    #expect(
        talk.server.queries == [
            SavedQuery(
                name: "old bmws", list: "table", grouping: "Year",
                sort: [Query.Sort(column: "make")],
                search: Query.Search(text: "bo", scope: "Owner"), conditions: ["year<2000"])
        ])
    let asked = query(talk)
    talk.press("esc", "\\", "1", "s", "s", "s")
    #expect(query(talk) != asked)
    talk.press(":", .text("open OLD bmws"), "enter")
    #expect(query(talk) == asked && talk.status.contains("Opened “old bmws”"))
    #expect(talk.shows("year < 2000 ✕") && talk.lines[1].contains("bo"))
    // It is a step like others: back comes what was asked before.
    talk.press("esc", "esc")
    #expect(query(talk)?.grouping == "Make" && query(talk)?.conditions.isEmpty == true)
}

@Test func savingAgainReplaces() {
    var talk = saved()
    talk.press("\\")
    talk.press(":", .text("save old bmws"), "enter", says: "Replaced “old bmws”")
    #expect(talk.server.queries.count == 1)
    #expect(talk.server.queries.first?.conditions.isEmpty == true)
}

@Test func namesAreCompletedAndListed() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.press(":", .text("open "), "enter", says: "No saved queries")
    talk = saved()
    talk.press(":", .text("save all"), "enter")
    talk.server.queries.append(SavedQuery(name: "of another list", list: "cars"))
    talk.press("\\", ":", "o", "tab")
    #expect(talk.status.hasPrefix(" :open"))
    #expect(talk.shows("old bmws") && talk.shows("all") && !talk.shows("of another list"))
    talk.press("o", "tab")
    #expect(talk.status.hasPrefix(" :open old bmws"))
    talk.press("enter")
    #expect(query(talk)?.conditions.count == 1)
    talk.press(":", .text("open "), "down", "down", "enter")
    #expect(talk.status.hasPrefix(" :open all"), "chosen first")
    talk.press("esc")
    // Alone it shows all, with what they ask.
    talk.press(":", .text("open "), "enter")
    #expect(talk.shows("Saved queries") && talk.shows("year<2000, “bo” in Owner, by Year"))
    talk.press("enter")
    #expect(query(talk)?.grouping == "Year" && talk.app.palette == nil)
}

@Test func aColumnThatTheListDoesNotHaveAnyMoreIsNamedAndTheRestAsked() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.server.queries = [
        SavedQuery(
            name: "q", list: "table", grouping: "Colour",
            sort: [Query.Sort(column: "doors"), Query.Sort(column: "year")],
            search: Query.Search(text: "x", scope: "Doors"),
            conditions: ["doors = 4", "year >= 2000"])
    ]
    talk.press(":", .text("open q"), "enter")
    #expect(query(talk)?.grouping == nil && query(talk)?.search == nil)
    #expect(query(talk)?.sort == [Query.Sort(column: "year")])
    #expect(query(talk)?.conditions == [Condition(column: "year", .atLeast, [.integer(2_000)])])
    let said = talk.lines.suffix(5).joined()
    for lost in ["grouping “Colour”", "sort by “doors”", "“x” in “Doors”", "condition doors = 4"] {
        #expect(said.contains(lost), "\(lost)")
    }
}

@Test func aMistakeAtThePromptIsSaid() {
    var talk = saved()
    let before = query(talk)
    talk.press(":", .text("open none such"), "enter", says: "No saved query “none such”")
    // What is typed stays, to be put right.
    talk.press(":", .text("save "), "enter", shows: "save takes a name", says: ":save")
    talk.press("^U", .text("sing"), "enter", shows: "There are 20000, 50%", says: ":sing")
    let name = String(repeating: "x", count: 65)
    talk.press("^U", .text("save " + name), "enter", shows: "up to 64 bytes", says: ":save xxx")
    talk.press("esc")
    #expect(query(talk) == before && talk.server.queries.count == 1)
    // A row number goes there, as ever.
    talk.press(":", .text("3"), "enter", says: " 3 of ")
}

@Test func aFileThatCannotBeReadIsNoReasonToSpeakUntilAQueryIsOpened() {
    var talk = ServedApp(lists: [PlainCars.table])
    talk.isHeldUp = true
    let failure = ValetError(.storageFailed, "line 3 is no YAML")
    talk.press(":", .text("open x"))
    #expect(talk.actions.count { $0 == .file(.read(.complete)) } == 1, "names are read once")
    talk.send(.fileAnswer(.read(.complete), .failure(failure)))
    #expect(talk.status.hasPrefix(" :open x"))
    talk.press("enter")
    talk.send(.fileAnswer(.read(.open(list: "cars", name: "x")), .failure(failure)))
    #expect(talk.status.contains("can't be read: line 3 is no YAML"))
    let saved = SavedQuery(name: "x", list: "cars")
    talk.send(.fileAnswer(.save(saved), .failure(ValetError(.storageFailed, "the disk is full"))))
    #expect(talk.status.contains("Not saved: the disk is full"))
}

/// `today` stays the day on which it is asked.
@Test func aConditionIsSavedAsItWasTyped() {
    var table = PlainCars.table
    table.columns[2].type = .date
    var talk = ServedApp(lists: [table], after: "f", .text("year < today"), "enter")
    talk.press(":", .text("save q"), "enter")
    #expect(talk.server.queries.first?.conditions == ["year < today"])
}
