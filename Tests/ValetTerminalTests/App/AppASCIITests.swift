import Testing
import ValetModel

@testable import ValetTerminal

/// Law 7: with `VALET_ASCII=1` every cell that is drawn is ASCII, as far as the rows are.
@Suite struct AppASCIITests {
    /// As servers put names into their words.
    private static let words = "“Fuel” can't be so – at most 99…"
    private static let wide = Size(columns: 130, rows: 24)

    private func start(
        _ lists: [ListDescription] = [PlainCars.cars], size: Size = .standard
    ) -> ServedApp {
        let options = AppOptions(
            targetName: "cars.sqlite", isASCII: true, startSeconds: 1_795_347_000)
        var talk = ServedApp(lists: lists, size: size, options: options, isConnected: false)
        for id in talk.server.cars.keys {
            talk.server.cars[id] = talk.server.cars[id]?.map { cell in
                guard case .text(let text) = cell else { return cell }
                return .text(text.filter(\.isASCII))
            }
        }
        return talk
    }

    private func open(
        _ lists: [ListDescription] = [PlainCars.cars], size: Size = .standard
    ) -> ServedApp {
        var talk = start(lists, size: size)
        talk.send(.connected)
        talk.expectASCII("", "\(lists.count) lists")
        return talk
    }

    @Test func theConnectionAndTheCatalog() {
        var talk = start()
        talk.expectASCII("o connecting", "first frame")
        talk.expectASCII("   .........", "first skeletons")
        talk.send(.disconnected(reason: Self.words))
        talk.expectASCII("x offline", "no connection")
        let error = ValetError(.storageFailed, Self.words)
        talk.answer(.failure(error), to: .catalog(countingRows: false))
        talk.expectASCII("can't be read: \"Fuel\" can't be so - at most", "no catalog")
        talk = open([PlainCars.cars, PlainCars.fleet])
        talk.walk([
            ("j", "Cars"), ("?", "open the list"), ("esc enter", "Audi M0"), ("L", "essages"),
            ("esc q", "2 lists"),
        ])
        talk.send(.disconnected(reason: Self.words))
        talk.send(.connecting)
        talk.expectASCII("o reconnecting (1)", "again")
    }

    @Test func theListAndItsPrompts() {
        var talk = open([PlainCars.fleet])
        talk.walk([
            ("?", "edit the row"), ("down esc", "1 of 1,000"), ("/ zz", "No cars match"),
            ("^U bm tab", "[Owner]"), ("shift-tab enter", " bm [x] "), ("esc : 5", ":5"),
            ("enter ' b", "'b"), ("zz", "No section has \"bzz\""), ("enter i", "index"),
            ("G esc 3 i", "There is no section index"), ("1 ] z", "|| frozen   * live"),
            ("z E", "Edit mode"), ("esc x", "Checked \""), ("space X", "no longer selected"),
            ("*", "1,000 rows selected"), ("X y", "Copied \""), (". down", "delete"),
            ("esc p", "Nobody else"), ("o", "no columns to choose"), ("$", "? lists"),
            ("d", "Delete \""), ("y", "Deleted \""), ("u", "Undone: "), ("m", "by hand"),
            ("w", "side pane"), ("H", "No history"), ("^C", "to quit"),
        ])
        let rowID = talk.rowID
        let fuel = CellChange(column: 3, before: .null, after: .real(40))
        talk.server.history = .of(.change(.updated, of: rowID, [fuel]))
        talk.walk([("H", "Fuel NULL -> 40.0"), ("esc", "of 1,000")])
        talk.send(.othersChanged([.other(7, "bo", rowID, edits: true)]))
        talk.expectASCII("bo editing", "another on the row")
        talk.walk([("p", "bo"), ("esc", "of 1,000")])
        talk.others(.delete(rowID))
        talk.expectASCII("This row was deleted", "gone")
        talk.walk([("j /", "in [Make]"), ("audi enter", "143 of 999")])
        talk.others(.set(talk.rowID, 0, .text("BMW")))
        talk.expectASCII("no longer here", "elsewhere")
    }

    @Test func changesThatWait() {
        var talk = open()
        talk.isHeldUp = true
        talk.walk([("G", "1,000 of 1,000")])
        talk.wait(milliseconds: 200)
        talk.expectASCII("   ......", "skeletons")
        talk.wait(milliseconds: 2_000)
        talk.expectASCII("~ slow", "slow")
        talk.press("enter")
        for _ in 0..<4 {
            talk.wait(milliseconds: 100)
            talk.expectASCII("", "spinner")
        }
        talk.deliver()
        talk.press("q", "2")
        talk.answer(.building(thousandths: 429), toNewest: \.isOpenView)
        talk.expectASCII("building 42 %", "building")
        talk.resume()
        talk.press("1", "g")
        talk.send(.roundTrip(milliseconds: 400))
        talk.expectASCII("~ slow  400 ms", "slow round trip")
        talk.press("pgdn", "pgdn", "j")
        talk.others(.insert([0: .text("AA")]))
        talk.expectASCII("^1 new", "above")
        talk.walk([("e", "Edit "), ("tab ^U z", "1 change")])
        talk.isHeldUp = true
        talk.walk([("^S", ">~ ")])
        talk.send(.disconnected(reason: Self.words))
        talk.expectASCII("x offline . 1 waiting", "an edit waits")
        talk.walk([("Q", "not saved yet. Quit?")])
    }

    @Test func formsAndConflicts() {
        var talk = open()
        talk.walk([
            ("+", "New row"), ("f1", "save"), ("esc ^S", "Add an empty row?"),
            ("esc tab tab soon tab", "! a whole number"), ("esc", "Discard 1 change?"),
            ("y j e", "Edit "), ("tab ^U Mine", "1 change"),
        ])
        talk.others(.rename(talk.rowID, to: "Theirs"))
        talk.expectASCII("now \"Theirs\"", "meanwhile")
        talk.walk([("^S", "1 keep mine"), ("esc", ">! ")])
        talk.others(.delete(talk.rowID))
        talk.walk([("j e tab ^U Mine", "1 change")])
        talk.others(.delete(talk.rowID))
        talk.expectASCII("has deleted this row", "deleted meanwhile")
        talk.walk([("^S", "+ add it again"), ("esc", ">! ")])
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 3, message: Self.words)])
        talk.walk([("j e tab tab tab ^U 1 ^S", "! \"Fuel\" can't be so - at most 99~")])
        talk.press("esc", "y")
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 3, message: Self.words)])
        talk.walk([("d y", "Not deleted: \"Fuel\" can't"), ("L", "\"Fuel\""), ("esc", "Audi")])
    }

    @Test func pickers() {
        var list = PlainCars.fleet
        list.columns[0].rules.choices = [.text("Audi"), .text("BMW")]
        list.columns[1].editor = .moment(.dateAndTime)
        list.columns[2].editor = .range(
            NumberRange(first: .number(1_908), last: .nextYear, isDescending: true))
        list.columns[4].editor = .list(name: "table", valueColumn: "owner")
        list.detail = [DetailSection(title: "Car", columns: [0, 1, 2, 3, 4, 5])]
        var talk = open([list, PlainCars.table])
        talk.walk([
            ("enter +", "Make   v"), ("enter", "> "), ("down enter", "+ Make "),
            ("tab enter", "Up Down turn"), ("right down enter tab enter", "2026"),
            ("enter tab tab enter", "Pick from Table"), ("/ an", "an"),
            ("esc down enter", "Owner"), ("tab space", "yes"), ("esc y", "1 of 1,000"),
        ])
    }

    @Test func theDetailAndThePane() {
        var talk = start([PlainCars.cars], size: Self.wide)
        talk.server.mostBytes = 100
        let long = String(repeating: "longer and ", count: 100)
        for id in talk.server.cars.keys { talk.server.cars[id]?[1] = .text(long) }
        talk.send(.connected)
        talk.walk([("w", "|")])
        talk.wait(milliseconds: 300)
        talk.expectASCII("more", "pane")
        talk.walk([("w enter", "Enter shows"), ("j enter", "longer and"), ("?", "next record")])
        talk.press("esc", "g")
        talk.others(.set(talk.rowID, 3, .real(99)))
        talk.expectASCII("99.0", "changed by somebody")
        talk.walk([("e", "Edit "), ("esc J", "2 of 1,000"), ("y", "Copied")])
        talk.others(.delete(talk.rowID))
        talk.expectASCII("This row was deleted", "deleted")
    }

    @Test(arguments: [Size.standard, Size(columns: 39, rows: 7), Size(columns: 60, rows: 9)])
    func tablesAndSections(size: Size) {
        var (grouped, tall) = (PlainCars.grouped, PlainCars.tall)
        (grouped.name, tall.name) = ("grouped", "tall")
        var talk = open([PlainCars.wideTable(20), grouped, tall], size: size)
        talk.walk([
            ("enter", "M0 "), ("right s S", "M0 "), ("o", "x  Make"), ("space enter", "M0 "),
            ("shift-right l l 0 G", ">"), ("q j enter", "Audi"), ("]", "BMW"), ("up", "Audi"),
            ("q j enter", "Audi"), ("j 2", "Audi"),
        ])
        talk = open([PlainCars.byHand], size: size)
        talk.walk([("m j", "Moving \""), ("enter", "Moved \""), ("m j esc", "M")])
    }

    @Test func refreshesAndErrors() {
        let list = PlainCars.cars.with { $0.isRefreshable = true }
        var talk = open([list])
        let error = ValetError(.storageFailed, Self.words)
        talk.walk([("r", "loading")])
        talk.answer(
            .refreshing(RefreshProgress(stage: .loading, done: 70_000, total: nil)),
            toNewest: \.isRefresh)
        talk.expectASCII("loaded 68 kB", "refresh")
        talk.fail(.storageFailed, Self.words, newest: \.isRefresh)
        talk.expectASCII("\"Fuel\"", "failed refresh")
        talk.press("g", "up")
        talk.expectASCII("Press ^ again", "pull")
        let generation = talk.app.calls.generation
        let calls: [ServerCall] = [
            .history(list: "cars", most: 1),
            .matching(list: list, query: Query(), generation: generation, columns: []),
            .index(generation: generation, count: 1),
            .section(generation: generation, title: "a"), .catalog(countingRows: false),
            .wholeRows(list: list, rowIDs: [1], columns: []),
            .wholeRow(list: list, rowID: 1, columns: [], .show(column: 0)),
        ]
        for call in calls {
            talk.press("j")
            talk.answer(.failure(error), to: call)
            talk.expectASCII("\"Fuel\"", "\(call)")
        }
        for isMeant in [\.isWindow, \.isOpenView] as [KeyPath<ServerCall, Bool>] {
            talk.press("j")
            talk.fail(.storageFailed, Self.words) { $0[keyPath: isMeant] }
            talk.expectASCII("", "\(isMeant)")
        }
        talk.pressHeldUp("enter")
        talk.fail(.storageFailed, Self.words, newest: \.isDetail)
        talk.expectASCII("can't be shown: \"Fuel\"", "detail")
        talk = start()
        talk.connect(answering: 1)
        talk.fail(.storageFailed, Self.words, newest: \.isOpenView)
        talk.expectASCII("can't be shown: \"Fuel\"", "list")
        talk = start()
        talk.server.cars = [:]
        talk.send(.connected)
        talk.expectASCII("+ add one", "empty")
        talk = open([PlainCars.readOnly])
        talk.expectASCII("# read only", "read only")
    }
}

extension ServedApp {
    fileprivate func expectASCII(_ text: String, _ place: String) {
        let screen = app.draw()
        let odd = (0..<screen.size.rows).flatMap(screen.row).map(\.character).filter { !$0.isASCII }
        #expect(odd.isEmpty, "\(place): \(String(odd)) in\n\(screen.text)")
        let isThere = text.isEmpty || screen.text.contains(text)
        #expect(isThere, "\(place): no \(text) in\n\(screen.text)")
    }

    /// Each step is keys, with blanks between, and a text that the screen has then.
    fileprivate mutating func walk(_ steps: [(keys: String, text: String)]) {
        for (keys, text) in steps {
            for key in keys.split(separator: " ").map(String.init) {
                press(Key(name: key) == nil ? .text(key) : .key(key))
                expectASCII("", "\(keys), at \(key)")
            }
            wait(milliseconds: 80)
            expectASCII(text, keys)
        }
    }
}
