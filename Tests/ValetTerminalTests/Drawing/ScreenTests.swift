import Testing
import ValetModel

@testable import ValetTerminal

private func written(
    _ text: String, columns: Int, truncation: Screen.Truncation = .ellipsis, isASCII: Bool = false
) -> String {
    var screen = Screen(size: Size(columns: columns, rows: 1), isASCII: isASCII)
    screen.write(text, row: 0, column: 0, truncation: truncation)
    return screen.text
}

@Test func textThatIsTooLongEndsInAnEllipsis() {
    #expect(written("abcdef", columns: 6) == "abcdef")
    #expect(written("abcdef", columns: 5) == "abcd…")
    #expect(written("abcdef", columns: 5, isASCII: true) == "abcd~")
    #expect(written("abcdef", columns: 5, truncation: .clip) == "abcde")
}

/// Plain text has a way of its own, which must end where a mark belongs to the last letter.
@Test(arguments: 1...300 as ClosedRange<UInt64>)
func textIsCutWhereItsGlyphsEnd(seed: UInt64) {
    var generator = SeededNumbers(seed: seed)
    let plain = ["a", "Z", " ", "7", "~", "b"]
    let pool = plain + ["\u{301}", "e\u{301}", "漢", "👩‍👩‍👧‍👦", "\u{7F}", "é"]
    var text = "["
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
        text += (seed.isMultiple(of: 3) ? pool : plain).randomElement(using: &generator) ?? ""
    }
    if seed.isMultiple(of: 5) { text += "\u{301}x" }
    let columns = Int.random(in: 1...12, using: &generator)
    let widths = { (glyphs: [Glyph]) in glyphs.reduce(0) { $0 + $1.width } }
    let glyphs = Sanitizer().glyphs(of: text)
    let width = widths(glyphs)
    var shown = glyphs
    if width > columns {
        while widths(shown) > columns - 1 { shown.removeLast() }
        shown.append(Glyph(character: "…", width: 1))
    }
    var screen = Screen(size: Size(columns: 20, rows: 1))
    #expect(screen.write(text, row: 0, column: 3, width: columns) == 3 + min(width, columns))
    let cells = screen.row(0).dropFirst(3).filter { $0.width > 0 }.prefix(shown.count)
    #expect(cells.map(\.character) == shown.map(\.character), "seed \(seed)")
    let limited = Sanitizer().width(of: text, limit: columns)
    var passing = glyphs[...]
    while widths(Array(passing.dropLast())) > columns { passing.removeLast() }
    #expect(limited == widths(Array(passing)), "seed \(seed)")
}

@Test func aWideClusterIsNeverCutInHalf() {
    #expect(written("漢字", columns: 4) == "漢字")
    #expect(written("漢字", columns: 3) == "漢…")
    #expect(written("漢字", columns: 3, truncation: .clip) == "漢")
    #expect(written("漢字", columns: 1, truncation: .clip) == "")
}

@Test func writingOverHalfOfAWideClusterBlanksTheOther() {
    var screen = Screen(size: Size(columns: 6, rows: 1))
    screen.write("漢字語", row: 0, column: 0)
    screen.write("x", row: 0, column: 1)
    #expect(screen.text == " x字語")
    screen.write("y", row: 0, column: 2)
    #expect(screen.text == " xy 語")
    screen.write("本", row: 0, column: 3)
    #expect(screen.text == " xy本")
    #expect(screen[0, 5] == ScreenCell(character: " ", width: 1, style: .plain))
}

/// Such as the pane beside a list.
@Test func aScreenIsDrawnOnAnother() {
    // Equal to Unicode, but not to a terminal; and too long for a word.
    let hangul = ["\u{AC00}\u{20D0}\u{20D0}", "\u{1100}\u{1161}\u{20D0}\u{20D0}"]
    var inner = Screen(size: Size(columns: 4, rows: 3))
    inner.write("👩‍👩‍👧‍👦", row: 0, column: 0)
    inner.write("👩‍👩‍👧‍👦", row: 0, column: 2)
    for (row, text) in zip(1..., hangul) { inner.write(text, row: row, column: 1) }
    inner.cursor = Position(row: 1, column: 2)
    var outer = Screen(size: Size(columns: 7, rows: 4))
    outer.write("ab漢字", row: 1, column: 0)
    outer.draw(inner, row: 1, column: 3)
    #expect(outer.text == "\nab 👩‍👩‍👧‍👦👩‍👩‍👧‍👦\n    \(hangul[0])\n    \(hangul[1])")
    #expect(outer.cursor == Position(row: 2, column: 5))
    for (row, text) in zip(2..., hangul) {
        #expect(Array(String(outer[row, 4].character).utf8) == Array(text.utf8))
    }
    outer.draw(inner, row: 1, column: 4)
    #expect(outer.row(1).map(\.width) == [1, 1, 1, 1, 2, 0, 1])
}

@Test func aTextOutsideTheScreenIsLeftOut() {
    var screen = Screen(size: Size(columns: 4, rows: 2))
    screen.write("abc", row: 2, column: 0)
    screen.write("abc", row: -1, column: 0)
    screen.write("abc", row: 0, column: 4)
    screen.write("abc", row: 0, column: -2)
    screen.write("abc", row: 0, column: 0, width: 0)
    screen.fill("─", row: 5, columns: 0..<4)
    #expect(screen.text == "\n")
    screen.fill("─", row: 1, columns: 2..<99)
    #expect(screen.text == "\n  ──")
}

@Test func writeAnswersTheNextColumn() {
    var screen = Screen(size: Size(columns: 10, rows: 1))
    #expect(screen.write("漢a", row: 0, column: 1) == 4)
    #expect(screen.write("long text", row: 0, column: 4, width: 3) == 7)
    #expect(screen.text == " 漢alo…")
}

@Test func sizesFromOutsideAreBounded() {
    #expect(Size(columns: 0, rows: -4) == Size(columns: 1, rows: 1))
    #expect(Size(columns: 65_535, rows: 65_535).columns == Size.largest)
}

@Test func aPictureEscapesItsTextAndKnowsLightAndDark() {
    var screen = Screen(size: Size(columns: 20, rows: 2))
    screen.write("<b>&\u{1B}[m", row: 0, column: 0, style: Style(.red, .bold))
    screen.write("漢x", row: 1, column: 0, style: .reverse)
    screen.cursor = Position(row: 1, column: 2)
    let svg = SVGRenderer().svg(screen)
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains(#"class="f1 bold""#) && svg.contains("&lt;b&gt;&amp;"))
    // Only browsers know variables.
    #expect(!svg.contains("var("))
    #expect(svg.contains("prefers-color-scheme: dark") && svg.contains(#"class="cursor""#))
    #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
}
