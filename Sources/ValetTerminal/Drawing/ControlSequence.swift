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
    static let mouseOn = sequence("?1000h") + sequence("?1006h")
    /// Undoes `enter` and `mouseOn` and all that a half-drawn frame may have left behind.
    static let leave =
        endSynchronized + resetScrollRegion + resetStyle + sequence("?1006l")
        + sequence("?1000l") + sequence("?2004l") + sequence("?7h") + sequence("?1049l")
        + showCursor

    static func sequence(_ text: String) -> [UInt8] { introducer + Array(text.utf8) }
}
