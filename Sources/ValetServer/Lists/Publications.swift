import HashTreeCollections
import ValetArrangement
import ValetModel

import struct Synchronization.Atomic

/// The newest snapshots of all lists, with a version number.
///
/// Event loops compare the version with that of their own copy at each request, which takes one
/// atomic load. So no answer is older than one that any other client has already received.
final class Publications: Sendable {
    struct Newest: Sendable {
        var number: UInt64 = 0
        /// By list, of those that were read in. A copy shares all but what has changed, so neither
        /// to make nor to free one takes longer the more lists there are.
        var snapshots = TreeDictionary<Int, Snapshot>()
    }

    private let number = Atomic<UInt64>(0)
    /// Held for as long as it takes to copy a reference.
    private let newest = Mutex(Newest())

    /// Publishes snapshots of several lists together: nobody sees only some of them. On one thread.
    func publish(_ snapshots: [(list: Int, snapshot: Snapshot?)]) {
        var next = newest.withLock { $0 }
        for (list, snapshot) in snapshots { next.snapshots[list] = snapshot }
        next.number += 1
        let old = newest.withLock { exchange(&$0, with: next) }
        number.store(next.number, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    /// Updates a copy if there is a newer version.
    func update(_ known: inout Newest) {
        guard number.load(ordering: .acquiring) != known.number else { return }
        known = newest.withLock { $0 }
    }

    /// For threads that have no copy; nil before the list was read in.
    func snapshot(ofList list: Int) -> Snapshot? {
        newest.withLock { $0.snapshots[list] }
    }
}
