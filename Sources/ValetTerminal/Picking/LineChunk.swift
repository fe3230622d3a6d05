import ValetModel

/// Some thousand lines, one behind the other in memory, with what finding them needs.
package final class LineChunk: Sendable {
    package static let mostLines = 4_096
    /// Of a line: what is behind it is shown and printed, but not looked at.
    static let bytesLookedAt = 4_096

    private let written: [UInt8]
    private let folded: [UInt8]
    /// As many as folded bytes.
    private let bonuses: [UInt8]
    private let words: [LineScore.Word]
    /// Of each line, and of one behind the last.
    private let marks: [Mark]

    /// Where a line begins.
    private struct Mark {
        var letters = LineLetters()
        let (written, folded, words): (Int, Int, Int)
    }

    /// - Parameter lines: at most `mostLines`.
    package init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        var (written, folded, bonuses): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var (words, marks): ([LineScore.Word], [Mark]) = ([], [])
        func mark() -> Mark {
            Mark(written: written.count, folded: folded.count, words: words.count)
        }
        for line in lines {
            var mark = mark()
            written += line
            let seen = line.prefix(Self.bytesLookedAt)
            seen.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
            let own = folded[mark.folded...]
            LineScore.addBonuses(of: seen.count == own.count ? seen : own, to: &bonuses)
            LineScore.Word.add(of: own, to: &words)
            mark.letters = LineLetters(of: own, bonuses[mark.folded...])
            marks.append(mark)
        }
        marks.append(mark())
        let padding = repeatElement(UInt8(0), count: LineScore.Line.padding)
        (self.written, self.folded, self.bonuses) = (written + padding, folded + padding, bonuses)
        (self.words, self.marks) = (words, marks)
    }

    package var count: Int { marks.count - 1 }

    package func line(_ index: Int) -> ArraySlice<UInt8> {
        written[marks[index].written..<marks[index + 1].written]
    }

    // MARK: Finding

    /// All lines, as if nothing were looked for.
    func all(first: Int) -> [Found] {
        (0..<count).map { Found(score: 0, length: line($0).count, line: first + $0, end: 0) }
    }

    /// Keeps the lines that have letters more, without counting their scores.
    ///
    /// - Parameters:
    ///   - term: the last one, with them.
    ///   - known: how many letters it had when the lines were found.
    func narrow(_ found: inout [Found], first: Int, by term: [UInt8], behind known: Int) {
        let wanted = LineLetters.bits(of: term.dropFirst(known))
        withLines { lines in
            term.withUnsafeBufferPointer { term in
                let kept = found.withUnsafeMutableBufferPointer { found in
                    var kept = 0
                    for place in found.indices {
                        let index = found[place].line - first
                        guard wanted & ~lines.marks[index].letters.all == 0,
                            let more = LineScore.more(
                                term, behind: known, in: lines[index], lines.marks[index].letters,
                                from: found[place].end)
                        else { continue }
                        found[kept] = Found(found[place], more.score, end: more.end)
                        kept += 1
                    }
                    return kept
                }
                found.removeLast(found.count - kept)
            }
        }
    }

    /// Counts the scores of lines in such buckets, where that has not been done.
    func score(_ found: inout [Found], _ query: LineQuery, first: Int, until bucket: Int) {
        withLines(query) { terms, lines, scratch in
            for place in found.indices
            where found[place].isEstimate && found[place].bucket <= bucket {
                let index = found[place].line - first
                let score = Self.score(index, lines, terms, scratch, takesSlips: false)
                found[place] = Found(found[place], score: score ?? 0)
            }
        }
    }

    /// The lines' memory, while it stands.
    private struct Lines {
        let (written, folded): (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
        let bonuses: UnsafeBufferPointer<UInt8>
        let words: UnsafeBufferPointer<LineScore.Word>
        let marks: UnsafeBufferPointer<Mark>

        @inline(__always)
        subscript(index: Int) -> LineScore.Line {
            let range = marks[index].folded..<marks[index + 1].folded
            return LineScore.Line(
                folded: UnsafeBufferPointer(rebasing: folded[range]),
                bonuses: UnsafeBufferPointer(rebasing: bonuses[range]))
        }

        func words(of index: Int) -> UnsafeBufferPointer<LineScore.Word> {
            UnsafeBufferPointer(rebasing: words[marks[index].words..<marks[index + 1].words])
        }

        /// As it is written.
        func bytes(of index: Int) -> UnsafeBufferPointer<UInt8> {
            let line = written[marks[index].written..<marks[index + 1].written]
            return UnsafeBufferPointer(rebasing: line.prefix(LineChunk.bytesLookedAt))
        }
    }

    private func withLines<Result>(
        _ query: LineQuery,
        _ body: (UnsafeBufferPointer<LineTerm>, Lines, LineScore.Scratch) -> Result
    ) -> Result {
        query.withTerms { terms in
            LineScore.Scratch.with(longest: Self.bytesLookedAt) { scratch in
                withLines { body(terms, $0, scratch) }
            }
        }
    }

    private func withLines<Result>(_ body: (Lines) -> Result) -> Result {
        written.withUnsafeBufferPointer { written in
            folded.withUnsafeBufferPointer { folded in
                bonuses.withUnsafeBufferPointer { bonuses in
                    words.withUnsafeBufferPointer { words in
                        marks.withUnsafeBufferPointer { marks in
                            body(
                                Lines(
                                    written: written, folded: folded, bonuses: bonuses,
                                    words: words, marks: marks))
                        }
                    }
                }
            }
        }
    }

    /// A line that was found, best first: the lower, the better.
    struct Found: Hashable, Comparable, Sendable {
        /// From the highest bit on: what its score lacks, its length, its number, the place behind
        /// the letters of the last term where each stands as early as it can, and whether the score
        /// is the most that it can be, since it has not been counted.
        private let rank: UInt64

        static let mostScore = 0x7FF
        static let mostLength = 0xFF
        private static let mostNumber = 0x7FFF_FFFF
        private static let mostEnd = 0x1FFF
        private static let ofEnd: UInt64 = 1
        private static let ofNumber: UInt64 = 14
        private static let ofLength: UInt64 = 45
        private static let ofScore: UInt64 = 53

        /// Higher scores first, then shorter lines, then in their order.
        init(score: Int, length: Int, line: Int, end: Int) {
            let missing = Self.mostScore - min(max(score, 0), Self.mostScore)
            rank =
                UInt64(missing) << Self.ofScore
                | UInt64(min(length, Self.mostLength)) << Self.ofLength
                | UInt64(line & Self.mostNumber) << Self.ofNumber
                | UInt64(end & Self.mostEnd) << Self.ofEnd
        }

        /// - Parameter more: the most that letters more can be worth.
        init(_ found: Found, _ more: Int, end: Int) {
            let most = Found(
                score: found.score + more, length: found.length, line: found.line, end: end)
            rank = most.rank | 1
        }

        /// The score has been counted.
        init(_ found: Found, score: Int) {
            self.init(score: score, length: found.length, line: found.line, end: found.end)
        }

        private func bits(from first: UInt64, _ most: Int) -> Int {
            Int(truncatingIfNeeded: rank >> first) & most
        }

        var missing: Int { bits(from: Self.ofScore, Self.mostScore) }
        var score: Int { Self.mostScore - missing }
        var length: Int { bits(from: Self.ofLength, Self.mostLength) }
        var line: Int { bits(from: Self.ofNumber, Self.mostNumber) }
        var end: Int { bits(from: Self.ofEnd, Self.mostEnd) }
        var isEstimate: Bool { rank & 1 != 0 }
        /// The same for those of one score and length, lower for better ones.
        var bucket: Int { Int(truncatingIfNeeded: rank >> Self.ofLength) }

        static func bucket(missing: Int, length: Int) -> Int {
            missing * (mostLength + 1) + length
        }

        static func < (one: Found, other: Found) -> Bool { one.rank < other.rank }
    }

    /// - Parameters:
    ///   - first: the number of the chunk's first line among all.
    ///   - among: numbers in the chunk; nil for all.
    ///   - takesSlips: whether a letter may be wrong, more, or missing.
    func find(
        _ query: LineQuery, first: Int, among: [Int]?, takesSlips: Bool = false
    ) -> [Found] {
        withLines(query) { terms, lines, scratch in
            // Where a slip's letters stand is not known.
            let lettersAtEnd = takesSlips ? 0 : query.lettersAtEnd?.count ?? 0
            let ranks = query.ranks
            var found: [Found] = []
            let count = among?.count ?? self.count
            found.reserveCapacity(count)
            for place in 0..<count {
                let index = among?[place] ?? place
                let score = Self.score(index, lines, terms, scratch, takesSlips: takesSlips)
                guard let score else { continue }
                found.append(
                    Found(
                        score: score, length: ranks ? line(index).count : 0, line: first + index,
                        end: scratch.end(ofLetters: lettersAtEnd)))
            }
            return found
        }
    }

    @inline(__always)
    private static func score(
        of term: LineTerm, _ index: Int, _ lines: Lines, _ scratch: LineScore.Scratch
    ) -> Int? {
        if term.exact == nil { return term.score(lines[index], scratch) }
        return term.score(lines[index], written: lines.bytes(of: index), scratch)
    }

    /// nil for a line that does not meet every clause.
    @inline(__always)
    private static func score(
        _ index: Int, _ lines: Lines, _ terms: UnsafeBufferPointer<LineTerm>,
        _ scratch: LineScore.Scratch, takesSlips: Bool
    ) -> Int? {
        var (score, best) = (0, -1)
        for term in terms {
            // The letters are compared before anything else.
            let missing = term.letters & ~lines.marks[index].letters.all
            // No line has all letters of a term that is alone, or slips would not be looked for.
            let own =
                missing == 0 && !(takesSlips && terms.count == 1)
                ? Self.score(of: term, index, lines, scratch) : nil
            if let own {
                best = max(best, own)
            } else if takesSlips, missing.nonzeroBitCount <= 1,
                term.isSlip(in: lines[index], words: lines.words(of: index))
            {
                best = max(best, 1)
            }
            guard term.endsClause else { continue }
            if best < 0 { return nil }
            score += best
            best = -1
        }
        return score
    }
}
