import ValetModel

/// Bytes from a terminal in, events out. No clock: an escape byte may be the Escape key or the
/// beginning of a sequence, and when nothing follows for a while the caller says so with `flush()`.
///
/// Bytes may be split anywhere. Unknown sequences, such as answers of the terminal, are dropped,
/// and the bytes that a broken one can drop with it are bounded.
package struct InputDecoder: Sendable {
    /// Bytes that a paste may have.
    package static let bytesPerPaste = 1 << 20
    /// Bytes of one sequence that are kept. The longest that we know have about twelve.
    static let bytesPerSequence = 32
    /// Bytes that an answer of the terminal (OSC, DCS, …) may have before it is taken for typing.
    static let bytesPerAnswer = 4 << 10

    private var phase = Phase.ground
    private var events: [InputEvent] = []
    /// Bytes of the scalar, sequence or paste that has begun.
    private var pending: [UInt8] = []
    /// How much of the end mark of a paste has just been seen.
    private var endMarkCount = 0
    private var answerCount = 0
    /// The terminal was asked about itself, and has not told what it is, its last answer.
    package private(set) var awaitsAnswers = false
    /// Set when a beginning of an answer may just have been given away as a key.
    private var late: TerminalAnswer?

    private enum Phase {
        case ground
        /// Inside a scalar of this many bytes.
        case scalar(length: Int)
        case escape
        /// Behind `ESC [`.
        case sequence
        /// Behind `ESC O`.
        case single
        /// Behind `ESC [ M`, the old form of the mouse: three bytes that say nothing to us.
        case oldMouse
        /// Behind `ESC ]`, `ESC P` and the like, up to BEL or `ESC \`.
        case answer
        case answerEscape
        case paste
        /// Behind what may be the beginning of a late answer.
        case late(TerminalAnswer)
    }

    package init() {}

    /// Call it when the terminal is asked about itself.
    package mutating func expectAnswers() { awaitsAnswers = true }

    /// How long what has begun waits for the next byte, and then for `flush()`; nil if nothing
    /// does.
    package var patienceMilliseconds: Int? {
        switch phase {
        case .escape, .single: Self.escapeMilliseconds
        case .sequence: pending.isEmpty ? Self.escapeMilliseconds : nil
        case .answer: answerCount == 0 ? Self.escapeMilliseconds : nil
        case .late(let answer): answer.isDoubtful ? Self.escapeMilliseconds : nil
        case .paste: Self.pasteMilliseconds
        case .ground, .scalar, .oldMouse, .answerEscape: nil
        }
    }

    private static let escapeMilliseconds = 50
    /// The end mark of a paste can be lost. What comes too late is taken for keys, so this is
    /// longer than a line stands still.
    private static let pasteMilliseconds = 3_000

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        for byte in bytes { take(byte) }
        return takeEvents()
    }

    /// Call it when nothing followed in time: an escape byte was the Escape key, and a paste ends.
    package mutating func flush() -> [InputEvent] {
        guard patienceMilliseconds != nil else { return [] }
        var late: TerminalAnswer?
        switch phase {
        case .escape:
            emit(.escape)
            late = TerminalAnswer()
        case .single: emit(.alt("O"))
        case .sequence:
            emit(.alt("["))
            late = TerminalAnswer(givenTo: .report)
        case .answer:
            emit(.alt(Character(Unicode.Scalar(pending.first ?? 0x5D))))
            late = TerminalAnswer(givenTo: .background)
        case .late(let answer):
            for byte in answer.typed { emit(.character(Character(Unicode.Scalar(byte)))) }
        case .paste: endPaste()
        case .ground, .scalar, .oldMouse, .answerEscape: break
        }
        toGround()
        self.late = awaitsAnswers ? late : nil
        return takeEvents()
    }

    // MARK: Byte by byte

    private mutating func take(_ byte: UInt8) {
        switch phase {
        case .ground:
            if let late {
                self.late = nil
                takeLate(byte, late)
            } else {
                takeGround(byte)
            }
        case .late(let answer): takeLate(byte, answer)
        case .scalar(let length): takeScalar(byte, length: length)
        case .escape: takeEscape(byte)
        case .sequence: takeSequence(byte)
        case .single: takeSingle(byte)
        case .oldMouse:
            pending.append(byte)
            if pending.count == 3 { toGround() }
        case .answer, .answerEscape: takeAnswer(byte)
        case .paste: takePaste(byte)
        }
    }

    private mutating func takeLate(_ byte: UInt8, _ answer: TerminalAnswer) {
        var answer = answer
        if answer.take(byte) {
            phase = .late(answer)
            guard let kind = answer.whole else { return }
            switch kind {
            case .background: (pending, answerCount, phase) = (answer.bytes, 1, .answer)
            case .report: (pending, phase) = (Array(answer.bytes.dropFirst()), .sequence)
            }
            return
        }
        toGround()
        for byte in answer.typed { takeGround(byte) }
        take(byte)
    }

    private mutating func takeGround(_ byte: UInt8) {
        switch byte {
        case 0x1B: phase = .escape
        case 0x0D: emit(.enter)
        case 0x09: emit(.tab)
        case 0x7F, 0x08: emit(.backspace)
        case 0x00: emit(.control("@"))
        case 0x01...0x1A: emit(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x1C...0x1F: emit(.control(Character(Unicode.Scalar(byte + 0x40))))
        case 0x20..<0x7F: emit(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: beginScalar(byte, length: 2)
        case 0xE0...0xEF: beginScalar(byte, length: 3)
        case 0xF0...0xF4: beginScalar(byte, length: 4)
        default: emit(.character("\u{FFFD}"))
        }
    }

    private mutating func beginScalar(_ byte: UInt8, length: Int) {
        pending = [byte]
        phase = .scalar(length: length)
    }

    private mutating func takeScalar(_ byte: UInt8, length: Int) {
        guard byte & 0xC0 == 0x80 else {
            emit(.character("\u{FFFD}"))
            toGround()
            return take(byte)
        }
        pending.append(byte)
        guard pending.count == length else { return }
        // Surrogates and overlong forms have the right shape and come out as several U+FFFD.
        let text = String(decoding: pending, as: UTF8.self)
        emit(.character(text.unicodeScalars.count == 1 ? Character(text) : "\u{FFFD}"))
        toGround()
    }

    private mutating func takeEscape(_ byte: UInt8) {
        switch byte {
        case 0x1B: emit(.escape)
        case UInt8(ascii: "["): phase = .sequence
        case UInt8(ascii: "O"): phase = .single
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
            UInt8(ascii: "X"):
            pending = [byte]
            answerCount = 0
            phase = .answer
        case 0x20..<0x7F:
            emit(.alt(Character(Unicode.Scalar(byte))))
            toGround()
        default:
            emit(.escape)
            toGround()
            take(byte)
        }
    }

    private mutating func takeSingle(_ byte: UInt8) {
        if byte == 0x1B {
            emit(.alt("O"))
            toGround()
            return take(byte)
        }
        if let key = KeySequence.key(final: byte, modifiers: 1) { emit(key) }
        toGround()
    }

    private mutating func takeSequence(_ byte: UInt8) {
        switch byte {
        // The Linux console's function keys are `ESC [ [ A` and so on.
        case UInt8(ascii: "[") where pending.isEmpty: keep(byte)
        case 0x40...0x7E:
            let parameters = pending
            toGround()
            endSequence(parameters, final: byte)
        case 0x20..<0x40: keep(byte)
        default:
            // No sequence contains this: it was cut off, and what comes counts.
            toGround()
            take(byte)
        }
    }

    /// Too many are swallowed all the same, so that their tail isn't taken for typing.
    private mutating func keep(_ byte: UInt8) {
        if pending.count <= InputDecoder.bytesPerSequence { pending.append(byte) }
    }

    private mutating func endSequence(_ parameters: [UInt8], final: UInt8) {
        guard parameters.count <= InputDecoder.bytesPerSequence else { return }
        switch KeySequence.meaning(parameters: parameters, final: final) {
        case .event(let event): events.append(event)
        case .beginPaste: phase = .paste
        case .oldMouse: phase = .oldMouse
        case .identity: awaitsAnswers = false
        case .unknown: break
        }
    }

    private mutating func takeAnswer(_ byte: UInt8) {
        answerCount += 1
        if case .answerEscape = phase, byte != UInt8(ascii: "\\") {
            // Escape without a backslash: the answer was cut off and something new begins.
            toGround()
            return takeEscape(byte)
        }
        switch byte {
        case 0x07: endAnswer()
        case UInt8(ascii: "\\") where isAnswerEscape: endAnswer()
        case 0x1B: phase = .answerEscape
        // ^C, ^X and ^Z are keys of a person whose terminal has left an answer open.
        case 0x03, 0x18, 0x1A:
            toGround()
            take(byte)
        default:
            if pending.count <= TerminalAnswer.most { pending.append(byte) }
            if answerCount >= InputDecoder.bytesPerAnswer { toGround() }
        }
    }

    private mutating func endAnswer() {
        if awaitsAnswers, let color = TerminalAnswer.color(in: pending) {
            events.append(.background(color))
        }
        toGround()
    }

    private var isAnswerEscape: Bool { if case .answerEscape = phase { true } else { false } }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func takePaste(_ byte: UInt8) {
        if byte == InputDecoder.pasteEnd[endMarkCount] {
            endMarkCount += 1
            guard endMarkCount == InputDecoder.pasteEnd.count else { return }
            endPaste()
            return toGround()
        }
        // A person whose terminal has left a paste open. Terminals leave it out of what they paste.
        if byte == 0x03 {
            toGround()
            return take(byte)
        }
        // The mark begins with its only escape byte, so what was seen of it can't begin another.
        let seen = InputDecoder.pasteEnd.prefix(endMarkCount)
        endMarkCount = 0
        for kept in seen where pending.count <= InputDecoder.bytesPerPaste { pending.append(kept) }
        if byte == 0x1B {
            endMarkCount = 1
        } else if pending.count <= InputDecoder.bytesPerPaste {
            pending.append(byte)
        }
    }

    /// What is longer is not typed either: its end would be taken for keys.
    private mutating func endPaste() {
        let fits = pending.count <= InputDecoder.bytesPerPaste
        events.append(fits ? .paste(String(decoding: pending, as: UTF8.self)) : .pasteTooLong)
    }

    // MARK: Events

    private mutating func emit(_ key: Key) { events.append(.key(key)) }

    private mutating func toGround() {
        phase = .ground
        pending.removeAll(keepingCapacity: true)
        endMarkCount = 0
        answerCount = 0
    }

    private mutating func takeEvents() -> [InputEvent] {
        defer { events.removeAll() }
        return events
    }
}
