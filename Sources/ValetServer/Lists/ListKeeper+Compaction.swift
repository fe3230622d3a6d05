import NIOCore
import ValetArrangement
import ValetModel

/// Taking back the memory of deleted rows and of texts that no row has any more.
extension ListKeeper {
    /// Begins a compaction, if it is worth it and may begin now.
    mutating func compact() -> [KeeperAction] {
        guard reading == nil, successor == nil, compaction == nil,
            snapshot?.cache.isWorthCompacting == true
        else { return [] }
        let number = nextNumber()
        compaction = Compaction(number: number)
        return [.compact(number: number)]
    }

    /// A compaction gives way to a reading.
    mutating func cancelCompaction() -> [KeeperAction] {
        guard let compaction else { return [] }
        self.compaction = nil
        return [.cancel(number: compaction.number)]
    }

    /// A thread begins with a compaction, or brings its result up to date.
    ///
    /// - Returns: the snapshot to compact, or the result and the changes that it lacks; nil if the
    ///   compaction was cancelled.
    mutating func compactionBegan(_ number: UInt64) -> (Snapshot, [RowChange])? {
        guard let compaction, compaction.number == number, let snapshot else { return nil }
        self.compaction = Compaction(number: number, hasBegun: true)
        return (compaction.compacted ?? snapshot, compaction.changes)
    }

    /// - Parameter compacted: nil if a change did not fit, or the server stops.
    mutating func compactionEnded(
        _ number: UInt64, _ compacted: Snapshot?, at now: NIODeadline
    ) -> [KeeperAction] {
        guard let compaction, compaction.number == number else { return [] }
        self.compaction = nil
        guard let compacted, let snapshot else { return [] }
        // A change costs as much for each arrangement.
        let rows = compaction.changes.count * max(1, compacted.arrangements.count)
        guard rows <= Limits.rowsCaughtUpInTurn else {
            self.compaction = compaction
            self.compaction?.compacted = compacted
            return [.compact(number: number)]
        }
        guard var newest = compacted.applying(compaction.changes, revision: snapshot.revision)
        else { return [] }
        for dropped in compacted.arrangements.keys where snapshot.arrangements[dropped] == nil {
            newest = newest.removing(dropped)
        }
        successor = Successor(snapshot: newest, columnBytes: nil, life: number)
        return buildShownForSuccessor() + succeedIfWhole(at: now)
    }
}
