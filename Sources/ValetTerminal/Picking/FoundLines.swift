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
        let longer = narrows ? newer.longerTerms(than: query) : nil
        query = newer
        if let longer {
            narrow(by: longer.terms, letters: longer.letters)
        } else {
            findAll(among: narrows ? found : nil)
        }
    }

    /// Most of what is found is never shown: its scores are not counted until it may be.
    private mutating func narrow(by terms: LineQuery, letters: Int) {
        let (chunks, starts, wider) = (chunks, starts, found)
        found = Self.sideBySide(chunks.count) { place in
            chunks[place].narrow(
                wider[place], first: starts[place], by: terms, letters: letters)
        }
        count = found.reduce(0) { $0 + $1.count }
        if count == 0 { return findSlips() }
        (best, bestAsked) = ([], 0)
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
        if count == 0 { findSlips() }
    }

    private mutating func findSlips() {
        (best, bestAsked) = ([], 0)
        let slips = search(among: nil, takesSlips: true)
        count = slips.reduce(0) { $0 + $1.count }
        if count > 0 { (found, areSlips) = (slips, true) }
    }

    /// The chunks side by side, on all cores.
    private func search(
        among wider: [[LineChunk.Found]]?, takesSlips: Bool
    ) -> [[LineChunk.Found]] {
        let (chunks, starts, query) = (chunks, starts, query)
        return Self.sideBySide(chunks.count) { place in
            chunks[place].find(
                query, first: starts[place],
                among: wider.map { $0[place].map { $0.line - starts[place] } },
                takesSlips: takesSlips)
        }
    }

    private static func sideBySide(
        _ count: Int, _ find: @Sendable (_ place: Int) -> [LineChunk.Found]
    ) -> [[LineChunk.Found]] {
        guard count > 1 else { return (0..<count).map(find) }
        let results = Mutex([[LineChunk.Found]](repeating: [], count: count))
        DispatchQueue.concurrentPerform(iterations: count) { place in
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

    /// Counts scores, from those on that can be the best, until so many are known to be the best:
    /// what has not been counted comes after them at best.
    private mutating func scoreBest(_ wanted: Int) {
        guard found.contains(where: { $0.contains(where: \.isEstimate) }) else { return }
        var looked = wanted
        while true {
            looked = min(looked * 4, count)
            let bound = bucket(ofBest: looked).last
            score(until: bound)
            let known = found.reduce(0) { $0 + $1.count { $0.bucket <= bound } }
            if known >= wanted || looked == count { return }
        }
    }

    private mutating func score(until bucket: Int) {
        let (chunks, starts, query, lines) = (chunks, starts, query, found)
        found = Self.sideBySide(found.count) { place in
            var found = lines[place]
            chunks[place].score(&found, query, first: starts[place], until: bucket)
            return found
        }
    }

    /// The bucket that the last of the best is in, and how many are in those before.
    private func bucket(ofBest wanted: Int) -> (last: Int, before: Int) {
        var counts = [UInt32](repeating: 0, count: LineChunk.Found.buckets)
        for lines in found {
            for line in lines { counts[line.bucket] += 1 }
        }
        var (last, sum) = (0, 0)
        while sum + Int(counts[last]) < wanted {
            sum += Int(counts[last])
            last += 1
        }
        return (last, sum)
    }

    /// Only the best are put in order. Lines are counted by score and length, which gives the
    /// bucket that the last of them is in; those of one bucket stand in order already.
    private mutating func sort(atLeast wanted: Int) {
        guard count > wanted else {
            score(until: LineChunk.Found.buckets)
            (best, bestAsked) = (found.joined().sorted(), count)
            return
        }
        scoreBest(wanted)
        let (bound, sum) = bucket(ofBest: wanted)
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
