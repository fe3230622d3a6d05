/// What letters of a line can be worth at most, which is known without a look at the line.
struct LineSketch {
    /// A bit for each kind of letter that has such a bonus somewhere.
    private var afterWhite: UInt64 = 0
    private var afterDelimiter: UInt64 = 0
    private var atBoundary: UInt64 = 0
    private var inCamelCase: UInt64 = 0
    /// A bit for each kind of two letters, one behind the other.
    private var pairs: UInt64 = 0

    /// - Parameter bonuses: as many as folded bytes.
    init(of folded: ArraySlice<UInt8>, _ bonuses: ArraySlice<UInt8>) {
        var previous: UInt8 = 0
        for (letter, bonus) in zip(folded, bonuses) {
            let bit = Self.bit(letter)
            switch Int(bonus) {
            case LineScore.afterWhite: afterWhite |= bit
            case LineScore.afterDelimiter: afterDelimiter |= bit
            case LineScore.boundary: atBoundary |= bit
            case LineScore.camelCase: inCamelCase |= bit
            default: break
            }
            pairs |= Self.bit(previous, letter)
            previous = letter
        }
    }

    /// A bit for each kind of letter.
    static func letters(of text: some Sequence<UInt8>) -> UInt64 {
        text.reduce(into: 0) { $0 |= bit($1) }
    }

    /// Letters of ASCII have other ones than digits.
    @inline(__always)
    private static func bit(_ letter: UInt8) -> UInt64 {
        1 &<< UInt64(letter & 31 | (letter & 64) >> 1)
    }

    /// The golden ratio spreads pairs over the bits.
    @inline(__always)
    private static func bit(_ one: UInt8, _ other: UInt8) -> UInt64 {
        1 &<< ((UInt64(one) &<< 8 | UInt64(other)) &* 0x9E37_79B9_7F4A_7C15 &>> 58)
    }

    /// The most that the first or second letter of a term can add to its score.
    @inline(__always)
    func most(of letter: Int, in term: UnsafeBufferPointer<UInt8>) -> Int {
        let own = Self.bit(term[letter])
        if letter == 0 {
            return LineScore.match &+ LineScore.firstLetterFactor &* bonus(of: own)
        }
        guard pairs & Self.bit(term[letter &- 1], term[letter]) != 0 else {
            return LineScore.match &+ LineScore.gapStart &+ bonus(of: own)
        }
        // Letters in a row have the bonus of the first one.
        let both = own | Self.bit(term[letter &- 1])
        return LineScore.match &+ max(bonus(of: both), LineScore.consecutive)
    }

    /// The highest of such letters.
    @inline(__always)
    private func bonus(of letters: UInt64) -> Int {
        if afterWhite & letters != 0 { return LineScore.afterWhite }
        if afterDelimiter & letters != 0 { return LineScore.afterDelimiter }
        if atBoundary & letters != 0 { return LineScore.boundary }
        return inCamelCase & letters != 0 ? LineScore.camelCase : 0
    }
}

extension LineScore {
    /// The most that letters more at a term's end can add to its score.
    ///
    /// - Parameters:
    ///   - known: how many of the term's letters are not new.
    ///   - end: behind the first places of these.
    /// - Returns: nil if the line lacks one of the others; else the end with them, too.
    static func more(
        _ term: UnsafeBufferPointer<UInt8>, behind known: Int, in line: Line, _ sketch: LineSketch,
        from end: Int
    ) -> (score: Int, end: Int)? {
        let length = min(line.folded.count, LineChunk.bytesLookedAt)
        guard let bytes = line.folded.baseAddress, let bonuses = line.bonuses.baseAddress else {
            return nil
        }
        var (score, end) = (0, end)
        for letter in known..<term.count {
            guard end < length else { return nil }
            var places = Places(of: term[letter], in: bytes, end...length &- 1)
            guard let first = places.next() else { return nil }
            end = first &+ 1
            // Of most lines, two letters tell enough.
            guard letter > 1 else {
                score &+= sketch.most(of: letter, in: term)
                continue
            }
            var (place, most) = (first, 0)
            while true {
                if bytes[place &- 1] == term[letter &- 1] {
                    most = match &+ afterWhite
                    break
                }
                most = max(most, match &+ gapStart &+ Int(bonuses[place]))
                guard let next = places.next() else { break }
                place = next
            }
            score &+= most
        }
        return (score, end)
    }
}
