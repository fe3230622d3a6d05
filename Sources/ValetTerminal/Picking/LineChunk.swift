import ValetModel

/// Some thousand lines, one behind the other in memory, with what finding them needs.
package final class LineChunk: Sendable {
    package static let mostLines = 4_096
    /// Of a line: what is behind it is shown and printed, but not looked at.
    static let bytesLookedAt = 4_096

    private let bytes: [UInt8]
    private let ends: [Int]
    private let folded: [UInt8]
    private let foldedEnds: [Int]
    /// As many as folded bytes.
    private let bonuses: [UInt8]
    /// By line, a bit for each kind of letter that it has.
    private let letters: [UInt64]

    /// - Parameter lines: at most `mostLines`.
    package init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        var (folded, foldedEnds, bonuses): ([UInt8], [Int], [UInt8]) = ([], [], [])
        var letters: [UInt64] = []
        for line in lines {
            bytes += line
            ends.append(bytes.count)
            let start = folded.count
            line.prefix(Self.bytesLookedAt).withUnsafeBytes { TextFolding.fold($0, into: &folded) }
            foldedEnds.append(folded.count)
            let seen = line.prefix(Self.bytesLookedAt)
            if seen.count == folded.count - start {
                LineScore.addBonuses(of: seen, to: &bonuses)
            } else {
                LineScore.addBonuses(of: folded[start...], to: &bonuses)
            }
            letters.append(Self.letters(of: folded[start...]))
        }
        (self.bytes, self.ends) = (bytes, ends)
        (self.folded, self.foldedEnds, self.letters) = (folded, foldedEnds, letters)
        self.bonuses = bonuses
    }

    package var count: Int { ends.count }

    package func line(_ index: Int) -> ArraySlice<UInt8> {
        bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    static func letters(of text: some Sequence<UInt8>) -> UInt64 {
        text.reduce(into: 0) { $0 |= 1 << UInt64($1 & 63) }
    }

    // MARK: Finding

    /// Which of the lines that a query found have letters more, without counting their scores.
    func narrow(
        _ found: [Found], first: Int, by terms: LineQuery, letters: Int
    ) -> [Found] {
        LineScore.Scratch.with(longest: Self.bytesLookedAt) { scratch in
            withLines(terms) { terms, line in
                found.compactMap { found in
                    let line = line(found.line - first)
                    let hasAll = terms.allSatisfy {
                        $0.letters & ~line.letters == 0 && LineScore.fits($0.text, line, scratch)
                    }
                    return hasAll ? Found(found, letters: letters) : nil
                }
            }
        }
    }

    /// Counts the scores of lines in such buckets, where that has not been done.
    func score(_ found: inout [Found], _ query: LineQuery, first: Int, until bucket: Int) {
        LineScore.Scratch.with(longest: Self.bytesLookedAt) { scratch in
            withLines(query) { terms, line in
                for place in found.indices
                where found[place].isEstimate && found[place].bucket <= bucket {
                    let index = found[place].line - first
                    let score = Self.score(line(index), terms, scratch, takesSlips: false)
                    found[place] = Found(
                        score: score ?? 0, length: length(index), line: first + index)
                }
            }
        }
    }

    /// The line's bytes as they are written.
    private func length(_ index: Int) -> Int {
        ends[index] - (index == 0 ? 0 : ends[index - 1])
    }

    private func withLines<Result>(
        _ query: LineQuery,
        _ body: (UnsafeBufferPointer<LineTerm>, (_ index: Int) -> LineScore.Line) -> Result
    ) -> Result {
        query.withTerms { terms in
            folded.withUnsafeBufferPointer { folded in
                bonuses.withUnsafeBufferPointer { bonuses in
                    body(terms) { index in
                        let range = (index == 0 ? 0 : foldedEnds[index - 1])..<foldedEnds[index]
                        return LineScore.Line(
                            folded: UnsafeBufferPointer(rebasing: folded[range]),
                            bonuses: UnsafeBufferPointer(rebasing: bonuses[range]),
                            letters: letters[index])
                    }
                }
            }
        }
    }

    /// A line that was found, best first: the lower, the better.
    struct Found: Hashable, Comparable, Sendable {
        let rank: UInt64
        /// The rank is the best that the line can have: its score has not been counted.
        var isEstimate = false

        /// Higher scores first, then shorter lines, then in their order.
        init(score: Int, length: Int, line: Int) {
            let missing = UInt64(Self.mostScore - min(max(score, 0), Self.mostScore))
            rank = missing << 40 | UInt64(min(length, 0xFF)) << 32 | UInt64(line)
        }

        /// As good as it can be when letters come to the query.
        init(_ found: Found, letters: Int) {
            let missing = found.rank >> 40
            let fewer = UInt64(min(letters * LineScore.mostForLetter, Int(missing)))
            rank = found.rank - fewer << 40
            isEstimate = true
        }

        var line: Int { Int(rank & 0xFFFF_FFFF) }
        /// Those of one score and length.
        var bucket: Int { Int(rank >> 32) }
        static let buckets = (mostScore + 1) << 8

        static func < (one: Found, other: Found) -> Bool { one.rank < other.rank }

        static let mostScore = 0x7FF
    }

    /// - Parameters:
    ///   - first: the number of the chunk's first line among all.
    ///   - among: numbers in the chunk; nil for all.
    ///   - takesSlips: whether a letter may be wrong, more, or missing.
    func find(
        _ query: LineQuery, first: Int, among: [Int]?, takesSlips: Bool = false
    ) -> [Found] {
        var found: [Found] = []
        found.reserveCapacity(among?.count ?? count)
        LineScore.Scratch.with(longest: Self.bytesLookedAt) { scratch in
            withLines(query) { terms, line in
                let ranks = query.ranks
                func look(at index: Int) {
                    let score = Self.score(line(index), terms, scratch, takesSlips: takesSlips)
                    guard let score else { return }
                    let length = ranks ? length(index) : 0
                    found.append(Found(score: score, length: length, line: first + index))
                }
                if let among {
                    for index in among { look(at: index) }
                } else {
                    for index in ends.indices { look(at: index) }
                }
            }
        }
        return found
    }

    /// nil for a line that does not meet every clause.
    @inline(__always)
    private static func score(
        _ line: LineScore.Line, _ terms: UnsafeBufferPointer<LineTerm>,
        _ scratch: LineScore.Scratch, takesSlips: Bool
    ) -> Int? {
        var (score, best) = (0, -1)
        for term in terms {
            // The letters are compared before anything else.
            let missing = term.letters & ~line.letters
            if missing == 0, let own = term.score(line, scratch) {
                best = max(best, own)
            } else if takesSlips, missing.nonzeroBitCount <= 1, term.isSlip(in: line.folded) {
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
