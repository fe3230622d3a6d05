import ValetClient
import ValetModel

/// The totals of each query at each revision, which must be the same for all clients.
final class TotalsLedger: Sendable {
    private struct Entry: Hashable {
        var query: Query
        var grouping: String
        var revision: UInt64
    }

    private static let mostEntries = 10_000
    private let known = Mutex<[Entry: ViewSummary]>([:])

    func check(_ summary: ViewSummary, of query: Query) -> Mismatch? {
        let entry = Entry(query: query, grouping: summary.grouping, revision: summary.revision)
        return known.withLock { known in
            guard let before = known[entry] else {
                if known.count >= Self.mostEntries { known = [:] }
                known[entry] = summary
                return nil
            }
            let (now, then) = (summary.totals, before.totals)
            if now == then { return nil }
            return Mismatch(
                .totals,
                "\(now.rows) rows in \(now.sections) sections of \(summary.grouping), another "
                    + "client was told \(then.rows) in \(then.sections)")
        }
    }

    /// Some of the searches that were asked, with the totals that clients got. The same seed picks
    /// the same ones from the same searches.
    func searches(of list: ListDescription, most: Int, seed: UInt64) -> [Viewpoint] {
        known.withLock { $0 }
            .map { entry, summary in
                let search = entry.query.search
                let names =
                    [search?.text ?? "", search?.scope ?? "", entry.grouping]
                    + entry.query.conditions.map { "\($0)" }
                return (rank: Self.rank(of: names, seed: seed), entry: entry, summary: summary)
            }
            .sorted { ($0.rank, $1.entry.revision) < ($1.rank, $0.entry.revision) }
            .lazy.map { Viewpoint(list: list, query: $0.entry.query, summary: $0.summary) }
            .filter(\.isSearch).prefix(most).map(\.self)
    }

    /// FNV-1a, since the hashes of Swift's dictionaries differ from run to run.
    private static func rank(of names: [String], seed: UInt64) -> UInt64 {
        names.joined(separator: "\0").utf8.reduce(seed ^ 0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }
}

extension ViewSummary {
    fileprivate var totals: (rows: Int, sections: Int) { (totalRows, totalSections) }
}
