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
        let narrows = !query.isEmpty && !areSlips && newer.isNarrower(than: query)
        query = newer
        findAll(among: narrows ? found : nil)
    }

    /// - Parameter wider: only these can be found.
    private mutating func findAll(among wider: [[LineChunk.Found]]? = nil) {
        (best, bestAsked, areSlips) = ([], 0, false)
        if query.isEmpty {
            (found, count) = ([], lineCount)
            return
        }
        found = search(among: wider, takesSlips: false)
        count = found.reduce(0) { $0 + $1.count }
        guard count == 0 else { return }
        let slips = search(among: nil, takesSlips: true)
        count = slips.reduce(0) { $0 + $1.count }
        if count > 0 { (found, areSlips) = (slips, true) }
    }

    /// The chunks side by side, on all cores.
    private func search(
        among wider: [[LineChunk.Found]]?, takesSlips: Bool
    ) -> [[LineChunk.Found]] {
        let (chunks, starts, query) = (chunks, starts, query)
        @Sendable func find(_ place: Int) -> [LineChunk.Found] {
            chunks[place].find(
                query, first: starts[place],
                among: wider.map { $0[place].map { $0.line - starts[place] } },
                takesSlips: takesSlips)
        }
        guard chunks.count > 1 else { return chunks.indices.map(find) }
        let results = Mutex([[LineChunk.Found]](repeating: [], count: chunks.count))
        DispatchQueue.concurrentPerform(iterations: chunks.count) { place in
            let found = find(place)
            results.withLock { $0[place] = found }
        }
        return results.withLock { $0 }
    }

    /// The numbers of the best lines from a place on.
    mutating func numbers(_ range: Range<Int>) -> [Int] {
        let range = range.clamped(to: 0..<count)
        if query.isEmpty { return Array(range) }
        if range.upperBound > bestAsked { sort(atLeast: max(range.upperBound * 2, Self.fewest)) }
        return best[range.clamped(to: best.indices)].map(\.line)
    }

    private static let fewest = 256

    /// Only the best are put in order. Lines are counted by score and length, which gives the
    /// bucket that the last of them is in; those of one bucket stand in order already.
    private mutating func sort(atLeast wanted: Int) {
        guard count > wanted else {
            (best, bestAsked) = (found.joined().sorted(), count)
            return
        }
        var counts = [UInt32](repeating: 0, count: LineChunk.Found.buckets)
        for lines in found {
            for line in lines { counts[line.bucket] += 1 }
        }
        var (bound, sum) = (0, 0)
        while sum + Int(counts[bound]) < wanted {
            sum += Int(counts[bound])
            bound += 1
        }
        var (better, last): ([LineChunk.Found], [LineChunk.Found]) = ([], [])
        for lines in found {
            for line in lines where line.bucket <= bound {
                if line.bucket < bound {
                    better.append(line)
                } else if last.count < wanted - sum {
                    last.append(line)
                }
            }
        }
        (best, bestAsked) = (better.sorted() + last, wanted)
    }
}
