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
        /// Not empty.
        let folded: UnsafeBufferPointer<UInt8>
        let bonuses: UnsafeBufferPointer<UInt8>
    }

    /// What a search of many lines needs again and again: as many numbers as a line has bytes.
    final class Scratch {
        /// Of the newest row, and how many letters in a row end there.
        fileprivate let scores: UnsafeMutablePointer<Int32>
        fileprivate let runs: UnsafeMutablePointer<Int32>
        /// The first place of each letter, behind those of the letters before it.
        fileprivate let firsts: UnsafeMutablePointer<Int>
        fileprivate let longest: Int

        init(longest: Int) {
            self.longest = longest
            scores = .allocate(capacity: longest)
            runs = .allocate(capacity: longest)
            firsts = .allocate(capacity: longest)
        }

        deinit {
            scores.deallocate()
            runs.deallocate()
            firsts.deallocate()
        }
    }

    /// - Parameter term: folded, not empty.
    /// - Returns: nil if the line lacks a letter of the term.
    static func fuzzy(
        _ term: UnsafeBufferPointer<UInt8>, in line: Line, _ scratch: Scratch
    ) -> Int? {
        let length = min(line.folded.count, scratch.longest)
        guard let bytes = line.folded.baseAddress, let bonuses = line.bonuses.baseAddress,
            let letters = term.baseAddress, term.count <= length
        else { return nil }
        // Most lines lack a letter: that is found out before anything else.
        var place = 0
        for letter in 0..<term.count {
            guard let found = memchr(bytes + place, Int32(letters[letter]), length - place) else {
                return nil
            }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            scratch.firsts[letter] = place
            place += 1
        }
        if term.count == 1 {
            return single(letters[0], bytes, bonuses, from: scratch.firsts[0], to: length)
        }
        var last = length - 1
        while bytes[last] != letters[term.count - 1] { last -= 1 }
        firstRow(letters[0], bytes, bonuses, until: last, scratch)
        var best = 0
        for letter in 1..<term.count {
            best = row(
                letters[letter], from: scratch.firsts[letter], until: last, bytes, bonuses,
                scratch)
        }
        return best
    }

    private static func single(
        _ letter: UInt8, _ bytes: UnsafePointer<UInt8>, _ bonuses: UnsafePointer<UInt8>,
        from first: Int, to length: Int
    ) -> Int {
        var most = 0
        for place in first..<length where bytes[place] == letter {
            most = max(most, Int(bonuses[place]))
            // The beginning of a word is as good as it gets, nearly.
            if most >= boundary { break }
        }
        return match + most * firstLetterFactor
    }

    private static func firstRow(
        _ letter: UInt8, _ bytes: UnsafePointer<UInt8>, _ bonuses: UnsafePointer<UInt8>,
        until last: Int, _ scratch: Scratch
    ) {
        let (scores, runs) = (scratch.scores, scratch.runs)
        var (score, gap): (Int32, Int32) = (0, Int32(gapExtension))
        for place in scratch.firsts[0]...last {
            if bytes[place] == letter {
                score = Int32(match + firstLetterFactor * Int(bonuses[place]))
                runs[place] = 1
                gap = Int32(gapStart)
            } else {
                score = max(score + gap, 0)
                runs[place] = 0
                gap = Int32(gapExtension)
            }
            scores[place] = score
        }
    }

    /// - Returns: the row's best score.
    private static func row(
        _ letter: UInt8, from first: Int, until last: Int, _ bytes: UnsafePointer<UInt8>,
        _ bonuses: UnsafePointer<UInt8>, _ scratch: Scratch
    ) -> Int {
        let (scores, runs) = (scratch.scores, scratch.runs)
        var (best, left, isInGap): (Int32, Int32, Bool) = (0, 0, false)
        // Of the row before, at the place before: overwritten as the row goes on.
        var (diagonal, diagonalRun) = (scores[first - 1], runs[first - 1])
        for place in first...last {
            let (above, aboveRun) = (scores[place], runs[place])
            let gap = left + Int32(isInGap ? gapExtension : gapStart)
            var (hit, run): (Int32, Int32) = (0, 0)
            if bytes[place] == letter {
                hit = diagonal + Int32(match)
                let own = Int32(bonuses[place])
                var bonus = own
                run = diagonalRun + 1
                if run > 1 {
                    let atStart = Int32(bonuses[place - Int(run) + 1])
                    if bonus >= Int32(boundary), bonus > atStart {
                        run = 1
                    } else {
                        bonus = max(bonus, Int32(consecutive), atStart)
                    }
                }
                if hit + bonus < gap {
                    hit += own
                    run = 0
                } else {
                    hit += bonus
                }
            }
            isInGap = hit < gap
            left = max(hit, gap, 0)
            best = max(best, left)
            runs[place] = run
            scores[place] = left
            (diagonal, diagonalRun) = (above, aboveRun)
        }
        return Int(best)
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
