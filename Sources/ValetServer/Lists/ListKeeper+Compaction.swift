import NIOCore
import ValetArrangement
import ValetModel

/// Taking back the memory of deleted rows and of texts that no row has any more.
extension ListKeeper {
    /// Begins a compaction, if it is worth it and may begin now.
    mutating func compact() -> [KeeperAction] {
        guard renewal == nil,
            snapshot?.cache.isWorthCompacting == true
        else { return [] }
        let number = nextNumber()
        renewal = .compaction(number)
        return [.compact(number: number)]
    }

    /// A compaction gives way to a reading.
    mutating func cancelCompaction() -> [KeeperAction] {
        guard let compaction else { return [] }
        endRenewal(compaction)
        return [.cancel(number: compaction)]
    }

    /// A thread begins with a compaction.
    /// - Returns: the snapshot to compact; nil if the compaction was cancelled.
    mutating func compactionBegan(_ number: UInt64) -> Snapshot? {
        guard compaction == number, let snapshot else { return nil }
        backlogs.begin(number)
        return snapshot
    }

    /// - Parameter compacted: nil if the server stops.
    mutating func compactionEnded(
        _ number: UInt64, _ compacted: Snapshot?, at now: NIODeadline
    ) -> [KeeperAction] {
        guard compaction == number else { return [] }
        guard let compacted, snapshot != nil else {
            endRenewal(number)
            return []
        }
        return arrived(
            Newcomer(
                number: number, snapshot: compacted,
                columnBytes: compacted.cache.byteCount), at: now)
    }
}
