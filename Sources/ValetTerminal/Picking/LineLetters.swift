/// The letters of a line, a bit for each kind, and what the best of a kind is worth for where it
/// stands.
struct LineLetters {
    private(set) var all: UInt64 = 0
    /// Those that have such a bonus somewhere.
    private var afterWhite: UInt64 = 0
    private var afterDelimiter: UInt64 = 0
    private var atBoundary: UInt64 = 0
    private var inCamelCase: UInt64 = 0

    /// Of no line.
    init() {}

    /// - Parameter bonuses: as many as folded bytes.
    init(of folded: ArraySlice<UInt8>, _ bonuses: ArraySlice<UInt8>) {
        for (letter, bonus) in zip(folded, bonuses) {
            let bit = Self.bit(letter)
            all |= bit
            switch Int(bonus) {
            case LineScore.afterWhite: afterWhite |= bit
            case LineScore.afterDelimiter: afterDelimiter |= bit
            case LineScore.boundary: atBoundary |= bit
            case LineScore.camelCase: inCamelCase |= bit
            default: break
            }
        }
    }

    static func bits(of text: some Sequence<UInt8>) -> UInt64 {
        text.reduce(into: 0) { $0 |= bit($1) }
    }

    /// Letters of ASCII have other ones than digits.
    @inline(__always)
    private static func bit(_ letter: UInt8) -> UInt64 {
        1 &<< UInt64(letter & 31 | (letter & 64) >> 1)
    }

    /// The highest that a letter has.
    @inline(__always)
    func bonus(of letter: UInt8) -> Int {
        let bit = Self.bit(letter)
        if afterWhite & bit != 0 { return LineScore.afterWhite }
        if afterDelimiter & bit != 0 { return LineScore.afterDelimiter }
        if atBoundary & bit != 0 { return LineScore.boundary }
        return inCamelCase & bit != 0 ? LineScore.camelCase : 0
    }
}
