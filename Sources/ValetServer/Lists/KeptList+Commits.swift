import Synchronization
import ValetArrangement
import ValetModel

/// What this server commits itself.
extension KeptList {
    /// What one commit did to one list.
    struct Commit: Sendable {
        let list: KeptList
        /// The rows that other programs' commits touched before, as they are now; nil if unknown.
        var found: [RowChange]?
        let changes: [RowChange]
        /// The commit was to what a derived list is made of.
        var mayHaveChanged = false
    }

    /// A commit that will touch these rows, and lead from one revision to another, is about to
    /// begin: whoever reads it finds it recorded.
    func willCommit(_ rowIDs: some Collection<Int64>, from earlier: UInt64, to later: UInt64) {
        touches.withLock { $0.record(rowIDs, from: earlier, to: later) }
    }

    /// A commit that may change any row of a derived list is about to begin.
    func willCommit(changingAnyRowTo later: UInt64) {
        touches.withLock { $0.forget(to: later) }
    }

    /// Begins to read a derived list in anew when it is behind and may be read again. On the
    /// publisher's thread.
    func readAgainIfBehind() {
        guard isDerived else { return }
        handle { $0.keeper.isOutdated ? $0.keeper.read(at: .now()) : [] }
    }

    /// Rows that nobody knows have changed. On the publisher's thread.
    /// - Returns: whether the list is behind, so that the call must be repeated.
    @discardableResult
    func takeUnknownRows(_ revision: UInt64) -> Bool {
        touches.withLock { if $0.newest < revision { $0.forget(to: revision) } }
        handle { $0.keeper.rowsUnknown(revision, at: .now()) }
        return isBehind
    }

    /// The commit failed: the list is still at this revision.
    func commitFailed(at revision: UInt64) {
        touches.withLock { $0.withdraw(to: revision) }
    }

    /// Takes in what a commit did. On the publisher's thread.
    func take(_ commit: Commit, _ othersRevision: UInt64?, _ revision: UInt64) -> Performed {
        take { state in
            var actions: [KeeperAction] = []
            if let found = commit.found, let othersRevision {
                actions = state.keeper.found(found, revision: othersRevision, at: .now())
            }
            return actions
                + (commit.mayHaveChanged
                    ? state.keeper.rowsUnknown(revision, at: .now())
                    : state.keeper.committed(commit.changes, revision: revision, at: .now()))
        }
    }

    /// True if a page that is named after one revision of the list can be read at another.
    func isUntouched(_ rowIDs: [Int64], after earlier: UInt64, to later: UInt64) -> Bool {
        // A copy stays as it is until a later one takes its place.
        if isCopied { return later <= earlier }
        return touches.withLock { $0.isUntouched(rowIDs, after: earlier, to: later) }
    }

    /// The rows that a query finds at a revision, in any order: at most `most`, and how many
    /// they are; nil if what is in memory is of another revision, or lacks a column.
    func rowIDs(
        of query: ArrangementSpecification, at revision: UInt64, most: Int
    ) -> (rowIDs: [Int64], count: Int)? {
        guard let snapshot, snapshot.revision == revision else { return nil }
        return snapshot.rowIDs(of: query, most: most)
    }
}
