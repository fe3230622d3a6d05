import NIOCore
import ValetArrangement
import ValetModel

/// Bringing results up to date that have missed commits. What has missed little is brought up to
/// date in the publisher's turn; the rest on a thread, again and again until little is left. So is
/// what is compacted.
extension ListKeeper {
    /// What a thread brings up to date.
    enum CatchUp {
        /// Arrangements, to a newer snapshot of the same rows.
        case build(Build, MissedChanges, to: Snapshot)
        /// A snapshot that stands beside the current one.
        case newcomer(Snapshot, MissedChanges)
    }

    /// A thread begins; nil if its work was cancelled.
    mutating func catchUpBegan(_ number: UInt64) -> CatchUp? {
        if var newcomer, newcomer.number == number {
            // Another program's rows would be lacking: it is taken as it was read.
            if newcomer.snapshot.revision < unknownRevision, !newcomer.isMixed {
                return .newcomer(newcomer.snapshot, MissedChanges())
            }
            if !newcomer.isMixed { newcomer.asRead = newcomer.snapshot }
            newcomer.isMixed = true
            renewal = .newcomer(newcomer)
            return .newcomer(newcomer.snapshot, backlogs.take(number))
        }
        guard let build = builds[number], build.start != nil,
            let newest = snapshot(ofLife: build.life)
        else { return nil }
        builds[number]?.start = newest
        builds[number]?.built = []
        return .build(build, backlogs.take(number), to: newest)
    }

    /// - Parameter caughtUp: nil if it has too many rows, or the server stops.
    mutating func newcomerCaughtUp(
        _ number: UInt64, _ caughtUp: Snapshot?, at now: NIODeadline
    ) -> [KeeperAction] {
        guard var newcomer, newcomer.number == number else { return [] }
        guard let caughtUp else {
            endRenewal(number)
            return read(at: now)
        }
        newcomer.snapshot = caughtUp
        return arrived(newcomer, at: now)
    }

    /// A list was read in, or compacted. It takes the current snapshot's place, if there is one,
    /// once it is up to date and all that views show is arranged in it.
    mutating func arrived(_ newcomer: Newcomer, at now: NIODeadline) -> [KeeperAction] {
        var newcomer = newcomer
        if newcomer.snapshot.revision < unknownRevision, let asRead = newcomer.asRead {
            (newcomer.snapshot, newcomer.isMixed, newcomer.asRead) = (asRead, false, nil)
        }
        let made = newcomer.snapshot
        // All changes since that are known can be added, unless another program's came in between:
        // with later ones it would be a mixture. Then it is taken as it was read, if that is newer
        // than what is shown.
        let isNewest = made.revision >= unknownRevision
        let isNewer = snapshot.map { made.revision > $0.revision } ?? true
        let missed = isNewest ? backlogs[newcomer.number] : MissedChanges()
        // A change costs as much for each arrangement.
        guard missed.count * max(1, made.arrangements.count) <= Limits.rowsCaughtUpInTurn else {
            renewal = .newcomer(newcomer)
            return [.catchUp(number: newcomer.number)]
        }
        endRenewal(newcomer.number)
        let revision = isNewest ? max(made.revision, newestRevision) : made.revision
        guard isNewest || isNewer && !newcomer.isMixed, revision >= snapshot?.revision ?? 0,
            var whole = made.catchingUp(with: missed, revision: revision)
        else {
            readsAtOnce = newcomer.isMixed
            return read(at: now)
        }
        readsAtOnce = false
        guard let snapshot else {
            self.snapshot = whole
            life = newcomer.number
            columnBytes = newcomer.columnBytes
            newestRevision = max(newestRevision, whole.revision)
            return goOn(at: now)
        }
        for dropped in whole.arrangements.keys where snapshot.arrangements[dropped] == nil {
            whole = whole.removing(dropped)
        }
        renewal = .successor(
            Successor(snapshot: whole, columnBytes: newcomer.columnBytes, life: newcomer.number))
        return buildForSuccessor() + succeedIfWhole(at: now)
    }

    // MARK: Taking back the memory of deleted rows and of texts that no row has any more

    /// Begins a compaction, if it is worth it and may begin now.
    mutating func compact() -> [KeeperAction] {
        guard renewal == nil, snapshot?.cache.isWorthCompacting == true else { return [] }
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
