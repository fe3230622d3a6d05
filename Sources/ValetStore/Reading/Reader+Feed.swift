import ValetModel

/// Asks for the next entries of a list's log.
package struct FeedQuery: Hashable, Sendable {
    package var list: Int
    package var logID: UInt64
    package var after: LogPosition
    /// The newest revision to read; nil for any.
    package var newest: UInt64?
    /// The byte budget of all entries together.
    package var bytes: Int
    /// What the station may see; nil for everything.
    package var allowed: AllowedList?

    package init(list: Int, logID: UInt64, after: LogPosition, newest: UInt64? = nil, bytes: Int) {
        self.list = list
        self.logID = logID
        self.after = after
        self.newest = newest
        self.bytes = bytes
    }
}

/// The next entries of a list's log, oldest first.
package struct FeedPassage: Hashable, Sendable {
    package var changes: [LoggedChange] = []
    /// The entries up to here were read.
    package var end: LogPosition
    /// Whether more may be there already.
    package var hasMore = false
    /// The bytes of the next entry, if it alone is over the budget.
    package var bytesNeeded: Int?
}

/// Reads the log for feeds, on a read-only connection, so that the writer never waits for them.
extension Reader {
    /// Checks where a feed is to begin.
    ///
    /// - Parameter start: the client's last position, and the log it is of.
    /// - Returns: the ID of the file's log, even if it is yet to be made, and its newest revision.
    /// - Throws: `.expired` if entries behind the start are no longer kept, or it is of another
    ///   log.
    package func feedStart(
        list: Int, from start: (logID: UInt64, after: LogPosition)?,
        cancelled: () -> Bool = { false }
    ) throws(ValetError) -> (logID: UInt64, newest: UInt64) {
        try readingLog(cancelled) { (logID, newest) throws(ValetError) in
            if let start {
                // Revision 0 is before all entries of any log.
                if start.after.revision > 0 { try check(start.logID, is: logID) }
                // An older copy of the file was put in its place.
                guard start.after.revision <= newest else {
                    throw .expired("the log ends before the position: start again")
                }
                _ = try passage(
                    FeedQuery(list: list, logID: logID, after: start.after, bytes: 0),
                    newest: newest)
            }
            return (logID, newest)
        }
    }

    /// - Throws: `.expired` if entries behind the position are no longer kept, or it is of another
    ///   log.
    package func changes(
        _ query: FeedQuery, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> FeedPassage {
        try readingLog(cancelled) { (logID, newest) throws(ValetError) in
            try check(query.logID, is: logID)
            var query = query
            query.newest = min(query.newest ?? .max, newest)
            return try passage(query, newest: newest)
        }
    }

    func readingLog<Value>(
        _ cancelled: () -> Bool, _ body: (UInt64, UInt64) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        try connection.working(within: .lookup, cancelled: cancelled) { () throws(ValetError) in
            try connection.reading { () throws(ValetError) in
                guard try logStatements.integer(SQL.logExists) ?? 0 > 0 else {
                    return try body(database.newLogID, 0)
                }
                let stored = try logStatements.logState(of: database.path)
                let newest = try logStatements.integer(SQL.newestRevision)
                return try body(
                    database.keepsLog ? stored.logID : database.newLogID,
                    max(UInt64(clamping: newest ?? 0), try logStatements.newestRowIDs()))
            }
        }
    }

    private func check(_ asked: UInt64, is logID: UInt64) throws(ValetError) {
        guard asked == logID else { throw .expired("the position is of another log: start again") }
    }

    /// nil if nothing of the list was ever logged. Called in a transaction.
    ///
    /// - Parameter newest: of the log.
    func log(
        ofList list: Int, for allowed: AllowedList?, newest: UInt64
    ) throws(ValetError) -> TableLog? {
        let table = database.schema.tables[database.tables[list]]
        // A log of an earlier format has none.
        guard try logStatements.integer(SQL.entriesExist) ?? 0 > 0,
            let number = try logStatements.integer(SQL.loggedTable, [.text(table.name)])
        else { return nil }
        return TableLog(
            of: table, allowed.map(\.rows) ?? database.listedRows[list],
            hidden: allowed?.hidden ?? [], number: number,
            rowIDsSince: try logStatements.rowIDs(of: table, newest: newest), logStatements)
    }

    private func passage(_ query: FeedQuery, newest: UInt64) throws(ValetError) -> FeedPassage {
        guard let log = try log(ofList: query.list, for: query.allowed, newest: newest) else {
            return FeedPassage(end: query.after)
        }
        guard query.after.revision >= log.rowIDsSince else { throw log.renumbered }
        var walk = FeedWalk(log: log, query: query, passage: FeedPassage(end: query.after))
        return try walk.run()
    }
}

/// Goes forward through the log, command by command, until the passage is full.
private struct FeedWalk {
    var log: TableLog
    let query: FeedQuery
    var passage: FeedPassage
    var bytesFound = 0

    mutating func run() throws(ValetError) -> FeedPassage {
        var bytesRead = 0
        var commandsRead = 0
        while let revision = try nextChange() {
            // Of the entries that were dropped, the newest is still in the list of changes.
            guard let commit = try log.commit(at: revision) else {
                throw .expired(
                    "changes after revision \(query.after.revision) are no longer kept: start again"
                )
            }
            guard commandsRead < Limits.commandsPerHistory,
                bytesRead < Limits.bytesReadPerHistory
            else {
                passage.hasMore = true
                return passage
            }
            commandsRead += 1
            bytesRead += commit.byteCount
            let effects = log.ownEffects(of: commit)
            for (place, effect) in effects.enumerated() {
                guard try add(effect, at: place, of: commit) else {
                    passage.hasMore = true
                    return passage
                }
            }
            passage.end = .end(of: revision)
        }
        if let newest = query.newest { passage.end = max(passage.end, .end(of: newest)) }
        return passage
    }

    /// The next command to look at; nil if there is none.
    private func nextChange() throws(ValetError) -> UInt64? {
        let isWhole = passage.end >= .end(of: passage.end.revision)
        let first = Int64(clamping: passage.end.revision).addingReportingOverflow(isWhole ? 1 : 0)
        guard !first.overflow else { return nil }
        let found = try log.prepared.integer(
            SQL.nextChange, [.integer(log.number), .integer(first.partialValue)])
        guard let found, let revision = UInt64(exactly: found),
            revision <= query.newest ?? .max
        else { return nil }
        return revision
    }

    /// - Returns: false if the passage is full.
    private mutating func add(
        _ effect: Effect, at place: Int, of commit: LoggedCommit
    ) throws(ValetError) -> Bool {
        guard LogPosition(revision: commit.revision, place: place) > query.after,
            let entry = log.entry(effect, at: place, of: commit)
        else { return true }
        bytesFound += entry.bytesToSend
        guard passage.changes.count < Limits.changesPerAnswer, bytesFound <= query.bytes else {
            if passage.changes.isEmpty { passage.bytesNeeded = bytesFound }
            return false
        }
        passage.changes.append(entry)
        passage.end = entry.position
        return true
    }
}
