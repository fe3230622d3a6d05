/// How well a term fits a line, as fzf scores it: its second algorithm, by which a term's letters
/// are found in their order, better in a row and at the beginning of words.
///
/// https://github.com/junegunn/fzf/blob/master/src/algo/algo.go says why each number is what it is.
enum LineScore {
    static let match = 16
    static let gapStart = -3
    static let gapExtension = -1
    static let boundary = match / 2
    static let afterWhite = boundary + 2
    static let afterDelimiter = boundary + 1
    static let camelCase = boundary + gapExtension
    static let consecutive = -(gapStart + gapExtension)
    static let firstLetterFactor = 2

    /// In the order in which they count.
    enum Kind: UInt8 {
        case white, other, delimiter, lower, upper, letter, number

        /// - Parameter byte: of UTF-8; what is not ASCII counts as a letter.
        @inline(__always)
        init(_ byte: UInt8) {
            self =
                switch byte {
                case 97...122: .lower
                case 65...90: .upper
                case 48...57: .number
                case 32, 9...13: .white
                case 44, 47, 58, 59, 124: .delimiter
                case 128...: .letter
                default: .other
                }
        }
    }

    /// What a letter is worth for where it stands.
    @inline(__always)
    static func bonus(_ kind: Kind, after previous: Kind) -> Int {
        if kind.rawValue > Kind.other.rawValue {
            switch previous {
            case .white: return afterWhite
            case .delimiter: return afterDelimiter
            case .other: return boundary
            case .lower, .upper, .letter, .number: break
            }
        }
        if previous == .lower && kind == .upper || previous != .number && kind == .number {
            return camelCase
        }
        return switch kind {
        case .other, .delimiter: boundary
        case .white: afterWhite
        case .lower, .upper, .letter, .number: 0
        }
    }

    /// What each byte of a line is worth for where it stands, which depends on no term.
    ///
    /// - Parameter written: the bytes that tell where words begin: those of the line as it is
    ///   written, where it has as many, else the folded ones.
    static func addBonuses(of written: some Sequence<UInt8>, to bonuses: inout [UInt8]) {
        var previous = Kind.white
        for byte in written {
            let kind = Kind(byte)
            bonuses.append(UInt8(bonus(kind, after: previous)))
            previous = kind
        }
    }

    /// A line as it is looked at.
    struct Line {
        /// So many bytes behind it may be read.
        static let padding = 8

        let folded: UnsafeBufferPointer<UInt8>
        let bonuses: UnsafeBufferPointer<UInt8>
    }

    /// Letters and digits without anything between.
    struct Word {
        private let (start, end): (UInt16, UInt16)
        /// A bit for each kind of letter.
        let letters: UInt64

        /// In the line's folded bytes.
        var range: Range<Int> { Int(start)..<Int(end) }

        /// A line that is looked at is much shorter than such a number can be.
        private init(_ range: Range<Int>, of folded: ArraySlice<UInt8>) {
            start = UInt16(clamping: range.lowerBound - folded.startIndex)
            end = UInt16(clamping: range.upperBound - folded.startIndex)
            letters = LineLetters.bits(of: folded[range])
        }

        static func add(of folded: ArraySlice<UInt8>, to words: inout [Word]) {
            var start: Int?
            for place in folded.indices {
                if folded[place].isOfWord {
                    start = start ?? place
                } else if let first = start {
                    words.append(Word(first..<place, of: folded))
                    start = nil
                }
            }
            if let start { words.append(Word(start..<folded.endIndex, of: folded)) }
        }
    }

    /// A place of a letter behind places of those before it, and what the best way there is worth.
    struct Hit {
        var place: Int32
        var score: Int32
        /// How many letters in a row end here.
        var run: Int32
        /// The best way has passed this letter over.
        var isInGap: Bool

        /// What is left of the score at a later place. No score comes near 32 bits.
        @inline(__always)
        func score(at later: Int32) -> Int32 {
            if later == place { return score }
            return score &+ Int32(isInGap ? gapExtension : gapStart)
                &+ (later &- place &- 1) &* Int32(gapExtension)
        }
    }

    /// Memory that a search of many lines needs again and again: two rows of hits, and for each
    /// letter where it can stand first and last.
    struct Scratch {
        fileprivate let before: UnsafeMutablePointer<Hit>
        fileprivate let newer: UnsafeMutablePointer<Hit>
        fileprivate let firsts: UnsafeMutablePointer<Int>
        fileprivate let lasts: UnsafeMutablePointer<Int>
        fileprivate let longest: Int

        /// Behind the first places of the letters of a term that a line has; 0 for none.
        func end(ofLetters count: Int) -> Int { count == 0 ? 0 : firsts[count - 1] + 1 }

        /// - Parameter longest: how many bytes of a line are looked at.
        static func with<Result>(longest: Int, _ body: (Scratch) -> Result) -> Result {
            let hits = UnsafeMutablePointer<Hit>.allocate(capacity: 2 * longest)
            let places = UnsafeMutablePointer<Int>.allocate(capacity: 2 * longest)
            defer {
                hits.deallocate()
                places.deallocate()
            }
            return body(
                Scratch(
                    before: hits, newer: hits + longest, firsts: places, lasts: places + longest,
                    longest: longest))
        }
    }

    /// fzf's matrix of letters by bytes, of which only the places are looked at where a letter
    /// stands and all others have a place before or behind it: in between, scores fall by what a
    /// gap costs.
    ///
    /// - Parameter term: folded, not empty.
    /// - Returns: nil if the line lacks a letter of the term.
    static func fuzzy(
        _ term: UnsafeBufferPointer<UInt8>, in line: Line, _ scratch: Scratch
    ) -> Int? {
        let length = min(line.folded.count, scratch.longest)
        guard let bytes = line.folded.baseAddress, let bonuses = line.bonuses.baseAddress,
            let letters = term.baseAddress, term.count <= length
        else { return nil }
        if term.count == 1 { return single(letters[0], bytes, bonuses, length, scratch) }
        guard fits(term, bytes, length, scratch) else { return nil }
        var place = length - 1
        for letter in (0..<term.count).reversed() {
            while bytes[place] != letters[letter] { place &-= 1 }
            scratch.lasts[letter] = place
            place &-= 1
        }
        var (before, newer) = (scratch.before, scratch.newer)
        var (count, best): (Int, Int32) = (0, 0)
        var places = Places(of: letters[0], in: bytes, scratch.firsts[0]...scratch.lasts[0])
        while let place = places.next() {
            let score = Int32(match &+ firstLetterFactor &* Int(bonuses[place]))
            before[count] = Hit(
                place: Int32(truncatingIfNeeded: place), score: score, run: 1, isInGap: false)
            best = max(best, score)
            count &+= 1
        }
        for letter in 1..<max(term.count, 1) {
            var (hits, passed) = (0, 0)
            best = 0
            places = Places(
                of: letters[letter], in: bytes, scratch.firsts[letter]...scratch.lasts[letter])
            while let place = places.next() {
                let previous = Int32(truncatingIfNeeded: place &- 1)
                while passed &+ 1 < count, before[passed &+ 1].place <= previous { passed &+= 1 }
                let gap = hits > 0 ? newer[hits &- 1].score(at: previous &+ 1) : 0
                let diagonal = max(before[passed].score(at: previous), 0)
                let run = before[passed].place == previous ? before[passed].run &+ 1 : 1
                newer[hits] = hit(at: place, run: run, after: diagonal, gap, bonuses)
                best = max(best, newer[hits].score)
                hits &+= 1
            }
            (before, newer, count) = (newer, before, hits)
        }
        return Int(best)
    }

    /// The best place of a letter.
    @inline(__always)
    private static func single(
        _ letter: UInt8, _ bytes: UnsafePointer<UInt8>, _ bonuses: UnsafePointer<UInt8>,
        _ length: Int, _ scratch: Scratch
    ) -> Int? {
        var places = Places(of: letter, in: bytes, 0...length &- 1)
        guard let first = places.next() else { return nil }
        scratch.firsts[0] = first
        var most = bonuses[first]
        while most < afterWhite, let place = places.next() { most = max(most, bonuses[place]) }
        return match + firstLetterFactor * Int(most)
    }

    /// The most that letters more at a term's end can add to its score: much only behind the letter
    /// before.
    ///
    /// - Parameters:
    ///   - known: how many of the term's letters are not new.
    ///   - end: behind the first places of these.
    /// - Returns: nil if the line lacks one of the others; else the end with them, too.
    static func more(
        _ term: UnsafeBufferPointer<UInt8>, behind known: Int, in line: Line,
        _ letters: LineLetters, from end: Int
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
            guard letter > 0 else {
                score &+= match &+ firstLetterFactor &* letters.bonus(of: term[letter])
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

    /// Whether a line has the letters of a term, in their order.
    static func fits(
        _ term: UnsafeBufferPointer<UInt8>, _ line: Line, _ scratch: Scratch
    ) -> Bool {
        let length = min(line.folded.count, scratch.longest)
        guard let bytes = line.folded.baseAddress, term.count <= length else { return false }
        return fits(term, bytes, length, scratch)
    }

    /// Finds the first places of the letters.
    @inline(__always)
    private static func fits(
        _ term: UnsafeBufferPointer<UInt8>, _ bytes: UnsafePointer<UInt8>, _ length: Int,
        _ scratch: Scratch
    ) -> Bool {
        var start = 0
        for letter in term.indices {
            guard start < length else { return false }
            var places = Places(of: term[letter], in: bytes, start...length &- 1)
            guard let place = places.next() else { return false }
            scratch.firsts[letter] = place
            start = place &+ 1
        }
        return true
    }

    /// - Parameters:
    ///   - diagonal: the score of the letters before, at the place before.
    ///   - gap: what an earlier place of the same letter is worth here.
    @inline(__always)
    private static func hit(
        at place: Int, run: Int32, after diagonal: Int32, _ gap: Int32,
        _ bonuses: UnsafePointer<UInt8>
    ) -> Hit {
        let own = Int32(bonuses[place])
        var (run, bonus) = (run, own)
        if run > 1 {
            let atStart = Int32(bonuses[place &- Int(run) &+ 1])
            if bonus >= Int32(boundary), bonus > atStart {
                run = 1
            } else {
                bonus = max(bonus, Int32(consecutive), atStart)
            }
        }
        var score = diagonal &+ Int32(match)
        if score &+ bonus < gap {
            score &+= own
            run = 0
        } else {
            score &+= bonus
        }
        return Hit(
            place: Int32(truncatingIfNeeded: place), score: max(score, gap), run: run,
            isInGap: score < gap)
    }

    /// The places of a byte, for which eight bytes at a time are looked at.
    private struct Places {
        private let bytes: UnsafePointer<UInt8>
        private let wanted: UInt64
        private var place: Int
        private let end: Int
        /// The highest bit of each of eight bytes, the first lowest, that is the wanted one.
        private var equal: UInt64

        @inline(__always)
        init(of letter: UInt8, in bytes: UnsafePointer<UInt8>, _ range: ClosedRange<Int>) {
            self.bytes = bytes
            wanted = UInt64(letter) &* 0x0101_0101_0101_0101
            (place, end) = (range.lowerBound, range.upperBound &+ 1)
            equal = Self.equal(bytes + place, wanted, end &- place)
        }

        @inline(__always)
        mutating func next() -> Int? {
            while equal == 0 {
                place &+= 8
                if place >= end { return nil }
                equal = Self.equal(bytes + place, wanted, end &- place)
            }
            let found = place &+ equal.trailingZeroBitCount &>> 3
            equal &= equal &- 1
            return found
        }

        /// - Parameter count: of the bytes that are looked at, if fewer than eight.
        @inline(__always)
        private static func equal(
            _ bytes: UnsafePointer<UInt8>, _ wanted: UInt64, _ count: Int
        ) -> UInt64 {
            let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
            let word = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
            let other = UInt64(littleEndian: word) ^ wanted
            let equal = ~(((other & low) &+ low) | other | low)
            return count < 8 ? equal & ((1 &<< UInt64(count &* 8)) &- 1) : equal
        }
    }

    /// Of letters in a row from a place on.
    static func run(of count: Int, at start: Int, in line: Line) -> Int {
        var (score, first) = (0, 0)
        for place in start..<min(start + count, line.bonuses.count) {
            var bonus = Int(line.bonuses[place])
            if place == start {
                first = bonus
                bonus *= firstLetterFactor
            } else {
                if bonus >= boundary, bonus > first { first = bonus }
                bonus = max(bonus, first, consecutive)
            }
            score += match + bonus
        }
        return score
    }
}

extension UInt8 {
    /// Of folded text.
    fileprivate var isOfWord: Bool {
        (97...122).contains(self) || (48...57).contains(self) || self >= 128
    }
}
