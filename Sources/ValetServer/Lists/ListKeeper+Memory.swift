import ValetArrangement

/// What a list takes in memory, and what it can do without.
extension ListKeeper {
    /// In the order in which it is given up.
    enum Spare: CaseIterable {
        /// Arrangements that no view shows.
        case idleArrangements
        /// The whole list, if no view shows it.
        case list
        /// Columns that nothing shown needs.
        case columns
    }

    /// About what its columns and arrangements take.
    var byteCount: Int {
        let next = successor.map { successor in
            successor.snapshot.arrangements.values.reduce(successor.columnBytes) {
                $0 + $1.byteCount
            }
        }
        return shownBytes + (next ?? 0) + (newcomer?.columnBytes ?? 0) + backlogs.byteCount
            + (reading?.early?.byteCount ?? 0)
    }

    /// What the current snapshot takes.
    var shownBytes: Int { columnBytes + arranged.byteCount }

    /// What is given back when the build's successor takes over; 0 if it is not for a successor.
    func bytesReplaced(by build: UInt64) -> Int {
        successor != nil && builds[build]?.life == successor?.life ? shownBytes : 0
    }

    /// - Parameter columns: those that surveys use.
    mutating func giveUp(_ spare: Spare, except columns: Set<Int>) -> [KeeperAction] {
        guard let snapshot else { return [] }
        switch spare {
        case .idleArrangements: return giveUpIdle(of: snapshot)
        case .list: return columns.isEmpty ? putAway() : []
        case .columns: return giveUpColumns(of: snapshot, except: columns)
        }
    }

    private mutating func giveUpIdle(of snapshot: Snapshot) -> [KeeperAction] {
        var snapshot = snapshot
        guard arranged.dropIdle(from: &snapshot, awaited: waiting.keys, most: 0) else { return [] }
        self.snapshot = snapshot
        return [.publish(drops: true)]
    }

    /// The list is as before it was read in; its revisions go on.
    private mutating func putAway() -> [KeeperAction] {
        guard arranged.uses.isEmpty, !isAwaited, builds.isEmpty, reading == nil, newcomer == nil,
            successor == nil
        else { return [] }
        let actions = cancelCompaction()
        snapshot = nil
        columnBytes = 0
        arranged.clear()
        restsUntil = nil
        return actions + [.publish(drops: true)]
    }

    private mutating func giveUpColumns(
        of snapshot: Snapshot, except columns: Set<Int>
    ) -> [KeeperAction] {
        // What stands beside the snapshot has columns of its own.
        guard newcomer == nil, successor == nil else { return [] }
        // What is shown may lack its arrangement, if there was no memory to make it again.
        let specifications =
            Array(snapshot.arrangements.keys) + arranged.uses.keys + waiting.keys
            + builds.values.map(\.specification)
        let needed = (specifications.map(\.columns) + columnWaits.map(\.columns))
            .reduce(into: withKeys(of: columns)) { $0.formUnion($1) }
        let spare = snapshot.cache.columns.indices.filter {
            snapshot.cache.columns[$0] != nil && !needed.contains($0)
        }
        guard !spare.isEmpty else { return [] }
        let bytes = spare.reduce(0) { $0 + (snapshot.cache.columns[$1]?.byteCount ?? 0) }
        columnBytes = max(0, columnBytes - bytes)
        self.snapshot = snapshot.removing(columns: spare)
        return cancelCompaction() + [.publish(drops: true)]
    }
}
