import Synchronization
import ValetArrangement

/// The newest snapshots of all lists, with a version number.
///
/// Event loops compare the version with that of their own copy at each request, which takes one
/// atomic load. So no answer is older than one that any other client has already received.
final class Publications: Sendable {
    struct Newest: Sendable {
        var number: UInt64 = 0
        var snapshots: [Snapshot?]
    }

    private let number = Atomic<UInt64>(0)
    private let newest: Mutex<Newest>

    init(listCount: Int) {
        newest = Mutex(Newest(snapshots: Array(repeating: nil, count: listCount)))
    }

    /// Publishes snapshots of several lists together: nobody sees only some of them.
    func publish(_ snapshots: [(list: Int, snapshot: Snapshot?)]) {
        newest.withLock { newest in
            for (list, snapshot) in snapshots { newest.snapshots[list] = snapshot }
            newest.number += 1
            number.store(newest.number, ordering: .releasing)
        }
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
