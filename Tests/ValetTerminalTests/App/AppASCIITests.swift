import Testing
import ValetClient
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
        expect(talk, shows: "", "\(lists.count) lists")
        return talk
    }

    private func expect(_ talk: ServedApp, shows text: String, _ place: String) {
        let screen = talk.app.draw()
        let odd = screen.cells.map(\.character).filter { !$0.isASCII }
        #expect(odd.isEmpty, "\(place): \(String(odd)) in\n\(screen.text)")
        let isThere = text.isEmpty || screen.text.contains(text)
        #expect(isThere, "\(place): no \(text) in\n\(screen.text)")
    }

    /// Each step is keys, with blanks between, and a text that the screen has then.
    private func walk(_ talk: inout ServedApp, _ steps: [(keys: String, text: String)]) {
        for (keys, text) in steps {
            for key in keys.split(separator: " ") {
                if Key(name: String(key)) != nil {
                    talk.press(String(key))
                } else {
                    talk.type(String(key))
                }
                expect(talk, shows: "", "\(keys), at \(key)")
            }
            talk.wait(milliseconds: 80)
            expect(talk, shows: text, keys)
        }
    }

    @Test func theConnectionAndTheCatalog() {
        var talk = start()
        expect(talk, shows: "o connecting", "first frame")
        expect(talk, shows: "   .........", "first skeletons")
        talk.send(.disconnected(reason: Self.words))
        expect(talk, shows: "x offline", "no connection")
        let error = ValetError(.storageFailed, Self.words)
        talk.answer(.failure(error), to: .catalog(countingRows: false))
        expect(talk, shows: "can't be read: \"Fuel\" can't be so - at most", "no catalog")
        talk = open([PlainCars.cars, PlainCars.fleet])
        walk(
            &talk,
            [
                ("j", "Cars"), ("?", "open the list"), ("esc enter", "Audi M0"), ("L", "essages"),
                ("esc q", "2 lists"),
            ])
        talk.send(.disconnected(reason: Self.words))
        talk.send(.connecting)
        expect(talk, shows: "o reconnecting (1)", "again")
    }

    @Test func theListAndItsPrompts() {
        var talk = open([PlainCars.fleet])
        walk(
            &talk,
            [
                ("?", "next section"), ("down esc", "1 of 1,000"), ("/ zz", "No cars match"),
                ("^U bm tab", "[Owner]"), ("shift-tab enter", " bm [x] "), ("esc : 5", ":5"),
                ("enter ' b", "'b"), ("zz", "No section has \"bzz\""), ("enter i", "index"),
                ("G esc 3 i", "There is no section index"), ("1 ] z", "|| frozen"),
                ("z E", "Edit mode"), ("esc x", "Checked \""), ("space X", "no longer selected"),
                ("*", "1,000 rows selected"), ("X y", "Copied \""), (". down", "delete"),
                ("esc p", "Nobody else"), ("o", "no columns to choose"), ("$", "? lists"),
                ("d", "Delete \""), ("y", "Deleted \""), ("u", "Undone: "), ("m", "by hand"),
                ("w", "side pane"), ("H", "No history"), ("^C", "to quit"),
            ])
        let rowID = talk.rowID
        talk.server.history = History(
            changes: [
                LoggedChange(
                    position: LogPosition(revision: 9, place: 0), time: PlainCars.time,
                    station: "bo",
                    command: CommandName(writer: WriterID(high: 0, low: 9), number: 1),
                    effect: RowEffect(
                        kind: .updated, rowID: rowID,
                        cells: [CellChange(column: 3, before: .null, after: .real(40))]))
            ], hasMore: false)
        walk(&talk, [("H", "Fuel NULL -> 40.0"), ("esc", "of 1,000")])
        talk.send(
            .othersChanged([
                StationPresence(
                    connection: 7, station: "bo",
                    presence: Presence(list: "cars", rowID: rowID, activity: .edits))
            ]))
        expect(talk, shows: "bo editing", "another on the row")
        walk(&talk, [("p", "bo"), ("esc", "of 1,000")])
        talk.others(.delete(rowID))
        expect(talk, shows: "This row was deleted", "gone")
        walk(&talk, [("j /", "in [Make]"), ("audi enter", "143 of 999")])
        talk.others(.set(talk.rowID, 0, .text("BMW")))
        expect(talk, shows: "no longer here", "elsewhere")
    }

    @Test func changesThatWait() {
        var talk = open()
        talk.isHeldUp = true
        walk(&talk, [("G", "1,000 of 1,000")])
        talk.wait(milliseconds: 200)
        expect(talk, shows: "   ......", "skeletons")
        talk.wait(milliseconds: 2_000)
        expect(talk, shows: "~ slow", "slow")
        talk.press("enter")
        for _ in 0..<4 {
            talk.wait(milliseconds: 100)
            expect(talk, shows: "", "spinner")
        }
        talk.deliver()
        talk.press("q", "2")
        talk.answer(.building(thousandths: 429), toNewest: \.isOpenView)
        expect(talk, shows: "building 42 %", "building")
        talk.deliver()
        talk.isHeldUp = false
        talk.press("1", "g")
        talk.send(.roundTrip(milliseconds: 400))
        expect(talk, shows: "~ slow  400 ms", "slow round trip")
        talk.press("pgdn", "pgdn", "j")
        talk.others(.insert([[ColumnValue(column: 0, value: .text("AA"))]]))
        expect(talk, shows: "^1 new", "above")
        walk(&talk, [("e", "Edit "), ("tab ^U z", "1 change")])
        talk.isHeldUp = true
        walk(&talk, [("^S", ">~ ")])
        talk.send(.disconnected(reason: Self.words))
        expect(talk, shows: "x offline . 1 waiting", "an edit waits")
        walk(&talk, [("Q", "not saved yet. Quit?")])
    }

    @Test func formsAndConflicts() {
        var talk = open()
        walk(
            &talk,
            [
                ("+", "New row"), ("f1", "save"), ("esc ^S", "Add an empty row?"),
                ("esc tab tab soon tab", "! a whole number"), ("esc", "Discard 1 change?"),
                ("y j e", "Edit "), ("tab ^U Mine", "1 change"),
            ])
        talk.others(.rename(talk.rowID, to: "Theirs"))
        expect(talk, shows: "now \"Theirs\"", "meanwhile")
        walk(&talk, [("^S", "1 keep mine"), ("esc", ">! ")])
        talk.others(.delete(talk.rowID))
        walk(&talk, [("j e tab ^U Mine", "1 change")])
        talk.others(.delete(talk.rowID))
        expect(talk, shows: "has deleted this row", "deleted meanwhile")
        walk(&talk, [("^S", "+ add it again"), ("esc", ">! ")])
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 3, message: Self.words)])
        walk(&talk, [("j e tab tab tab ^U 1 ^S", "! \"Fuel\" can't be so - at most 99~")])
        talk.press("esc", "y")
        talk.server.nextVerdict = .refused([Refusal(row: 0, column: 3, message: Self.words)])
        walk(&talk, [("d y", "Not deleted: \"Fuel\" can't"), ("L", "\"Fuel\""), ("esc", "Audi")])
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
        walk(
            &talk,
            [
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
        talk.server.cars = talk.server.cars.mapValues { cells in
            var cells = cells
            cells[1] = .text(long)
            return cells
        }
        talk.send(.connected)
        walk(&talk, [("w", "|")])
        talk.wait(milliseconds: 300)
        expect(talk, shows: "more", "pane")
        walk(&talk, [("w enter", "Enter shows"), ("j enter", "longer and"), ("?", "next record")])
        talk.press("esc", "g")
        talk.others(.set(talk.rowID, 3, .real(99)))
        expect(talk, shows: "99.0", "changed by somebody")
        walk(&talk, [("e", "Edit "), ("esc J", "2 of 1,000"), ("y", "Copied")])
        talk.others(.delete(talk.rowID))
        expect(talk, shows: "This row was deleted", "deleted")
    }

    @Test(arguments: [Size.standard, Size(columns: 39, rows: 7), Size(columns: 60, rows: 9)])
    func tablesAndSections(size: Size) {
        var table = PlainCars.table
        for number in 0..<20 {
            table.columns.append(
                ColumnDescription(name: "c\(number)", label: "Column \(number)", type: .text))
        }
        var grouped = PlainCars.grouped
        grouped.name = "grouped"
        var tall = PlainCars.tall
        tall.name = "tall"
        var talk = open([table, grouped, tall], size: size)
        walk(
            &talk,
            [
                ("enter", "M0 "), ("right s S", "M0 "), ("o", "x  Make"), ("space enter", "M0 "),
                ("shift-right l l 0 G", ">"), ("q j enter", "Audi"), ("]", "BMW"), ("up", "Audi"),
                ("q j enter", "Audi"), ("j 2", "Audi"),
            ])
        talk = open([PlainCars.byHand], size: size)
        walk(&talk, [("m j", "Moving \""), ("enter", "Moved \""), ("m j esc", "M")])
    }

    @Test func refreshesAndErrors() {
        var list = PlainCars.cars
        list.isRefreshable = true
        var talk = open([list])
        let error = ValetError(.storageFailed, Self.words)
        walk(&talk, [("r", "loading")])
        talk.answer(
            .refreshing(RefreshProgress(stage: .loading, done: 70_000, total: nil)),
            toNewest: \.isRefresh)
        expect(talk, shows: "loaded 68 kB", "refresh")
        talk.fail(.storageFailed, Self.words, newest: \.isRefresh)
        expect(talk, shows: "\"Fuel\"", "failed refresh")
        talk.press("g", "up")
        expect(talk, shows: "Press ^ again", "pull")
        let generation = talk.app.calls.generation
        let calls: [ServerCall] = [
            .history(list: "cars", most: 1),
            .matching(list: list, query: Query(), generation: generation, columns: []),
            .index(generation: generation, count: 1),
            .section(generation: generation, title: "a"), .catalog(countingRows: false),
            .wholeRows(list: list, rowIDs: [1], columns: [], count: 1),
            .wholeRow(list: list, rowID: 1, columns: [], .show(column: 0)),
        ]
        for call in calls {
            talk.press("j")
            talk.answer(.failure(error), to: call)
            expect(talk, shows: "\"Fuel\"", "\(call)")
        }
        for isMeant in [\.isWindow, \.isOpenView] as [KeyPath<ServerCall, Bool>] {
            talk.press("j")
            talk.fail(.storageFailed, Self.words) { $0[keyPath: isMeant] }
            expect(talk, shows: "", "\(isMeant)")
        }
        talk.pressHeldUp("enter")
        talk.fail(.storageFailed, Self.words, newest: \.isDetail)
        expect(talk, shows: "can't be shown: \"Fuel\"", "detail")
        talk = start()
        talk.isHeldUp = true
        talk.send(.connected)
        talk.deliverOne()
        talk.fail(.storageFailed, Self.words, newest: \.isOpenView)
        expect(talk, shows: "can't be shown: \"Fuel\"", "list")
        talk = start()
        talk.server.cars = [:]
        talk.send(.connected)
        expect(talk, shows: "+ add one", "empty")
        list.isEditable = false
        talk = open([list])
        expect(talk, shows: "# read only", "read only")
    }
}
