import ValetModel

/// The rows of a list that commits have touched of late, so that a page can be read after a commit
/// that touched none of its rows.
///
/// Only revisions from `floor` to `newest` are known. Bounded: the older half is forgotten at once,
/// which raises the floor.
struct RecentTouches {
    private let most: Int
    /// The last revision that touched a row.
    private var recent: [Int64: UInt64] = [:]
    private var older: [Int64: UInt64] = [:]
    /// The newest revision in `older`.
    private var newestOlder: UInt64 = 0
    /// Rows that were touched at this revision or before are unknown.
    private(set) var floor: UInt64 = 0
    /// All commits from `floor` to this revision are recorded.
    private(set) var newest: UInt64 = 0

    init(most: Int = Limits.rowsTouchedRemembered) {
        self.most = most
    }

    var count: Int { recent.count + older.count }

    /// A commit leads from one revision to another. To be recorded before anybody can read the
    /// commit.
    mutating func record(_ rowIDs: some Collection<Int64>, from earlier: UInt64, to later: UInt64) {
        // What another program committed in between is unknown.
        guard earlier <= newest, rowIDs.count <= most / 2 else { return forget(to: later) }
        newest = max(newest, later)
        if recent.count + rowIDs.count > most / 2 {
            floor = max(floor, newestOlder)
            (older, newestOlder) = (recent, earlier)
            recent = [:]
        }
        for rowID in rowIDs { recent[rowID] = later }
    }

    /// A recorded commit failed: the list is still at this revision.
    mutating func withdraw(to revision: UInt64) {
        newest = min(newest, revision)
        floor = min(floor, revision)
    }

    /// Any row may have been touched up to this revision.
    mutating func forget(to revision: UInt64) {
        (recent, older) = ([:], [:])
        newestOlder = revision
        floor = max(floor, revision)
        newest = max(newest, revision)
    }

    /// True if no commit after `earlier`, up to `later`, touched any of the rows.
    func isUntouched(_ rowIDs: [Int64], after earlier: UInt64, to later: UInt64) -> Bool {
        if earlier == later { return true }
        guard floor <= earlier, later <= newest else { return false }
        return rowIDs.allSatisfy { recent[$0] ?? 0 <= earlier && older[$0] ?? 0 <= earlier }
    }
}
