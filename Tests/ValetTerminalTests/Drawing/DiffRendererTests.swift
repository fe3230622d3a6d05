import Testing
import ValetModel

@testable import ValetTerminal

/// A list such as the application draws: header, rows with a mark and a bold title on the selected
/// one, a section index at the right edge, a status line.
private func listScreen(first: Int, selected: Int) -> Screen {
    var screen = Screen(size: .standard)
    screen.write(
        " Cars  1,204,117                                   ● live  12 ms", row: 0, column: 0)
    screen.fill("─", row: 2, columns: 0..<77, style: .dim)
    screen.write(" BMW ", row: 2, column: 2, style: .bold)
    let titles = ["⌕", "A", "B", "C", "·", "M", "·", "T", "V"]
    for line in 3..<23 {
        let ordinal = first + line - 3
        let isSelected = ordinal == selected
        screen.write(
            "20\(ordinal % 90 + 10) Škoda Octavia \(ordinal)", row: line, column: 3,
            style: isSelected ? .bold : .plain)
        screen.write("parked 14:\(ordinal % 60)", row: line, column: 55, style: .dim)
        if isSelected {
            screen.write("▌", row: line, column: 0)
            screen.cursor = Position(row: line, column: 3)
            screen.shade(row: line, columns: 0..<78)
        }
        screen.write(titles[line % titles.count], row: line, column: 79)
    }
    screen.write(" \(selected) of 1,204,117   B 17%", row: 23, column: 0)
    return screen
}

@Test func theSameScreenCostsNothing() {
    let screen = listScreen(first: 0, selected: 4)
    #expect(DiffRenderer().bytes(from: screen, to: screen).isEmpty)
}

@Test(arguments: [(0, 8), (8, 9), (9, 99), (98, 100), (99, 9), (100, 998), (108, 1_009)])
func aPlaceIsWrittenInDecimal(row: Int, column: Int) {
    let blank = Screen(size: Size(columns: 1_024, rows: 120))
    var screen = blank
    screen.write("x", row: row, column: column)
    let frame = String(decoding: DiffRenderer().bytes(from: blank, to: screen), as: UTF8.self)
    #expect(frame.contains("\u{1B}[\(row + 1);\(column + 1)Hx"), "\(frame.debugDescription)")
}

@Test(arguments: [0, 1, 2, 3, 4, 5, 17], [nil, shade])
func aCursorMoveCostsAtMost200Bytes(selected: Int, shade: Tint?) {
    let old = listScreen(first: 412_000, selected: 412_000 + selected)
    let new = listScreen(first: 412_000, selected: 412_001 + selected)
    let bytes = DiffRenderer(shade: shade).bytes(from: old, to: new)
    #expect(bytes.count <= 200)
}

@Test(arguments: [-1, 1], [nil, shade])
func aScrollByOneRowCostsAtMost400Bytes(step: Int, shade: Tint?) {
    let old = listScreen(first: 412_000, selected: 412_000 + 9)
    let new = listScreen(first: 412_000 + step, selected: 412_000 + 9 + step)
    let bytes = DiffRenderer(shade: shade).bytes(from: old, to: new)
    #expect(bytes.count <= 400)
}

@Test(arguments: [-19, -7, -1, 1, 2, 12, 40])
func aScrolledListShowsTheSame(step: Int) {
    let old = listScreen(first: 100, selected: 104)
    let new = listScreen(first: 100 + step, selected: 105 + step)
    var terminal = TerminalEmulator(size: .standard)
    terminal.apply(DiffRenderer().bytes(from: nil, to: old))
    terminal.expect(old, "first")
    terminal.apply(DiffRenderer().bytes(from: old, to: new))
    terminal.expect(new, "step \(step)")
}

@Test(arguments: [1, 0, 3, -1], [UInt64(1), 2, 3])
func randomScreensArriveAsTheyAre(error: Int, seed: UInt64) {
    var generator = SeededNumbers(seed: seed)
    let size = Size(columns: .random(in: 1...40, using: &generator), rows: 12)
    var terminal = TerminalEmulator(size: size)
    terminal.error = error
    terminal.shade = seed.isMultiple(of: 2) ? shade : nil
    var shown: Screen?
    for frame in 0..<150 {
        let next = randomScreen(after: shown, size: size, using: &generator)
        let renderer = DiffRenderer(
            hasSynchronizedOutput: Bool.random(using: &generator), shade: terminal.shade)
        terminal.apply(renderer.bytes(from: shown, to: next))
        terminal.expect(next, "seed \(seed) error \(error) frame \(frame) size \(size)")
        shown = next
    }
}

private let shade = Tint(red: 58, green: 58, blue: 58)

/// Some cells changed, or rows moved, or all new.
private func randomScreen(
    after previous: Screen?, size: Size, using generator: inout SeededNumbers
) -> Screen {
    let pool = [
        "a", "b", "c", " ", " ", " ", "é", "─", "漢", "字",
        "👨‍👩‍👧‍👦", "🇩🇪", "❤️", "e\u{301}", "क्षि", "👍🏽",
        // Equal to Unicode, but not to a terminal.
        "\u{AC00}\u{20D0}\u{20D0}", "\u{1100}\u{1161}\u{20D0}\u{20D0}",
    ]
    let styles: [Style] = [
        .plain, .plain, .bold, .dim, .reverse, Style(.red), Style(.green, [.bold, .underline]),
        Style(.standard, .strikethrough), Style(.standard, [.bold, .shaded]),
        Style(.standard, .shaded), Style(tint: Tint(red: 1, green: 2, blue: 3)),
        Style(.standard, .bold, tint: Tint(red: 120, green: 130, blue: 140)),
    ]
    var screen = previous ?? Screen(size: size)
    let changes: Int
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
        screen = Screen(size: size)
        changes = 60
    case 1...3:
        let by = Int.random(in: -3...3, using: &generator)
        let old = screen
        for row in 2..<11 {
            for column in 0..<size.columns {
                let isIn = (2..<11).contains(row + by)
                let source = isIn ? old[row + by, column] : Screen(size: size)[0, 0]
                guard source.width > 0 else { continue }
                screen.write(
                    String(source.character), row: row, column: column, style: source.style)
            }
        }
        changes = 3
    case 4: changes = 1
    default: changes = 12
    }
    for _ in 0..<changes {
        let length = Int.random(in: 1...6, using: &generator)
        let text = (0..<length).map { _ in pool.randomElement(using: &generator) ?? "a" }.joined()
        screen.write(
            text, row: .random(in: 0..<size.rows, using: &generator),
            column: .random(in: 0..<size.columns, using: &generator),
            style: styles.randomElement(using: &generator) ?? .plain)
    }
    screen.cursor =
        Bool.random(using: &generator)
        ? nil
        : Position(
            row: .random(in: 0..<size.rows, using: &generator),
            column: .random(in: 0..<size.columns, using: &generator))
    return screen
}

@Test func synchronizedOutputIsSentOnlyWhenItIsOn() {
    let screen = listScreen(first: 0, selected: 4)
    let mark = Array("\u{1B}[?2026h".utf8)
    #expect(!DiffRenderer().bytes(from: nil, to: screen).starts(with: mark))
    let renderer = DiffRenderer(hasSynchronizedOutput: true)
    #expect(renderer.bytes(from: nil, to: screen).starts(with: mark))
}

@Test func noColourIsSentWhereNoneIsWanted() {
    var screen = Screen(size: .standard)
    screen.write("red", row: 0, column: 0, style: Style(.red, .bold))
    let text = String(
        decoding: DiffRenderer(hasColors: false).bytes(from: nil, to: screen), as: UTF8.self)
    #expect(text.contains("[1mred"))
    #expect(!text.contains("31"))
    let coloured = DiffRenderer().bytes(from: nil, to: screen)
    #expect(String(decoding: coloured, as: UTF8.self).contains("[1;31mred"))
}

@Test(
    arguments: [
        ("truecolor", "xterm", "[38;2;255;255;255m"),
        (nil, "xterm-256color", "[38;5;231m"), (nil, "xterm", nil),
    ] as [(String?, String, String?)])
func aTintIsSentAsTheTerminalTakesIt(colorTerm: String?, term: String, code: String?) {
    var screen = Screen(size: .standard)
    let white = Tint(red: 255, green: 255, blue: 255)
    screen.write("white", row: 0, column: 0, style: Style(tint: white))
    let renderer = DiffRenderer(hasColors: true, term: term, colorTerm: colorTerm)
    let text = String(decoding: renderer.bytes(from: nil, to: screen), as: UTF8.self)
    if let code { #expect(text.contains(code + "white")) } else { #expect(!text.contains("38;")) }
    #expect(SVGRenderer().svg(screen).contains("fill: #ffffff"))
}

@Test func anotherSizeDrawsEverythingAnew() {
    let old = Screen(size: Size(columns: 10, rows: 3))
    var new = Screen(size: Size(columns: 12, rows: 2))
    new.write("hello", row: 1, column: 7)
    var terminal = TerminalEmulator(size: new.size)
    terminal.apply(DiffRenderer().bytes(from: old, to: new))
    terminal.expect(new, "resized")
}
