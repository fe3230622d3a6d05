import Dispatch
import ValetModel

/// The lines that a query finds, best first, among all that have been read so far.
struct FoundLines: Sendable {
    private(set) var chunks: [LineChunk] = []
    /// The number of each chunk's first line, and behind the last that of the next line.
    private var starts = [0]
    private(set) var query = LineQuery("")
    /// By chunk, what the query finds, in the order of the lines.
    private var found: [[LineChunk.Found]] = []
    private(set) var count = 0
    /// No line has all that was typed, but these have something like it.
    private(set) var areSlips = false
    /// The scores of some have not been counted.
    private var areEstimates = false
    /// The best, in order: as many as were asked for.
    private var best: [LineChunk.Found] = []
    private var bestAsked = 0

    var lineCount: Int { starts[starts.count - 1] }

    func line(_ number: Int) -> ArraySlice<UInt8> {
        guard let chunk = starts.indices.dropLast().last(where: { starts[$0] <= number }),
            number < lineCount
        else { return [] }
        return chunks[chunk].line(number - starts[chunk])
    }

    /// More lines have come.
    mutating func add(_ chunk: LineChunk) {
        let first = lineCount
        chunks.append(chunk)
        starts.append(first + chunk.count)
        if query.isEmpty { return count = lineCount }
        if areSlips { return findAll() }
        let new = chunk.find(query, first: first, among: nil)
        found.append(new)
        count += new.count
        (best, bestAsked) = ([], 0)
        if count == 0 { findAll() }
    }

    mutating func find(_ newer: LineQuery) {
        guard newer != query else { return }
        let narrows = !query.isEmpty && newer.isNarrower(than: query)
        let known = narrows ? newer.lettersKnown(to: query) : nil
        query = newer
        if narrows, areSlips {
            findSlips()
        } else if let known {
            narrow(behind: known)
        } else {
            findAll(among: narrows ? found : nil)
        }
    }

    /// Most of what is found is never shown: its scores are not counted until it may be.
    ///
    /// - Parameter known: how many letters the last term had when the lines were found.
    private mutating func narrow(behind known: Int) {
        let term = query.lettersAtEnd ?? []
        eachChunk { chunk, first, found in
            if known == 0 { found = chunk.all(first: first) }
            chunk.narrow(&found, first: first, by: term, behind: known)
        }
        count = found.reduce(0) { $0 + $1.count }
        if count == 0 { return findSlips() }
        (best, bestAsked, areEstimates) = ([], 0, true)
    }

    /// - Parameter wider: only these can be found.
    private mutating func findAll(among wider: [[LineChunk.Found]]? = nil) {
        (best, bestAsked, areSlips) = ([], 0, false)
        if query.isEmpty {
            (found, count) = ([], lineCount)
            return
        }
        if wider == nil, query.terms.count == 1, query.lettersAtEnd != nil {
            found = Array(repeating: [], count: chunks.count)
            return narrow(behind: 0)
        }
        search(among: wider, takesSlips: false)
        if count == 0 { findSlips() }
    }

    private mutating func findSlips() {
        (best, bestAsked) = ([], 0)
        if query.takesSlips {
            search(among: nil, takesSlips: true)
        } else {
            (found, count) = (Array(repeating: [], count: chunks.count), 0)
        }
        areSlips = count > 0
    }

    private mutating func search(among wider: [[LineChunk.Found]]?, takesSlips: Bool) {
        found = wider ?? Array(repeating: [], count: chunks.count)
        let (query, isAmong) = (query, wider != nil)
        eachChunk { chunk, first, found in
            let among = isAmong ? found.map { $0.line - first } : nil
            found = chunk.find(query, first: first, among: among, takesSlips: takesSlips)
        }
        (count, areEstimates) = (found.reduce(0) { $0 + $1.count }, false)
    }

    /// The chunks side by side, on all cores.
    private mutating func eachChunk(
        _ body: @Sendable (LineChunk, _ first: Int, _ found: inout [LineChunk.Found]) -> Void
    ) {
        let (chunks, starts) = (chunks, starts)
        found.withUnsafeMutableBufferPointer { found in
            // Each iteration has an element of its own.
            nonisolated(unsafe) let found = found
            DispatchQueue.concurrentPerform(iterations: found.count) { place in
                body(chunks[place], starts[place], &found[place])
            }
        }
    }

    /// The numbers of the best lines from a place on.
    mutating func numbers(_ range: Range<Int>) -> [Int] {
        let range = range.clamped(to: 0..<count)
        if query.isEmpty { return Array(range) }
        if range.upperBound > bestAsked {
            sort(atLeast: max(range.upperBound * 4 / 3, Self.fewest))
        }
        return best[range.clamped(to: best.indices)].map(\.line)
    }

    private static let fewest = 64

    /// Only the best are put in order: those up to a score and length. What has not been counted
    /// comes after its estimate at best, so scores are counted from those on that can be the best.
    private mutating func sort(atLeast wanted: Int) {
        var (bound, looked) = (-1, wanted)
        while areEstimates {
            // Whatever the others are worth, the best are among those up to here.
            let enough = bound < 0 ? Int.max : bucket(ofBest: wanted, areCounted: true)
            if enough <= bound { break }
            looked = min(looked * 4, count)
            let next = bucket(ofBest: looked)
            bound = min(next, enough)
            score(until: bound)
            areEstimates = looked < count || bound < next
        }
        if !areEstimates { bound = bucket(ofBest: wanted) }
        let better = lines(until: bound, atLeast: wanted)
        (best, bestAsked) = (Array(better.sorted().prefix(wanted)), wanted)
    }

    /// Those in buckets up to one, but no more of the last than are wanted: these stand in order
    /// already.
    private func lines(until bucket: Int, atLeast wanted: Int) -> [LineChunk.Found] {
        var (lines, left): ([LineChunk.Found], Int) = ([], wanted)
        for line in found.joined() where line.bucket <= bucket {
            if line.bucket == bucket { left -= 1 }
            if line.bucket < bucket || left >= 0 { lines.append(line) }
        }
        return lines
    }

    private mutating func score(until bucket: Int) {
        let query = query
        eachChunk { chunk, first, found in
            chunk.score(&found, query, first: first, until: bucket)
        }
    }

    /// The bucket that the last of the best is in. Lines are counted by score, and those of its
    /// score by length.
    ///
    /// - Parameter areCounted: leaves out lines whose score is an estimate.
    private func bucket(ofBest wanted: Int, areCounted: Bool = false) -> Int {
        var scores = [Int](repeating: 0, count: LineChunk.Found.mostScore + 1)
        for lines in found {
            for line in lines where !areCounted || !line.isEstimate { scores[line.missing] += 1 }
        }
        let score = Self.place(of: wanted, in: scores)
        var lengths = [Int](repeating: 0, count: LineChunk.Found.mostLength + 1)
        for lines in found {
            for line in lines
            where line.missing == score.last && (!areCounted || !line.isEstimate) {
                lengths[line.length] += 1
            }
        }
        let length = Self.place(of: wanted - score.before, in: lengths)
        return LineChunk.Found.bucket(missing: score.last, length: length.last)
    }

    /// Where the last of so many is counted, and how many are before.
    private static func place(of wanted: Int, in counts: [Int]) -> (last: Int, before: Int) {
        var (last, before) = (0, 0)
        while last < counts.count - 1, before + counts[last] < wanted {
            before += counts[last]
            last += 1
        }
        return (last, before)
    }
}
