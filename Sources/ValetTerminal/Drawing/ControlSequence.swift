/// The escape sequences that we send: all of them stand here, and nothing else sends any.
enum ControlSequence {
    static let escape: UInt8 = 0x1B
    static let introducer: [UInt8] = [0x1B, UInt8(ascii: "[")]

    static let hideCursor = sequence("?25l")
    static let showCursor = sequence("?25h")
    static let beginSynchronized = sequence("?2026h")
    static let endSynchronized = sequence("?2026l")
    static let clearScreen = sequence("2J")
    static let clearToEndOfLine = sequence("K")
    static let resetStyle = sequence("m")
    static let resetScrollRegion = sequence("r")

    /// Alternate screen, no automatic wrap (a cluster that the terminal takes for wider than we do
    /// must not push the next line), bracketed paste.
    static let enter = sequence("?1049h") + sequence("?7l") + sequence("?2004h")
    /// Button presses and the wheel, reported in SGR form.
    static let mouseOn = sequence("?1002h") + sequence("?1006h")
    static let mouseOff = sequence("?1006l") + sequence("?1002l")
    /// Asks whether frames can be held back until they are whole (DECRQM), for the colour behind
    /// the text (OSC 11), and what the terminal is (DA1). Every terminal answers that, and in
    /// order: so whoever has answered has told what it knows.
    static let askAboutItself =
        sequence("?2026$p") + [escape] + Array("]11;?".utf8) + [escape, UInt8(ascii: "\\")]
        + sequence("c")
    /// Undoes `enter` and `mouseOn` and all that a half-drawn frame may have left behind.
    static let leave =
        endSynchronized + resetScrollRegion + resetStyle + mouseOff + sequence("?2004l")
        + sequence("?7h") + sequence("?1049l") + showCursor

    /// OSC 52: `text` for the clipboard, in base 64, so that nothing of it is read as a sequence.
    static func copy(_ text: String) -> [UInt8] {
        [escape] + Array("]52;c;".utf8) + base64(Array(text.utf8)) + [escape, UInt8(ascii: "\\")]
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var encoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                encoded.append(
                    isPadding ? UInt8(ascii: "=") : digits[word >> (18 - 6 * place) & 63])
            }
        }
        return encoded
    }

    static func sequence(_ text: String) -> [UInt8] { introducer + Array(text.utf8) }

    /// Appends a sequence of numbers, none below zero, to a frame. A frame is full of them: a
    /// `String` for each would take longer than the rest.
    static func append(_ numbers: [Int], final: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes += introducer
        for (place, number) in numbers.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ";")) }
            append(digitsOf: number, to: &bytes)
        }
        bytes.append(UInt8(ascii: final))
    }

    private static func append(digitsOf number: Int, to bytes: inout [UInt8]) {
        if number >= 10 { append(digitsOf: number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
