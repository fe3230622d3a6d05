import Testing
import ValetModel

@testable import ValetTerminal

/// Strings that try to leave their cell. Used wherever text is shown.
let hostileStrings = [
    "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}", "\u{9B}31mred", "\u{90}q\u{9C}",
    "a\r\nb\tc\u{8}\u{8}",
    "\u{7F}\u{0}\u{1}\u{1F}", "\u{202E}gnirts\u{202C}", "\u{2066}x\u{2069}\u{200F}\u{61C}",
    "a" + String(repeating: "\u{301}", count: 500), String(repeating: "\u{200B}", count: 300),
    "\u{301}starts with a mark", "a" + String(repeating: "\u{200D}", count: 90) + "b",
    "\u{FEFF}bom", "\u{2028}\u{2029}", "\u{FFFE}\u{FFFF}\u{10FFFF}", "\u{E0001}\u{E0041}",
    "👨" + String(repeating: "\u{200D}👨", count: 60), "\u{AD}soft", "\u{115F}\u{1160}\u{3164}",
    String(decoding: [0x41, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80] as [UInt8], as: UTF8.self),
    "🇩" + "🇩🇪🇫", "x🇩", "\u{600}1", "|\u{FE0F}\u{20E3}",
]

@Test(arguments: hostileStrings, [false, true])
func hostileTextBecomesVisibleMarks(text: String, isASCII: Bool) {
    for glyph in Sanitizer(isASCII: isASCII).glyphs(of: text) {
        #expect((1...2).contains(glyph.width))
        #expect(CharacterWidth.width(of: glyph.character) == glyph.width)
        let scalars = glyph.character.unicodeScalars
        #expect(scalars.count <= Sanitizer.scalarsPerCluster + 1)
        for scalar in scalars {
            #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
            #expect(!(0x202A...0x202E).contains(scalar.value))
            #expect(!(0x2066...0x2069).contains(scalar.value))
            #expect(scalar.value != 0xFEFF && scalar.value & 0xFFFE != 0xFFFE)
        }
    }
}

@Test(arguments: hostileStrings)
func nothingOfHostileTextReachesTheTerminal(text: String) {
    var screen = Screen(size: Size(columns: 30, rows: 3))
    screen.write(text, row: 0, column: 0)
    screen.write(text, row: 1, column: 27, style: .bold)
    var terminal = TerminalEmulator(size: screen.size)
    // The emulator records an issue for every sequence that isn't the renderer's.
    terminal.apply(DiffRenderer().bytes(from: nil, to: screen))
    terminal.expect(screen, text.debugDescription)
}

@Test(arguments: [
    ("a\u{1B}[1mb", "a␛[1mb", "a?[1mb"), ("x\r\ny", "x␍␊y", "x??y"),
    ("\u{7F}\u{85}", "␡\u{FFFD}", "??"),
    ("\u{202E}abc", "·abc", "?abc"), ("\u{FFFD}", "\u{FFFD}", "?"),
    ("plain ë", "plain ë", "plain ë"),
    ("\u{301}x", "\u{25CC}\u{301}x", "?x"),
    // What is invisible and joins nothing.
    ("a\u{200D}b", "a·b", "a?b"), ("a\u{200C}b", "a·b", "a?b"), ("é\u{200D}", "é·", "é?"),
    ("a\u{FE0F}", "a·", "a?"), ("1\u{FE0F}", "1·", "1?"), ("漢\u{200D}", "漢·", "漢?"),
    ("👨\u{200D}", "👨·", "👨?"), ("👨\u{200D}a", "👨·a", "👨?a"), ("a\u{34F}b", "a·b", "a?b"),
    ("x\u{E0061}", "x·", "x?"), ("x\u{E0101}", "x·", "x?"),
])
func marksAreReadable(text: String, marked: String, ascii: String) {
    #expect(String(Sanitizer().glyphs(of: text).map(\.character)) == marked)
    #expect(String(Sanitizer(isASCII: true).glyphs(of: text).map(\.character)) == ascii)
}

@Test func aFloodOfMarksIsCutAndSaysSo() {
    let text = "a" + String(repeating: "\u{301}", count: 500) + "b"
    let glyphs = Sanitizer().glyphs(of: text)
    #expect(glyphs.map(\.width) == [1, 1, 1])
    #expect(glyphs[0].character == "a\u{301}\u{301}\u{301}\u{301}")
    #expect(glyphs[1].character == "·")
}

@Test(arguments: [
    "ی\u{200C}", "ന്\u{200D}", "1\u{FE0F}\u{20E3}", "❤\u{FE0F}", "葛\u{E0100}", "🏳️‍🌈", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "👩🏻‍❤️‍💋‍👨🏿", "ệ", "שָּׁ", "한", "क्षि", "🇩🇪", "நி",
])
func wholeClustersStayWhole(text: String) {
    let glyphs = Sanitizer().glyphs(of: text)
    #expect(glyphs.map(\.character) == [Character(text)])
}

/// Lines take plain text in one piece, and what is around the rest of it glyph by glyph.
@Test(arguments: 1...200 as ClosedRange<UInt64>)
func aLineHasTheGlyphsOfItsText(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let parts =
        hostileStrings + [
            "a", "bc", " ", "plain text", "é", "e\u{301}", "\u{600}", "\u{600}ab", "\u{200D}",
            "\r", "\n", "\r\n", "\u{FE0F}", "漢字", "👩🏽‍🚀", "🇩🇪", "1", "~", "\u{7F}",
        ]
    let text = (0..<numbers.below(12)).map { _ in parts[numbers.below(parts.count)] }.joined()
    for sanitizer in [Sanitizer(), Sanitizer(isASCII: true)] {
        let glyphs = String(sanitizer.glyphs(of: text).map(\.character))
        #expect(sanitizer.line(of: text) == glyphs, "seed \(seed): \(text.debugDescription)")
        #expect(
            Array(sanitizer.line(of: text.dropFirst()).utf8)
                == Array(String(sanitizer.glyphs(of: text.dropFirst()).map(\.character)).utf8),
            "seed \(seed): \(text.debugDescription)")
    }
}

/// Only a terminal must not be sent what can't be seen; to a program it belongs to the data.
@Test func aLineForAProgramKeepsWhatCanNotBeSeen() {
    let text = "a\u{AD}b\u{200B}c\td\u{7F}\r\n\u{202E}e\u{9B}"
    #expect(
        Sanitizer().line(of: text, isForTerminal: false)
            == "a\u{AD}b\u{200B}c␉d␡␍␊\u{202E}e\u{FFFD}")
    #expect(Sanitizer().line(of: text, isForTerminal: true) == "a·b·c␉d␡␍␊·e\u{FFFD}")
    let plain = "Škoda 漢\u{AD}"
    #expect(Sanitizer().line(of: plain, isForTerminal: false) == plain)
}
