/// What a terminal answers when it is asked about itself: whether it can hold a frame back until it
/// is whole, `ESC [ ? 2026 ; 2 $ y`; the colour of its background, `ESC ] 11 ; rgb:1e1e/1e1e/1e1e`
/// and an end; and what it is, `ESC [ ? 62 ; 4 c`.
///
/// It comes when it comes. On a slow line its beginning may have been taken for keys, since an
/// escape byte after which nothing follows is one; the rest must not be.
struct TerminalAnswer: Sendable {
    enum Kind: CaseIterable, Sendable {
        case background
        case report

        /// Behind the escape byte; nil stands for a digit.
        fileprivate var beginning: [UInt8?] {
            switch self {
            case .background: Array("]11;rgb:".utf8)
            case .report: Array("[?".utf8) + [nil]
            }
        }
    }

    /// How long an answer may keep the program from ending. One that has not come in a second won't
    /// come: many terminals say nothing.
    /// - Parameter milliseconds: since the terminal was asked.
    static func patienceMilliseconds(since milliseconds: Int) -> Int {
        max(min(100, 1_000 - milliseconds), 0)
    }

    /// Bytes of one answer that are kept.
    static let most = 32
    /// Bytes that a person may have typed, too.
    private static let fewestToBeSure = 3

    /// nil until the first byte behind the escape byte tells.
    private(set) var kind: Kind?
    /// Behind the escape byte.
    private(set) var bytes: [UInt8] = []
    /// How many of them have been given away as a key, as the escape byte has.
    private let given: Int

    init(givenTo kind: Kind? = nil) {
        self.kind = kind
        bytes = (kind?.beginning.first).flatMap { $0 }.map { [$0] } ?? []
        given = bytes.count
    }

    /// True if the byte goes on with the answer.
    mutating func take(_ byte: UInt8) -> Bool {
        kind = kind ?? Kind.allCases.first { $0.beginning.first == byte }
        guard let beginning = kind?.beginning, bytes.count < beginning.count else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard beginning[bytes.count].map({ $0 == byte }) ?? digits.contains(byte) else {
            return false
        }
        bytes.append(byte)
        return true
    }

    /// Too short to be told from typing.
    var isDoubtful: Bool { typed.count < Self.fewestToBeSure }
    /// What was held back, and turns out to be typed.
    var typed: ArraySlice<UInt8> { bytes.dropFirst(given) }

    /// The kind of answer whose beginning is all here.
    var whole: Kind? { kind.flatMap { bytes.count == $0.beginning.count ? $0 : nil } }

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
