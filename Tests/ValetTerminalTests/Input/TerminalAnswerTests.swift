import Testing

@testable import ValetTerminal

private let answer = "\u{1B}]11;rgb:1e1e/2020/ffff\u{1B}\\"
private let modeAnswer = "\u{1B}[?2026;2$y"
private let identity = "\u{1B}[?62;4;22c"
private let background = InputEvent.background(Tint(red: 0x1E, green: 0x20, blue: 0xFF))

@Test(arguments: [
    ("]11;rgb:0/8/f", Tint(red: 0, green: 136, blue: 255)),
    ("]11;rgb:00/80/ff", Tint(red: 0, green: 128, blue: 255)),
    ("]11;rgba:0000/8080/ffff/ffff", Tint(red: 0, green: 128, blue: 255)),
])
func aBackgroundIsReadInEveryForm(text: String, color: Tint) {
    #expect(TerminalAnswer.color(in: Array(text.utf8)) == color)
}

@Test(arguments: [
    "", "]", "]11;", "]11;rgb:", "]11;rgb:0/0", "]11;rgb:0/0/0/0/0", "]11;rgb:00000/0/0",
    "]11;rgb:-1/0/0", "]11;rgb:x/y/z", "]11;rgb://", "]10;rgb:0/0/0", "P11;rgb:0/0/0", "]11;?",
    "]11;rgb:0/0/0\u{FF}",
])
func anAnswerWithoutABackgroundIsDropped(text: String) {
    #expect(TerminalAnswer.color(in: Array(text.utf8)) == nil)
    var decoder = InputDecoder()
    decoder.expectAnswers()
    #expect(decoder.decode("\u{1B}\(text.isEmpty ? "]" : text)\u{7}".utf8).isEmpty)
}

/// However late its second half comes, and wherever it is cut.
@Test func aLateAnswerNeverBecomesKeys() {
    let bytes = Array((modeAnswer + answer + identity).utf8)
    for split in 0...bytes.count {
        var decoder = InputDecoder()
        decoder.expectAnswers()
        let first = decoder.decode(bytes[..<split]) + decoder.flush()
        let second = decoder.decode(bytes[split...]) + decoder.flush()
        // What was taken for a key may be one that does no harm.
        let harmless = [InputEvent.key(.escape), .key(.alt("]")), .key(.alt("["))]
        #expect(
            (first + second).filter { !harmless.contains($0) }
                == [.synchronizedOutput, background], "split at \(split)")
        #expect(decoder.decode("j".utf8) == [.key(.character("j"))], "split at \(split)")
        #expect(!decoder.awaitsAnswers)
    }
}

/// What it does not know it leaves out, but it tells what it is, and that is its last answer.
@Test func aTerminalThatKnowsNoColorIsNotWaitedFor() {
    var decoder = InputDecoder()
    decoder.expectAnswers()
    #expect(decoder.decode("\u{1B}[?6".utf8).isEmpty && decoder.awaitsAnswers)
    #expect(decoder.decode("cj".utf8) == [.key(.character("j"))])
    #expect(!decoder.awaitsAnswers)
}

@Test func keysAfterAnEscapeAreKeysWhileAnAnswerIsAwaited() {
    var decoder = InputDecoder()
    decoder.expectAnswers()
    #expect(decoder.decode([0x1B]) + decoder.flush() == [.key(.escape)])
    #expect(decoder.decode("]".utf8).isEmpty && decoder.patienceMilliseconds != nil)
    #expect(decoder.flush() == [.key(.character("]"))])
    for text in ["]1k", "j]", "[?j"] {
        #expect(decoder.decode([0x1B]) + decoder.flush() == [.key(.escape)])
        #expect(decoder.decode(text.utf8) == text.map { .key(.character($0)) })
    }
}

@Test(arguments: ["0$y", "3$y", "4$y", "1y", "1$p", "$y", "1;1$y", "99999999$y"])
func aTerminalThatDoesNotKnowTheModeSaysNothingToUs(rest: String) {
    var decoder = InputDecoder()
    decoder.expectAnswers()
    #expect(decoder.decode("\u{1B}[?2026;\(rest)j".utf8) == [.key(.character("j"))])
}

@Test func anAnswerWithoutAnEndIsBounded() {
    var decoder = InputDecoder()
    decoder.expectAnswers()
    let endless = "\u{1B}]11;rgb:" + String(repeating: "f", count: InputDecoder.bytesPerAnswer)
    #expect(decoder.decode(endless.utf8).allSatisfy { $0 == .key(.character("f")) })
    #expect(decoder.decode("j".utf8) == [.key(.character("j"))])
}
