import Synchronization

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
