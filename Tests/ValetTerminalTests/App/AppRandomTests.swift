import Foundation
import Testing
import ValetModel

@testable import ValetTerminal

private let keyNames = [
    "j", "k", "pgdn", "pgup", "^D", "^U", "g", "G", "]", "[", "'", "i", "1", "2", "3", "<", ">",
    "s",
    "S", "/", "tab", "enter", "esc", "q", "b", "a", "backspace", ":", "5", "%", "?", "J", "K",
    "e", "+", "d", "x", "E", "z", "L", "d", "u", "U", "m", "m", "tab", "space", "^S", "y",
    "shift-right", "shift-left", "up", "down", "left", "right", "home", "end", "y", "r", "^C", "l",
    "space", "space", "X", "*", "Y", "0", "h", ".", "f", "=", "!", "\\", "F", "#", "v", "c",
    "M", "M", "D", "w", "H", "o", "p", "n", "t", "^L", "f2",
]

private let lists = [PlainCars.cars, PlainCars.byHand, PlainCars.tall, PlainCars.grouped]

/// Whatever happens, the terminal shows the screen, no edit is lost without a question, and at rest
/// the screen shows the truth.
@Test(arguments: [UInt64(1), 2, 3], lists)
func whateverHappensTheScreenIsRightAtRest(seed: UInt64, first: ListDescription) throws {
    var person = WildPerson(seed: seed, list: first)
    for step in 0..<250 { person.act(step) }
    try person.rest()
}

/// `VALET_RUNS` is how many people more; none without it.
@Test(.enabled(if: ProcessInfo.processInfo.environment["VALET_RUNS"] != nil))
func whateverHappensInManyRunsTheScreenIsRightAtRest() throws {
    let environment = ProcessInfo.processInfo.environment
    let runs = environment["VALET_RUNS"].flatMap(Int.init) ?? 0
    let start = environment["VALET_SEED"].flatMap(UInt64.init) ?? .random(in: 0..<1 << 32)
    for run in 0..<UInt64(runs) {
        var person = WildPerson(seed: start &+ run, list: lists[Int(run % 4)])
        for step in 0..<120 { person.act(step) }
        try person.rest()
    }
}

/// A person who knows no restraint, a line on which answers are late, out of order, failed or cut
/// off, a list that changes, and a window that is dragged about.
private struct WildPerson {
    private var talk: ServedApp
    private let seed: UInt64
    private var generator: SeededNumbers
    private var shown: Screen?
    private var terminal: TerminalEmulator

    init(seed: UInt64, list first: ListDescription) {
        self.seed = seed
        generator = SeededNumbers(seed: seed)
        talk = ServedApp(lists: [first, PlainCars.table])
        if first == PlainCars.tall {
            for id in talk.server.cars.keys { talk.server.cars[id]?[5] = .integer(id % 12) }
        }
        talk.press("enter")
        terminal = TerminalEmulator(size: talk.app.size)
    }

    private mutating func number(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    mutating func act(_ step: Int) {
        talk.isHeldUp = number(0..<3) > 0
        talk.server.hasSlowPages = Bool.random(using: &generator)
        let before = talk
        var key: String?
        switch number(0..<24) {
        case 0:
            let size = Size(columns: number(1..<160), rows: number(1..<40))
            talk.send(.resized(size))
            terminal = TerminalEmulator(size: size)
            shown = nil
        case 1:
            let kinds = [MouseEvent.Kind.wheelUp, .wheelDown, .press(.left), .press(.right), .drag]
            let kind = kinds.randomElement(using: &generator) ?? .drag
            talk.send(.mouse(MouseEvent(kind, row: number(0..<30), column: number(0..<100))))
        case 2:
            // It may last.
            talk.server.connectionIsLost()
            talk.send(.disconnected(reason: "test"))
            if Bool.random(using: &generator) { connect() }
        case 3:
            let rowID = Int64(number(1..<1_001))
            talk.server.cars[rowID] = nil
        case 4 where talk.waiting.isEmpty && talk.app.connection.isConnected:
            talk.others(.delete(talk.rowID))
        case 5 where talk.waiting.isEmpty && talk.app.connection.isConnected:
            talk.others(.set(talk.rowID, 0, .text(["Audi", "Volvo"][step % 2])))
        case 6:
            talk.send(.paste(["M1", "Audi", "1\n2", ""].randomElement(using: &generator) ?? ""))
        case 7: fail()
        case 8: deliverOutOfOrder()
        case 9 where !talk.app.connection.isConnected: connect()
        default:
            key = keyNames.randomElement(using: &generator)
            talk.press(key ?? "j")
        }
        expectNoEditIsLost(before, key, step)
        if !talk.isHeldUp, talk.app.connection.isConnected { talk.deliver() }
        let screen = talk.app.draw()
        terminal.apply(DiffRenderer().bytes(from: shown, to: screen))
        terminal.expect(screen, "seed \(seed) step \(step)")
        shown = screen
    }

    private mutating func connect() {
        talk.send(.connecting)
        talk.send(.connected)
    }

    /// An answer that fails, if it is one that a server may refuse.
    private mutating func fail() {
        let readings = talk.waiting.indices.filter { place in
            guard case .server(_, let call) = talk.waiting[place] else { return false }
            switch call {
            case .index, .section, .aggregates, .detail, .linked, .referring, .wholeRow, .history,
                .sections:
                return true
            case .openView, .pinView, .window, .matching, .wholeRows, .submit, .export, .refresh,
                .catalog:
                return false
            }
        }
        guard let place = readings.randomElement(using: &generator),
            case .server(let token, _) = talk.waiting.remove(at: place)
        else { return }
        talk.send(.answer(token, .failure(ValetError(.busy, "later"))))
    }

    /// Readings may overtake each other, and what was asked of a view that is left comes too late.
    private mutating func deliverOutOfOrder() {
        guard talk.app.connection.isConnected,
            let place = talk.waiting.indices.randomElement(using: &generator),
            case .server(_, let call) = talk.waiting[place]
        else { return }
        switch call {
        case .detail, .linked, .referring, .wholeRow, .wholeRows, .history, .sections, .export,
            .catalog:
            talk.waiting.insert(talk.waiting.remove(at: place), at: 0)
            talk.deliverOne()
        case .openView, .pinView, .window, .index, .section, .aggregates, .matching, .submit,
            .refresh:
            break
        }
    }

    /// What is typed is there, or sent, or kept, or given up by an answer to a question.
    private func expectNoEditIsLost(_ before: ServedApp, _ key: String?, _ step: Int) {
        guard before.app.edited?.unsavedCount ?? 0 > 0, talk.app.edited == nil,
            !(before.app.layers.top is ValetTerminal.Confirmation)
        else { return }
        let isDecided =
            switch (before.app.conflict, key) {
            case (.some, "2"), (.some, "t"): true
            // Theirs was picked for all.
            case (let dialog?, "enter"), (let dialog?, "^S"):
                dialog.undecided == nil && dialog.edited.unsavedCount == 0
            default: false
            }
        let isKept =
            talk.app.changes.unsavedCount(besides: nil) > 0
            || talk.submitted.count > before.submitted.count
        #expect(isKept || isDecided, "seed \(seed) step \(step): \(key ?? "no key")")
    }

    // MARK: At rest

    mutating func rest() throws {
        talk.isHeldUp = false
        if !talk.app.connection.isConnected { connect() }
        talk.deliver()
        talk.send(.resized(.standard))
        if talk.app.isPaneShown { talk.send(.resized(Size(columns: 140, rows: 30))) }
        // Out of whatever was open, and asked anew, since rows have gone without a word.
        for _ in 0..<6 { talk.press("esc", "y") }
        talk.press("esc")
        if talk.app.list == nil { talk.press("enter") }
        talk.press("r")
        let list = try #require(talk.app.list)
        #expect(list.total == talk.server.order.count, "seed \(seed)")
        for case .row(let ordinal, _) in list.lines {
            let held = try #require(list.held.row(at: ordinal), "seed \(seed) row \(ordinal)")
            #expect(!held.isStale && held.row.id == talk.server.order[ordinal], "seed \(seed)")
        }
        #expect(list.viewport.requests.outstanding == nil, "seed \(seed)")
        let over = talk.app.layers.all.map { "\(type(of: $0))" }
        #expect(over == [] && talk.app.isWhole, "seed \(seed)")
        expectWholeRow()
        expectCounts()
    }

    /// The cursor's row, as the server has it.
    private mutating func expectWholeRow() {
        guard let list = talk.app.list, let rowID = list.cursor.rowID, list.total ?? 0 > 0,
            list.frozen == nil, talk.app.changes.pending(in: list.list.name).isEmpty
        else { return }
        talk.press("enter")
        for (column, cell) in (talk.server.cars[rowID] ?? []).enumerated()
        where column < list.list.columns.count {
            let shown = talk.app.detail?.row.cell(column)
            #expect(shown == cell, "seed \(seed): row \(rowID), column \(column)")
        }
        talk.press("esc")
    }

    /// The values of a column, as the model counts them.
    private mutating func expectCounts() {
        // The model cuts its rows by makes and years alone.
        let grouping = talk.app.list?.query.grouping ?? "Make"
        guard talk.app.list?.list.groupings.contains(where: { $0.name == grouping }) == true else {
            return
        }
        talk.press("v")
        if let page = talk.app.facets?.page {
            let counted = page.sections.reduce(0) { $0 + $1.count }
            #expect(counted == talk.server.order.count || page.sections.count < page.totalSections)
            #expect(page.totalSections == talk.server.runs.count, "seed \(seed)")
        }
        talk.press("esc")
    }
}

@Test(arguments: hostileStrings, CellStyle.allCases)
func hostileTextIsSafeWhereverItIsShown(text: String, style: CellStyle) {
    var list = PlainCars.cars
    list.title = text
    for column in list.columns.indices { list.columns[column].label = text + "\(column)" }
    list.groupings[0].name = text
    list.scopes[0].name = text
    list.columns[4].defaultText = text
    list.cell = CellLayout(
        style: style, title: text + "{make}{owner}", detail: text + "{owner}")
    var talk = ServedApp(
        lists: [list, PlainCars.table],
        options: AppOptions(targetName: text, isASCII: style == .value1), rows: 50)
    for id in talk.server.cars.keys {
        talk.server.cars[id] = [
            .text(text), .malformedText(bytes: Array(text.utf8) + [0xFF], byteCount: 999),
            .cutText(text, byteCount: 5_000), .blob(bytes: [], byteCount: 5), .null,
        ]
    }
    var shown: Screen?
    var terminal = TerminalEmulator(size: .standard)
    let check = { (talk: ServedApp) in
        let screen = talk.app.draw()
        terminal.apply(DiffRenderer().bytes(from: shown, to: screen))
        terminal.expect(screen, text.debugDescription)
        shown = screen
    }
    check(talk)
    let first = shown
    var steps: [[Stroke]] = [["enter"], ["j"]]
    // What lies over the rows is drawn alike whatever their style, but not in ASCII.
    if style == .value1 || style == .subtitle {
        steps += [
            ["/"], ["x"], ["esc"], ["s"], ["esc"], ["'"], ["y"], ["esc"], ["enter"], ["j"],
            ["?"], ["esc", "q", ":", .paste(text)], ["esc", "/", .paste(text)],
            ["esc", "f", .paste("\(text)0 = ")], ["enter", "esc", "esc", "#", "enter"],
            ["/", .paste(text)], ["esc", "esc", "esc", "="], ["\\", "e", .paste(text)],
            ["tab"], ["^U"], ["tab"], ["^S"], ["?"], ["esc"], ["y"], ["d"], ["y"], ["u"],
        ]
    }
    for strokes in steps {
        for stroke in strokes { talk.press(stroke) }
        check(talk)
    }
    talk.send(.disconnected(reason: text))
    check(talk)
    talk.answer(.failure(ValetError(.storageFailed, text)), to: .catalog(countingRows: false))
    check(talk)
    for screen in [first, shown].compactMap(\.self) {
        #expect(!SVGRenderer().svg(screen).unicodeScalars.contains { $0 == "\u{1B}" })
    }
}
