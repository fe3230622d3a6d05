import Synchronization
import ValetArrangement
import ValetModel

/// What this server commits itself.
extension KeptList {
    /// What one commit did to one list.
    struct Commit {
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

    /// Begins to read a derived list in anew when it is behind and may be read again.
    func readAgainIfBehind() {
        guard isDerived, state.withLock({ $0.keeper.isOutdated }) else { return }
        perform { $0.keeper.read(at: .now()) }
    }

    /// The commit failed: the list is still at this revision.
    func commitFailed(at revision: UInt64) {
        touches.withLock { $0.withdraw(to: revision) }
    }

    /// Publishes what one commit did to all lists that it concerns, under one number. Lists with no
    /// changes take the revision.
    static func committed(_ commits: [Commit], othersRevision: UInt64? = nil, revision: UInt64) {
        let commits = commits.sorted { $0.list.list < $1.list.list }
        guard let publications = commits.first?.list.publications else { return }
        var done: [Performed] = []
        var published: [Int: Snapshot] = [:]
        // All locks are held until the snapshots are published, and taken in the lists' order.
        func take(from place: Int) {
            guard place < commits.count else { return publications.publish(published) }
            let (commit, list) = (commits[place], commits[place].list)
            list.state.withLock { state in
                done.append(
                    list.take(&state) { state in
                        var actions: [KeeperAction] = []
                        if let found = commit.found, let othersRevision {
                            actions = state.keeper.found(
                                found, revision: othersRevision, at: .now())
                        }
                        return actions
                            + (commit.mayHaveChanged
                                ? state.keeper.rowsUnknown(revision, at: .now())
                                : state.keeper.committed(
                                    commit.changes, revision: revision, at: .now()))
                    })
                if done[place].publishes { published[list.list] = state.keeper.snapshot }
                take(from: place + 1)
            }
        }
        take(from: 0)
        for (commit, performed) in zip(commits, done) { commit.list.run(performed) }
    }

    /// True if a page that is named after one revision of the list can be read at another.
    func isUntouched(_ rowIDs: [Int64], after earlier: UInt64, to later: UInt64) -> Bool {
        // A copy stays as it is until a later one takes its place.
        if isCopied { return later <= earlier }
        return touches.withLock { $0.isUntouched(rowIDs, after: earlier, to: later) }
    }

    /// The rows that a question finds at a revision, in any order: at most `most`, and how many
    /// they are; nil if what is in memory is of another revision, or lacks a column.
    func rowIDs(
        of question: ArrangementSpecification, at revision: UInt64, most: Int
    ) -> (rowIDs: [Int64], count: Int)? {
        guard let snapshot = state.withLock({ $0.keeper.snapshot }),
            snapshot.revision == revision
        else { return nil }
        return snapshot.rowIDs(of: question, most: most)
    }
}
