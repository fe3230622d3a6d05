#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
        let folded: UnsafeBufferPointer<UInt8>
        let bonuses: UnsafeBufferPointer<UInt8>
        /// A bit for each kind of letter that it has.
        let letters: UInt64
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
        guard fits(term, bytes, length, scratch) else { return nil }
        var place = length - 1
        for letter in (0..<term.count).reversed() {
            while bytes[place] != letters[letter] { place -= 1 }
            scratch.lasts[letter] = place
            place -= 1
        }
        var (before, newer) = (scratch.before, scratch.newer)
        var (count, best): (Int, Int32) = (0, 0)
        eachPlace(of: letters[0], in: bytes, scratch.firsts[0]...scratch.lasts[0]) { place in
            let score = Int32(match &+ firstLetterFactor &* Int(bonuses[place]))
            before[count] = Hit(
                place: Int32(truncatingIfNeeded: place), score: score, run: 1, isInGap: false)
            best = max(best, score)
            count &+= 1
        }
        for letter in 1..<max(term.count, 1) {
            var (hits, passed) = (0, 0)
            best = 0
            let places = scratch.firsts[letter]...scratch.lasts[letter]
            eachPlace(of: letters[letter], in: bytes, places) { place in
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

    /// By how much a letter more at a term's end can raise a score.
    static let mostForLetter = match + afterWhite

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
        var place = 0
        for letter in term.indices {
            guard let found = memchr(bytes + place, Int32(term[letter]), length - place) else {
                return false
            }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            scratch.firsts[letter] = place
            place += 1
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

    /// Calls `body` with the places of a byte, eight bytes at a time.
    @inline(__always)
    private static func eachPlace(
        of letter: UInt8, in bytes: UnsafePointer<UInt8>, _ range: ClosedRange<Int>,
        _ body: (Int) -> Void
    ) {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let wanted = UInt64(letter) &* 0x0101_0101_0101_0101
        var place = range.lowerBound
        let end = range.upperBound &+ 1
        while place &+ 8 <= end {
            let word = UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self)
            let other = UInt64(littleEndian: word) ^ wanted
            // The highest bit of each byte that is zero.
            var equal = ~(((other & low) &+ low) | other | low)
            while equal != 0 {
                body(place &+ equal.trailingZeroBitCount &>> 3)
                equal &= equal &- 1
            }
            place &+= 8
        }
        while place < end {
            if bytes[place] == letter { body(place) }
            place &+= 1
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
