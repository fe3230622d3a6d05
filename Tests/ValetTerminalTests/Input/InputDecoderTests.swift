import Testing
import ValetModel

@testable import ValetTerminal

private let known: [(String, [InputEvent])] = [
    ("a", [.key(.character("a"))]), ("é漢😀", ["é", "漢", "😀"].map { .key(.character($0)) }),
    ("\r\t\u{7F}\u{8}", [.key(.enter), .key(.tab), .key(.backspace), .key(.backspace)]),
    ("\u{E}\u{10}\u{3}\u{1A}", ["n", "p", "c", "z"].map { .key(.control($0)) }),
    ("\n\u{0}\u{1F}", ["j", "@", "_"].map { .key(.control($0)) }),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    ("\u{1B}[1;2C\u{1B}[1;2D\u{1B}[d", [.key(.shiftRight), .key(.shiftLeft), .key(.shiftLeft)]),
    ("\u{1B}[1;2A\u{1B}[1;2B\u{1B}[1;5A", [.key(.shiftUp), .key(.shiftDown), .key(.up)]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.key(.home), .key(.end), .key(.home), .key(.end)]),
    ("\u{1B}[7~\u{1B}[8~\u{1B}OH\u{1B}OF", [.key(.home), .key(.end), .key(.home), .key(.end)]),
    (
        "\u{1B}[5~\u{1B}[6~\u{1B}[2~\u{1B}[3~",
        [.key(.pageUp), .key(.pageDown), .key(.insert), .key(.delete)]
    ),
    ("\u{1B}OP\u{1B}[15~\u{1B}[24~\u{1B}[[A", [1, 5, 12, 1].map { .key(.function($0)) }),
    ("\u{1B}[Z\u{1B}x", [.key(.backTab), .key(.alt("x"))]),
    (
        "\u{1B}[<0;10;3M\u{1B}[<0;10;3m",
        [
            .mouse(MouseEvent(.press(.left), row: 2, column: 9)),
            .mouse(MouseEvent(.release, row: 2, column: 9)),
        ]
    ),
    (
        "\u{1B}[<64;1;1M\u{1B}[<65;80;24M",
        [
            .mouse(MouseEvent(.wheelUp, row: 0, column: 0)),
            .mouse(MouseEvent(.wheelDown, row: 23, column: 79)),
        ]
    ),
    (
        "\u{1B}[200~two\nlines \u{1B}[2J\u{1B}\u{1B}[201~q",
        [.paste("two\nlines \u{1B}[2J\u{1B}"), .key(.character("q"))]
    ),
    // Answers of a terminal, unknown keys, and sequences that are no such thing.
    (
        "\u{1B}]11;rgb:0/0/0\u{7}\u{1B}P1+r\u{1B}\\\u{1B}[?62;4c\u{1B}[3;4R\u{1B}[99~a",
        [.key(.character("a"))]
    ),
    (
        "\u{1B}[M !!b\u{1B}[<0;0;3M\u{1B}[<0;9999999;3M\u{1B}[<:;1;1Mc",
        ["b", "c"].map { .key(.character($0)) }
    ),
    ("\u{1B}[12\u{1B}[A\u{1B}]x\u{1B}[B", [.key(.up), .key(.down)]),
]

@Test(arguments: known)
func keysAreReadAtEverySplit(text: String, expected: [InputEvent]) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
        var decoder = InputDecoder()
        let events = decoder.decode(bytes[..<split]) + decoder.decode(bytes[split...])
        #expect(events == expected, "split at \(split)")
    }
    var decoder = InputDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == expected, "byte by byte")
    #expect(decoder.flush().isEmpty)
}

@Test(
    arguments: [
        ("\u{1B}", [.key(.escape)]), ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]),
        ("\u{1B}[", [.key(.alt("["))]), ("\u{1B}O", [.key(.alt("O"))]),
        ("\u{1B}]", [.key(.alt("]"))]),
        ("\u{1B}P", [.key(.alt("P"))]), ("a", [.key(.character("a"))]),
        ("\u{1B}[200~abc", [.paste("abc")]),
    ] as [(String, [InputEvent])])
func aWaitingByteIsAKeyWhenNothingFollows(text: String, expected: [InputEvent]) {
    var decoder = InputDecoder()
    #expect(decoder.decode(text.utf8) + decoder.flush() == expected)
    #expect(decoder.patienceMilliseconds == nil)
}

@Test(
    arguments: [
        [0xFF], [0x80], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80],
    ] as [[UInt8]])
func malformedBytesAreReplacedAndTheNextKeyCounts(bytes: [UInt8]) {
    var decoder = InputDecoder()
    let events = decoder.decode(bytes + [UInt8(ascii: "k")])
    #expect(events.last == .key(.character("k")))
    #expect(events.first == .key(.character("\u{FFFD}")))
}

@Test func aPasteIsTakenWholeOrNotAtAll() {
    var decoder = InputDecoder()
    let most = String(repeating: "漢x", count: InputDecoder.bytesPerPaste / 4)
    #expect(decoder.decode("\u{1B}[200~\(most)\u{1B}[201~".utf8) == [.paste(most)])
    #expect(
        decoder.decode("\u{1B}[200~\(most)x\r\u{1B}[201~j".utf8)
            == [.pasteTooLong, .key(.character("j"))])
}

/// The terminal, or a line in between, has lost the end of it.
@Test func aPasteWithoutAnEndEndsInSilence() {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}[200~ab\u{1B}".utf8).isEmpty)
    #expect(decoder.patienceMilliseconds ?? 0 >= 1_000, "a line may stand still for a moment")
    #expect(decoder.flush() == [.paste("ab")])
    #expect(decoder.patienceMilliseconds == nil)
    #expect(decoder.decode("j".utf8) == [.key(.character("j"))])
}

@Test func controlCEndsAPasteWithoutAnEnd() {
    var decoder = InputDecoder()
    #expect(
        decoder.decode("\u{1B}[200~dd\u{3}q".utf8) == [.key(.control("c")), .key(.character("q"))])
}

@Test func aSequenceWithoutEndTakesNoMemoryAndEndsAtTheFirstLetter() {
    var decoder = InputDecoder()
    let flood = String(repeating: "1;", count: 100_000)
    #expect(decoder.decode("\u{1B}[\(flood)Aq".utf8) == [.key(.character("q"))])
}

@Test func anAnswerWithoutEndGivesTheKeyboardBack() {
    var decoder = InputDecoder()
    _ = decoder.decode(
        "\u{1B}]52;\(String(repeating: "A", count: InputDecoder.bytesPerAnswer))".utf8)
    #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
    #expect(decoder.decode("\u{1B}]52;abc\u{3}".utf8) == [.key(.control("c"))])
}

@Test(arguments: [UInt64(11), 12, 13, 14])
func randomBytesNeverTrapAndEscapeAlwaysEnds(seed: UInt64) {
    var generator = SeededNumbers(seed: seed)
    var decoder = InputDecoder()
    let alphabet = Array("\u{1B}[]OP<>;0123456789~AmMR\\\u{7}q é".utf8) + [0xFF, 0x00]
    for _ in 0..<20_000 {
        let byte = alphabet.randomElement(using: &generator) ?? 0
        _ = decoder.decode([byte])
        if Int.random(in: 0..<50, using: &generator) == 0 { _ = decoder.flush() }
    }
    _ = decoder.decode("\u{1B}[201~\u{7}".utf8)
    _ = decoder.flush()
    #expect(decoder.decode("\u{1B}[A".utf8).last == .key(.up), "seed \(seed)")
}

/// Many terminals say nothing: those keep nobody waiting at the end.
@Test(arguments: [(0, 100), (900, 100), (950, 50), (1_000, 0), (90_000, 0)])
func anAnswerIsWaitedForWhileItMayStillCome(since: Int, patience: Int) {
    #expect(TerminalAnswer.patienceMilliseconds(since: since) == patience)
}
