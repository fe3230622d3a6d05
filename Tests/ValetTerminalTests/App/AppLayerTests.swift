import Testing
import ValetModel

@testable import ValetTerminal

/// Each layer, and each over each other one: whatever a person does, they see it, they come back,
/// and no edit is lost without a question.
@Suite struct AppLayerTests {
    /// A list whose form has every kind of picker.
    private static let cars = PlainCars.cars.with {
        $0.columns[0].rules.choices = PlainCars.makes.map { .text($0) }
        $0.columns[2].editor = .moment(.date)
        $0.columns[4].editor = .list(name: "table", valueColumn: "owner")
    }

    private static func opened(_ keys: [String]) -> ServedApp {
        var talk = ServedApp(
            lists: [cars, PlainCars.table], options: AppOptions(startSeconds: 1_795_347_000))
        talk.server.history = .of(.change(nil, []))
        talk.press("enter", "j", "j")
        for key in keys { talk.press(key) }
        return talk
    }

    /// What lies over the list after some keys, from the lowest on.
    private static let ways: [(layers: [String], keys: [[String]])] = [
        (["DetailScreen"], [["enter"]]),
        (["CompareScreen"], [["M", "j", "M", "D"]]),
        (["FacetScreen"], [["#", "enter"], ["v"]]),
        (["Palette"], [["#"], ["?"], ["H"], ["y", "L"], ["s"], ["."]]),
        (["Confirmation"], [["d"]]),
        (["FormScreen"], [["e"], ["+"], ["e", "tab", "z"]]),
        (["DetailScreen", "FormScreen"], [["enter", "e", "tab", "z"]]),
        (
            ["FormScreen", "Palette"],
            [["e", "tab", "z", "up", "enter"], ["e", "tab", "z", "f1"]]
        ),
        (["FormScreen", "WheelPicker"], [["e", "tab", "z", "tab", "enter"]]),
        (["FormScreen", "RowPicker"], [["e", "tab", "z", "tab", "tab", "tab", "enter"]]),
        (["FormScreen", "Confirmation"], [["e", "tab", "z", "esc"]]),
        (["DetailScreen", "Confirmation"], [["enter", "d"]]),
        (["DetailScreen", "Palette"], [["enter", "?"]]),
        (["CompareScreen", "Palette"], [["M", "j", "M", "D", "?"]]),
        (["FacetScreen", "Palette"], [["v", "?"]]),
    ]
    static let openers = ways.flatMap { way in way.keys.map { (layers: way.layers, keys: $0) } }

    private static func names(_ talk: ServedApp) -> [String] {
        talk.app.layers.all.map { "\(type(of: $0))" }
    }

    private static func conflict() -> ServedApp {
        var talk = opened(["e", "tab", "z"])
        talk.server.nextVerdict = .conflict([Conflict(talk.rowID, .cell(1, .text("theirs")))])
        talk.press("^S")
        return talk
    }

    @Test(arguments: openers.indices)
    func keysOpenOneOverTheOther(place: Int) {
        let (layers, keys) = Self.openers[place]
        #expect(Self.names(Self.opened(keys)) == layers)
    }

    @Test func aConflictTakesThePlaceOfItsForm() {
        #expect(Self.names(Self.conflict()) == ["ConflictDialog"])
    }

    // MARK: Everything a person can do

    private static let events: [AppEvent] = {
        var events = [
            "j", "k", "enter", "tab", "space", "esc", "q", "Q", "^C", "^S", "^L", "?", "f1", "f2",
            "L", "y", "s", "n", "d", "u", "e", "E", "r", "x", "J", "K", "H", "left", "right",
            "pgdn", "home", "end", "backspace", "1", "2", "M", "D", "#", "'", "/", ":", "w", "o",
        ].compactMap { Key(name: $0) }.map(AppEvent.key)
        for row in stride(from: 0, to: 24, by: 3) {
            for column in [1, 12, 40, 78] {
                events.append(.mouse(MouseEvent(.press(.left), row: row, column: column)))
            }
        }
        for kind in [MouseEvent.Kind.wheelUp, .wheelDown, .press(.right), .drag, .release] {
            events.append(.mouse(MouseEvent(kind, row: 12, column: 40)))
        }
        return events + [
            .paste("pasted"), .pasteTooLong, .tick(milliseconds: 10_000_000),
            .resized(Size(columns: 40, rows: 10)), .resized(Size(columns: 130, rows: 40)),
            .disconnected(reason: "test"), .connecting, .othersChanged([]),
        ]
    }()

    /// What is typed and not stored.
    private static func unsaved(_ app: App) -> Int {
        app.changes.unsavedCount(besides: nil) + app.layers.all.reduce(0) { $0 + $1.unsavedCount }
    }

    private static func check(_ before: ServedApp, _ event: AppEvent, _ place: String) {
        var talk = before
        let asked = talk.send(event)
        let what = "\(place): \(event)"
        #expect(talk.app.draw().size == talk.app.size, "\(what)")
        let ends = asked.contains { if case .end = $0 { true } else { false } }
        let isAnswer =
            before.app.layers.top is ValetTerminal.Confirmation
            || before.app.conflict != nil && event == .key(.character("2"))
        let isKept =
            talk.app.edited != nil || unsaved(talk.app) > 0
            || talk.submitted.count > before.submitted.count
        if unsaved(before.app) > 0, !isAnswer { #expect(isKept && !ends, "\(what)") }
        guard !ends else { return }
        // Back to the list, whatever lies over it, and to its row.
        talk.send(.connected)
        for _ in 0..<8 where !talk.app.layers.isEmpty || talk.app.list?.mode != .browsing {
            talk.press("esc")
            if talk.app.layers.top is ValetTerminal.Confirmation { talk.press("y") }
        }
        let mode = talk.app.list?.mode ?? .browsing
        #expect(talk.app.layers.isEmpty && mode == .browsing, "\(what): \(mode)")
        #expect(
            talk.app.list?.list.name != "cars"
                || talk.app.list?.view.generation
                    == talk.server.generation,
            "\(what): the view is the list's again")
    }

    @Test(arguments: openers.indices)
    func nothingIsLostAndEverythingCloses(place: Int) {
        let opener = Self.openers[place]
        let talk = Self.opened(opener.keys)
        for event in Self.events { Self.check(talk, event, "\(opener.keys)") }
        // And over it whatever opens there, each pair with other ones of the events.
        for (number, over) in Self.openers.enumerated() {
            var both = talk
            for key in over.keys { both.press(key) }
            guard both.app.layers.all.count > opener.layers.count else { continue }
            for (turn, event) in Self.events.enumerated()
            where (turn + number + place).isMultiple(of: 24) {
                Self.check(both, event, "\(opener.keys) then \(over.keys)")
            }
        }
    }

    @Test func nothingIsLostInAConflict() {
        let talk = Self.conflict()
        for event in Self.events { Self.check(talk, event, "conflict") }
    }

    // MARK: The list below a picker

    private static func picking(_ change: (inout ServedApp) -> Void) -> ServedApp {
        var list = cars
        list.isRefreshable = true
        var talk = ServedApp(lists: [list, PlainCars.table], after: "enter")
        change(&talk)
        talk.press("e", "tab", "tab", "tab", "tab", "enter")
        talk.actions = []
        return talk
    }

    /// Its view is the server's view: the list below has none.
    private static func expectPickerIsShown(_ talk: ServedApp) {
        #expect(talk.app.picker?.list.isAnswered == true)
        let asked = talk.actions.filter { action in
            guard case .call(let call) = action else { return false }
            return call.generation > 0
        }
        #expect(asked.isEmpty, "nothing is asked of a view")
        #expect(talk.shows("Pick from Table"))
        #expect(!talk.shows("? help"), "? is text here")
    }

    @Test func aRefreshOfTheListBelowLeavesThePickerItsView() {
        var talk = Self.picking { $0.press("r") }
        talk.answer(.refreshed(.done(added: 1, changed: 0, removed: 0)), toNewest: \.isRefresh)
        Self.expectPickerIsShown(talk)
        talk.press("down", "down", "enter")
        #expect(talk.app.picker == nil && talk.app.form?.changeCount == 1)
        #expect(talk.app.list?.view.generation == talk.server.generation, "it is asked again")
    }

    @Test(arguments: [false, true])
    func anOutcomeForTheListBelowLeavesThePickerItsView(isFrozen: Bool) {
        var submit: [AppAction] = []
        var talk = Self.picking { talk in
            if isFrozen { talk.press("z") }
            talk.pressHeldUp("d", "y", "j")
            talk.isHeldUp = false
            // The form and the picker come first.
            (submit, talk.waiting) = (talk.waiting, [])
        }
        talk.server.nextVerdict = isFrozen ? nil : .conflict([Conflict(1, .rowChanged)])
        talk.waiting = submit
        talk.deliver()
        Self.expectPickerIsShown(talk)
    }

    @Test(arguments: ["+", "?", "s", "v"])
    func aRowThatIsWaitedForDoesNotOpenOverWhatWasOpenedSince(key: String) {
        var talk = Self.opened([])
        talk.pressHeldUp("end", "enter")
        #expect(talk.app.list?.viewport.waiting != nil)
        talk.press(key)
        talk.resume()
        #expect(talk.app.detail == nil && talk.app.layers.all.count == 1, "\(key)")
    }

    // MARK: May I go?

    @Test func controlCTwiceAsksFirst() {
        for keys in [["e", "tab", "z"], ["enter", "e", "tab", "z"]] {
            var talk = Self.opened(keys)
            talk.actions = []
            talk.press(.times(6, "^C"))
            #expect(!talk.actions.contains { if case .end = $0 { true } else { false } })
            #expect(talk.app.form?.changeCount == 1)
        }
        // Without edits it quits.
        var talk = Self.opened([])
        talk.press("^C")
        #expect(talk.press("^C") == [.quit(130)])
    }

    @Test func aPickWithTheMouseAsksForWhatIsNotSaved() {
        var talk = ServedApp(options: AppOptions(picks: true))
        talk.pressHeldUp("d", "y", "j", "j")
        talk.actions = []
        let line = 2 + (talk.app.list?.cursor.line ?? 0)
        talk.click(row: line, column: 10)
        talk.click(row: line, column: 10)
        #expect(!talk.actions.contains { if case .end = $0 { true } else { false } })
        #expect(talk.status.contains("1 change is not saved yet. Quit?"))
        #expect(talk.press("y").contains { if case .end(.pick) = $0 { true } else { false } })
    }
}
