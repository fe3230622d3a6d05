/// A terminal's answer to what its background is: `ESC ] 11 ; rgb:1e1e/1e1e/1e1e` and an end.
///
/// It comes when it comes. On a slow line its beginning may have been taken for keys, since an
/// escape byte after which nothing follows is one; the rest must not be.
struct BackgroundAnswer: Sendable {
    static let beginning = Array("\u{1B}]11;rgb:".utf8)
    /// Bytes of one answer that are kept.
    static let most = 32
    /// Bytes that a person may have typed, too.
    private static let fewestToBeSure = 3

    /// How many bytes of the beginning have been given away as a key: the escape byte, and perhaps
    /// the bracket.
    private var given: Int
    /// How many were held since then.
    private(set) var held = 0

    init(given: Int) {
        self.given = given
    }

    /// True if the byte goes on with the answer.
    mutating func take(_ byte: UInt8) -> Bool {
        let place = given + held
        guard place < Self.beginning.count, byte == Self.beginning[place] else { return false }
        held += 1
        return true
    }

    var isWhole: Bool { given + held == Self.beginning.count }
    /// Too short to be told from typing.
    var isDoubtful: Bool { held < Self.fewestToBeSure }
    /// What was held back, and turns out to be typed.
    var typed: ArraySlice<UInt8> { Self.beginning[given..<given + held] }

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
