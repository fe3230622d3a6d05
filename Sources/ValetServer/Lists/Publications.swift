import Synchronization
import ValetArrangement

/// The newest snapshots of all lists, under one number, which event loops compare with that of the
/// snapshots they have: one atomic load for each request. So nobody is answered from older rows
/// than anybody else was told of before.
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

    func publish(_ snapshot: Snapshot, ofList list: Int) {
        newest.withLock { newest in
            newest.snapshots[list] = snapshot
            newest.number += 1
            number.store(newest.number, ordering: .releasing)
        }
    }

    /// Replaces what is older.
    func update(_ known: inout Newest) {
        guard number.load(ordering: .acquiring) != known.number else { return }
        known = newest.withLock { $0 }
    }
}
