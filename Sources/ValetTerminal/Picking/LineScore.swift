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

    /// What a search of many lines needs again and again.
    struct Scratch {
        fileprivate var bonuses: [Int16]
        fileprivate var scores: [Int16]
        fileprivate var runs: [Int16]
        fileprivate var firsts: [Int]

        /// - Parameter longest: bytes of a line, which is cut there.
        init(longest: Int) {
            bonuses = Array(repeating: 0, count: longest)
            scores = Array(repeating: 0, count: longest)
            runs = Array(repeating: 0, count: longest)
            firsts = Array(repeating: 0, count: Self.mostLetters)
        }

        /// Of a term; the rest is not looked at.
        static let mostLetters = 256
    }

    /// - Parameters:
    ///   - term: folded, not empty.
    ///   - folded: the line.
    ///   - kinds: the bytes that tell where words begin: those of the line as it is written, where
    ///     it has as many, else the folded ones.
    /// - Returns: nil if the line lacks a letter of the term.
    static func fuzzy(
        _ term: [UInt8], in folded: UnsafeBufferPointer<UInt8>,
        kinds: UnsafeBufferPointer<UInt8>, _ scratch: inout Scratch
    ) -> Int? {
        let count = min(term.count, Scratch.mostLetters)
        let length = min(folded.count, scratch.bonuses.count)
        return term.withUnsafeBufferPointer { term in
            scratch.bonuses.withUnsafeMutableBufferPointer { bonuses in
                scratch.scores.withUnsafeMutableBufferPointer { scores in
                    scratch.runs.withUnsafeMutableBufferPointer { runs in
                        scratch.firsts.withUnsafeMutableBufferPointer { firsts in
                            Table(
                                term: term, count: count, line: folded, kinds: kinds,
                                length: length, bonuses: bonuses, scores: scores, runs: runs,
                                firsts: firsts
                            ).best()
                        }
                    }
                }
            }
        }
    }

    /// The best score of every letter of the term at every place of the line, row by row.
    private struct Table {
        let term: UnsafeBufferPointer<UInt8>
        let count: Int
        let line: UnsafeBufferPointer<UInt8>
        let kinds: UnsafeBufferPointer<UInt8>
        let length: Int
        let bonuses: UnsafeMutableBufferPointer<Int16>
        /// Of the newest row, and how many letters in a row end there.
        let scores: UnsafeMutableBufferPointer<Int16>
        let runs: UnsafeMutableBufferPointer<Int16>
        /// The first place of each letter, behind those of the letters before it.
        let firsts: UnsafeMutableBufferPointer<Int>

        func best() -> Int? {
            guard let (last, first) = beginning() else { return nil }
            if count == 1 { return first }
            var best = 0
            for letter in 1..<count { best = row(letter, until: last) }
            return best
        }

        /// The first row.
        /// - Returns: the last place of the term's last letter, and the row's best score; nil if
        ///   the line lacks a letter.
        private func beginning() -> (last: Int, best: Int)? {
            var (found, last, best) = (0, 0, 0)
            var (previous, before, isInGap) = (Kind.white, 0, false)
            for place in 0..<length {
                let kind = Kind(kinds[place])
                let bonus = bonus(kind, after: previous)
                bonuses[place] = Int16(truncatingIfNeeded: bonus)
                previous = kind
                let byte = line[place]
                if byte == term[min(found, count - 1)] {
                    if found < count {
                        firsts[found] = place
                        found += 1
                    }
                    last = place
                }
                if byte == term[0] {
                    before = match + bonus * firstLetterFactor
                    runs[place] = 1
                    isInGap = false
                    best = max(best, before)
                } else {
                    before = max(before + (isInGap ? gapExtension : gapStart), 0)
                    runs[place] = 0
                    isInGap = true
                }
                scores[place] = Int16(truncatingIfNeeded: before)
            }
            return found == count ? (last, best) : nil
        }

        /// - Returns: the row's best score.
        private func row(_ letter: Int, until last: Int) -> Int {
            let first = firsts[letter]
            var (best, left, isInGap) = (0, 0, false)
            // Of the row before, at the place before: overwritten as the row goes on.
            var (diagonal, diagonalRun) = (Int(scores[first - 1]), Int(runs[first - 1]))
            for place in first...max(last, first) {
                let (above, aboveRun) = (Int(scores[place]), Int(runs[place]))
                let gap = left + (isInGap ? gapExtension : gapStart)
                var (hit, run) = (0, 0)
                if line[place] == term[letter] {
                    hit = diagonal + match
                    var bonus = Int(bonuses[place])
                    run = diagonalRun + 1
                    if run > 1 {
                        let atStart = Int(bonuses[place - run + 1])
                        if bonus >= boundary, bonus > atStart {
                            run = 1
                        } else {
                            bonus = max(bonus, consecutive, atStart)
                        }
                    }
                    if hit + bonus < gap {
                        hit += Int(bonuses[place])
                        run = 0
                    } else {
                        hit += bonus
                    }
                }
                isInGap = hit < gap
                left = max(hit, gap, 0)
                best = max(best, left)
                runs[place] = Int16(truncatingIfNeeded: run)
                scores[place] = Int16(truncatingIfNeeded: left)
                (diagonal, diagonalRun) = (above, aboveRun)
            }
            return best
        }
    }

    /// Of letters in a row from a place on.
    static func run(of count: Int, at start: Int, kinds: UnsafeBufferPointer<UInt8>) -> Int {
        var previous = start > 0 ? Kind(kinds[start - 1]) : .white
        var (score, first) = (0, 0)
        for place in start..<min(start + count, kinds.count) {
            let kind = Kind(kinds[place])
            var bonus = bonus(kind, after: previous)
            previous = kind
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
