import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

private let keyNames = [
    "j", "k", "pgdn", "pgup", "^D", "^U", "g", "G", "]", "[", "'", "i", "1", "2", "3", "<", ">",
    "s",
    "S", "/", "tab", "enter", "esc", "q", "b", "a", "backspace", ":", "5", "%", "?", "J", "K",
    "e", "+", "d", "x", "E", "z", "L", "d", "u", "U", "m", "m", "tab", "space", "^S", "y",
    "shift-right", "shift-left", "up", "down", "left", "right", "home", "end", "y", "r", "^C", "l",
    "space", "space", "X", "*", "Y", "0", "h", ".", "f", "=", "!", "\\", "F", "#", "v", "c",
]

/// A person who knows no restraint, a slow line, a list that changes, and a window that is dragged
/// about. Whatever happens, the terminal shows the screen, and at rest the screen shows the truth.
@Test(
    arguments: [UInt64(1), 2, 3, 4, 5, 6],
    [PlainCars.cars, PlainCars.byHand, PlainCars.tall, PlainCars.grouped])
func whateverHappensTheScreenIsRightAtRest(seed: UInt64, first: ListDescription) throws {
    var generator = SeededNumbers(seed: seed)
    var talk = ServedApp(lists: [first, PlainCars.table])
    if first == PlainCars.tall {
        for rowID in talk.server.cars.keys { talk.server.cars[rowID]?[5] = .integer(rowID % 12) }
    }
    talk.press("enter")
    var shown: Screen?
    var terminal = TerminalEmulator(size: talk.app.size)
    for step in 0..<250 {
        talk.isHeldUp = Int.random(in: 0..<3, using: &generator) > 0
        talk.server.hasSlowPages = Bool.random(using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let size = Size(
                columns: .random(in: 1...100, using: &generator),
                rows: .random(in: 1...30, using: &generator))
            talk.send(.resized(size))
            terminal = TerminalEmulator(size: size)
            shown = nil
        case 1:
            talk.send(
                .mouse(
                    MouseEvent(
                        [.wheelUp, .wheelDown, .press(.left), .drag].randomElement(
                            using: &generator)
                            ?? .drag, row: .random(in: 0..<30, using: &generator),
                        column: .random(in: 0..<100, using: &generator))))
        case 2:
            talk.waiting = []
            talk.send(.disconnected(reason: "test"))
            talk.send(.connected)
        case 3:
            let rowID = Int64.random(in: 1...1_000, using: &generator)
            talk.server.cars[rowID] = nil
        case 4 where talk.waiting.isEmpty: talk.others(.delete(talk.rowID))
        case 5 where talk.waiting.isEmpty:
            talk.others(.set(talk.rowID, 0, .text(["Audi", "Volvo"][step % 2])))
        default: talk.press(keyNames.randomElement(using: &generator) ?? "j")
        }
        if !talk.isHeldUp { talk.deliver() }
        let screen = talk.app.draw()
        terminal.apply(DiffRenderer().bytes(from: shown, to: screen))
        terminal.expect(screen, "seed \(seed) step \(step)")
        shown = screen
    }
    talk.isHeldUp = false
    talk.deliver()
    try expectTruth(&talk, seed: seed)
}

private func expectTruth(_ talk: inout ServedApp, seed: UInt64) throws {
    talk.send(.resized(.standard))
    // Out of whatever was open, and asked anew, since rows have gone without a word.
    for _ in 0..<4 { talk.press("esc", "y") }
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
}

@Test(arguments: hostileStrings)
func hostileTextIsSafeWhereverItIsShown(text: String) {
    var list = PlainCars.cars
    list.title = text
    for column in list.columns.indices { list.columns[column].label = text + "\(column)" }
    list.groupings[0].name = text
    list.scopes[0].name = text
    list.columns[4].defaultText = text
    for style in CellStyle.allCases {
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
            #expect(!SVGRenderer().svg(screen).unicodeScalars.contains { $0 == "\u{1B}" })
            shown = screen
        }
        check(talk)
        for key in ["enter", "j", "/", "x", "esc", "s", "esc", "'", "y", "esc", "enter", "j", "?"] {
            talk.press(key)
            check(talk)
        }
        talk.press("esc", "q", ":")
        talk.send(.paste(text))
        check(talk)
        talk.press("esc", "/")
        talk.send(.paste(text))
        check(talk)
        talk.press("esc", "f")
        talk.send(.paste("\(text)0 = "))
        check(talk)
        talk.press("enter", "esc", "esc", "#", "enter")
        check(talk)
        talk.press("/")
        talk.send(.paste(text))
        check(talk)
        talk.press("esc", "esc", "esc", "=")
        check(talk)
        talk.press("\\", "e")
        talk.send(.paste(text))
        for key in ["tab", "^U", "tab", "^S", "?", "esc", "y", "d", "y", "u"] {
            talk.press(key)
            check(talk)
        }
        talk.send(.disconnected(reason: text))
        check(talk)
        talk.answer(
            .failure(ValetError(.storageFailed, text)), to: .catalog(countingRows: false))
        check(talk)
    }
}

@Test(arguments: ["j", "k", "pgdn"])
func theBudgetHoldsForTheRealList(key: String) {
    var talk = ServedApp()
    talk.press("pgdn", "pgdn", "pgdn")
    if key == "k" { talk.press("G", "k", "k") }
    for step in 0..<60 {
        let before = talk.app.draw()
        let cursor = talk.app.list?.cursor
        talk.press(key)
        let bytes = DiffRenderer().bytes(from: before, to: talk.app.draw())
        guard key != "pgdn" else { continue }
        let isScroll = talk.app.list?.cursor.line == cursor?.line
        #expect(bytes.count <= (isScroll ? 400 : 200), "step \(step)")
    }
}
