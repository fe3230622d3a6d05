import ValetModel

/// Asks for entries of a list's log.
package struct HistoryQuery: Hashable, Sendable {
    package var list: Int
    /// Only entries of this row.
    package var rowID: Int64?
    /// Only entries before this one.
    package var before: LogPosition?
    package var most: Int
    /// What the station may see; nil for everything.
    package var allowed: AllowedList?

    package init(list: Int, rowID: Int64? = nil, before: LogPosition? = nil, most: Int) {
        self.list = list
        self.rowID = rowID
        self.before = before
        self.most = most
    }
}

extension Reader {
    /// Entries of a list's log, newest first; none in a file without a log.
    package func history(
        _ query: HistoryQuery, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> History {
        try readingLog(cancelled) { (_, newest) throws(ValetError) in
            guard let log = try log(ofList: query.list, for: query.allowed, newest: newest) else {
                return History(changes: [], hasMore: false)
            }
            var walk = HistoryWalk(log: log, query: query)
            try walk.run()
            return walk.history
        }
    }
}

/// Goes back through the log, command by command, until the page is full.
private struct HistoryWalk {
    var log: TableLog
    let query: HistoryQuery
    var history = History(changes: [], hasMore: false)
    var bytesFound = 0

    mutating func run() throws(ValetError) {
        var revision = try newest()
        var bytesRead = 0
        var commandsRead = 0
        while revision > log.rowIDsSince, let commit = try log.commit(at: revision) {
            guard commandsRead < Limits.commandsPerHistory,
                history.changes.isEmpty || bytesRead < Limits.bytesReadPerHistory
            else {
                history.hasMore = true
                return
            }
            commandsRead += 1
            bytesRead += commit.byteCount
            let effects = log.ownEffects(of: commit)
            for (place, effect) in effects.enumerated().reversed() {
                guard try add(effect, at: place, of: commit) else {
                    history.hasMore = true
                    return
                }
            }
            if let rowID = query.rowID {
                revision = effects.first { $0.rowID == rowID }?.previous ?? 0
            } else {
                revision = try newestChange(upTo: revision - 1)
            }
        }
        // Whoever goes back page by page has seen where the rows begin.
        let isHidden = history.changes.isEmpty && query.before == nil
        if isHidden, try newestChange(upTo: log.rowIDsSince) > 0 { throw log.renumbered }
    }

    /// The command to begin with; 0 if there is none.
    private mutating func newest() throws(ValetError) -> UInt64 {
        guard let rowID = query.rowID else {
            return try newestChange(upTo: query.before?.revision ?? .max)
        }
        // The next page begins at an entry of the row, so that newer ones are not walked again.
        if let before = query.before, let commit = try log.commit(at: before.revision),
            log.ownEffects(of: commit).contains(where: { $0.rowID == rowID })
        {
            return before.revision
        }
        let last = try log.prepared.integer(
            SQL.lastChange, [.integer(log.number), .integer(rowID)])
        return UInt64(clamping: last ?? 0)
    }

    private func newestChange(upTo revision: UInt64) throws(ValetError) -> UInt64 {
        let found = try log.prepared.integer(
            SQL.newestChange, [.integer(log.number), .integer(Int64(clamping: revision))])
        return UInt64(clamping: found ?? 0)
    }

    /// - Returns: false if the page is full.
    private mutating func add(
        _ effect: Effect, at place: Int, of commit: LoggedCommit
    ) throws(ValetError) -> Bool {
        let position = LogPosition(revision: commit.revision, place: place)
        guard query.rowID ?? effect.rowID == effect.rowID,
            query.before.map({ position < $0 }) ?? true,
            let entry = log.entry(effect, at: place, of: commit)
        else { return true }
        bytesFound += entry.bytesToSend
        guard history.changes.count < query.most,
            history.changes.isEmpty || bytesFound <= Limits.bytesPerHistory
        else { return false }
        history.changes.append(entry)
        return true
    }
}
