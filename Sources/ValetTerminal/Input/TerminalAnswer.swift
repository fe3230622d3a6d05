/// What a terminal answers when it is asked about itself: the colour of its background,
/// `ESC ] 11 ; rgb:1e1e/1e1e/1e1e` and an end, and whether it can hold a frame back until it is
/// whole, `ESC [ ? 2026 ; 2 $ y`.
///
/// It comes when it comes. On a slow line its beginning may have been taken for keys, since an
/// escape byte after which nothing follows is one; the rest must not be.
struct TerminalAnswer: Sendable {
    enum Kind: CaseIterable, Sendable {
        case background
        case synchronizedOutput

        /// Behind the escape byte.
        var beginning: [UInt8] {
            switch self {
            case .background: Array("]11;rgb:".utf8)
            case .synchronizedOutput: Array("[?2026;".utf8)
            }
        }
    }

    /// Bytes of one answer that are kept.
    static let most = 32
    /// Bytes that a person may have typed, too.
    private static let fewestToBeSure = 3

    /// nil until the first byte behind the escape byte tells.
    private(set) var kind: Kind?
    /// Whether that byte has been given away as a key, as the escape byte has.
    private let isBracketGiven: Bool
    /// How many bytes were held since then.
    private(set) var held = 0

    init(givenTo kind: Kind? = nil) {
        self.kind = kind
        isBracketGiven = kind != nil
    }

    /// True if the byte goes on with the answer.
    mutating func take(_ byte: UInt8) -> Bool {
        kind = kind ?? Kind.allCases.first { $0.beginning.first == byte }
        guard let beginning = kind?.beginning else { return false }
        let place = held + (isBracketGiven ? 1 : 0)
        guard place < beginning.count, byte == beginning[place] else { return false }
        held += 1
        return true
    }

    /// Too short to be told from typing.
    var isDoubtful: Bool { held < Self.fewestToBeSure }
    /// What was held back, and turns out to be typed.
    var typed: ArraySlice<UInt8> {
        kind?.beginning.dropFirst(isBracketGiven ? 1 : 0).prefix(held) ?? []
    }

    /// The kind of answer whose beginning is all here.
    var whole: Kind? {
        kind.flatMap { held + (isBracketGiven ? 1 : 0) == $0.beginning.count ? $0 : nil }
    }

    /// - Parameter bytes: what stands between `ESC` and the end, `]` included.
    static func color(in bytes: [UInt8]) -> Tint? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("]11;rgb") else { return nil }
        // One to four digits each; some terminals say `rgba:`.
        let parts = text.drop { $0 != ":" }.dropFirst().split(
            separator: "/", omittingEmptySubsequences: false)
        let values = parts.prefix(3).compactMap { digits -> UInt8? in
            guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit),
                let value = Int(digits, radix: 16)
            else { return nil }
            return UInt8(clamping: value * 255 / ((1 << (4 * digits.count)) - 1))
        }
        guard parts.count == 3 || parts.count == 4, values.count == 3 else { return nil }
        return Tint(red: values[0], green: values[1], blue: values[2])
    }
}
