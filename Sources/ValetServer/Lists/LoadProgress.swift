import Synchronization
import ValetArrangement

/// Estimates the progress of a reading from the row ids it has reached: counting the rows first
/// would take a pass over the table.
///
/// Of a first build's time, reading takes about nine tenths, and sorting the rest.
final class LoadProgress: Sendable {
    /// Reading's share of a build, in thousandths.
    static let reading = 900

    private let work: ListWork
    private let range = Mutex<(first: Double, width: Double, passes: Double)>((0, 1, 1))

    init(_ work: ListWork) {
        self.work = work
    }

    /// Starts again from zero.
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

    /// Everything has been read.
    func end() {
        work.progress.store(Self.reading, ordering: .relaxed)
    }

    /// One pass over the table. Passes that run at the same time add to one sum.
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
            // Rows inserted after the bounds were read may lie far outside.
            let permille = Int(max(0, min((Double(rowID) - first) * permillePerRowID, share)))
            work.progress.add(permille - done, ordering: .relaxed)
            done = permille
        }
    }
}
