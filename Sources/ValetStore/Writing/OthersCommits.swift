/// Commits of other programs, as far as a writer has seen and reported them.
struct OthersCommits: Equatable {
    /// The newest that was seen.
    private(set) var newest: UInt64
    /// The newest that may have changed rows, which is not above `newest`. The opening counts as
    /// one if others may have changed the file before.
    private(set) var changedRows: UInt64
    /// The newest that was reported.
    private var reported: UInt64
    /// The newest revision that was reported, also of this process.
    private var lastReported: UInt64
    /// False if another program may have moved rows without triggers since the last report.
    private(set) var isNoted: Bool

    /// - Parameters:
    ///   - start: the revision of the opening, whose state is known to all.
    ///   - left: the newest before the opening, where the file is as it was left; else nil.
    init(newest: UInt64, since start: UInt64, left: UInt64?, isNoted: Bool) {
        self.newest = newest
        changedRows = min(left ?? newest, newest)
        (reported, lastReported) = (start, start)
        self.isNoted = isNoted
    }

    mutating func saw(_ revision: UInt64) {
        if revision != newest { (newest, changedRows) = (revision, revision) }
    }

    /// The tables have other triggers.
    mutating func changedTables() { isNoted = false }

    /// The revision to report, and the one that was reported before; nil if all were.
    var unreported: (before: UInt64, revision: UInt64)? {
        newest == reported ? nil : (lastReported, newest)
    }

    /// A batch was reported, with what others had committed before it if that was new.
    mutating func reported(_ others: UInt64?, with batch: UInt64) {
        if let others { reported = others }
        lastReported = batch
        isNoted = true
    }
}
