import NIOCore
import ValetModel

import struct Synchronization.Atomic

/// A queued or running reading or build: the state that its thread shares with others.
final class ListWork: Sendable {
    let isCancelled = StopFlag()
    let ordered = NIODeadline.now()
    /// In thousandths.
    let progress: Atomic<Int>
    /// Its number in the pool, once it is submitted.
    let place = Mutex<WorkNumber?>(nil)

    init(begun: Int = 0) {
        progress = Atomic(begun)
    }
}

/// A request for an arrangement that was not answered yet. Whoever made it keeps this, to abandon
/// it and to see how far it is.
final class PendingArrangement: Sendable {
    let ticket: UInt64
    /// The reading or build that it waits for, once there is one.
    private let work = Mutex<ListWork?>(nil)

    init(ticket: UInt64) {
        self.ticket = ticket
    }

    /// nil before there is anything to wait for.
    var thousandthsDone: Int? {
        work.withLock { $0 }?.progress.load(ordering: .relaxed)
    }

    func waits(for work: ListWork?) {
        self.work.withLock { $0 = work }
    }
}

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
        let share = Double(Self.reading) / range.passes
        return Pass(
            work: work, first: range.first, permillePerRowID: share / range.width, share: share)
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
        fileprivate var done = 0

        mutating func reached(_ rowID: Int64) {
            // Rows inserted after the bounds were read may lie far outside.
            let permille = Int(max(0, min((Double(rowID) - first) * permillePerRowID, share)))
            work.progress.add(permille - done, ordering: .relaxed)
            done = permille
        }
    }
}
