import Synchronization
import ValetClient
import ValetModel

/// What all clients must be told alike: the totals of a question at a revision.
final class TotalsLedger: Sendable {
    private struct Entry: Hashable {
        var question: Question
        var grouping: String
        var revision: UInt64
    }

    private static let mostEntries = 10_000
    private let known = Mutex<[Entry: ViewSummary]>([:])

    func check(_ summary: ViewSummary, of question: Question) -> Mismatch? {
        let entry = Entry(
            question: question, grouping: summary.grouping, revision: summary.revision)
        return known.withLock { known in
            if let before = known[entry] {
                guard
                    before.totalRows != summary.totalRows
                        || before.totalSections != summary.totalSections
                else { return nil }
                return Mismatch(
                    .totals,
                    "\(summary.totalRows) rows in \(summary.totalSections) sections of "
                        + "\(summary.grouping), another client was told "
                        + "\(before.totalRows) in \(before.totalSections)")
            }
            if known.count >= Self.mostEntries { known = [:] }
            known[entry] = summary
            return nil
        }
    }

    /// Some of the searches that were asked, and what clients were told of them: any, since a
    /// dictionary has no order.
    func searches(of list: ListDescription, most: Int) -> [Viewpoint] {
        let searches = known.withLock { known in
            known.lazy.map { Viewpoint(list: list, question: $0.question, summary: $1) }
                .filter(\.isSearch).prefix(most)
        }
        return Array(searches)
    }
}
