import Synchronization
import ValetArrangement

/// Estimates how far the reading-in has come by how far row ids have: counting rows would mean to
/// walk through the table.
///
/// Reading takes nine tenths of the time that a first build takes; sorting has the rest.
final class LoadProgress: Sendable {
    /// Thousandths of a build that reading takes.
    static let reading = 900

    private let work: ListWork
    private let range = Mutex<(first: Double, width: Double, passes: Double)>((0, 1, 1))

    init(_ work: ListWork) {
        self.work = work
    }

    /// From the beginning, with so many passes over the table.
    func begin(_ rowIDs: ClosedRange<Int64>?, passes: Int) {
        let first = Double(rowIDs?.lowerBound ?? 0)
        let last = Double(rowIDs?.upperBound ?? 0)
        range.withLock { $0 = (first, last - first + 1, Double(passes)) }
        work.progress.store(0, ordering: .relaxed)
    }

    func pass() -> Pass {
        let range = range.withLock { $0 }
        return Pass(
            work: work, first: range.first, share: Double(Self.reading) / range.passes,
            width: range.width)
    }

    /// All is read.
    func end() {
        work.progress.store(Self.reading, ordering: .relaxed)
    }

    /// One pass over the table. All passes count into the same sum.
    struct Pass {
        fileprivate let work: ListWork
        fileprivate let first: Double
        fileprivate let permillePerRowID: Double
        fileprivate let share: Double
        private var done = 0

        fileprivate init(
            work: ListWork, first: Double, share: Double, width: Double
        ) {
            self.work = work
            self.first = first
            permillePerRowID = share / width
            self.share = share
        }

        mutating func reached(_ rowID: Int64) {
            // Rows that came after the bounds were read may lie far outside.
            let permille = Int(max(0, min((Double(rowID) - first) * permillePerRowID, share)))
            work.progress.add(permille - done, ordering: .relaxed)
            done = permille
        }
    }
}
