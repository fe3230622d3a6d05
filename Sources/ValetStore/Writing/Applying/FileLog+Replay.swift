import ValetModel

/// What a replay has applied.
package struct ReplayedLog: Sendable {
    package var entries = 0
    package var commands = 0
    /// The newest of the copy.
    package var revision: UInt64 = 0
}

extension FileLog {
    /// Applies to a copy what the file's log has since it was made. The entries are checked: each
    /// against its hash, and against the one before.
    ///
    /// The copy is changed in transactions of whole entries, so a replay that was interrupted can
    /// be begun again.
    ///
    /// - Parameter start: the revision that the copy has to have.
    package static func replay(
        _ path: String, into copy: String, from start: UInt64? = nil
    ) throws(ValetError) -> ReplayedLog {
        let (path, copy) = (try FilePath.existingFile(path), try FilePath.existingFile(copy))
        guard FilePath.identity(of: path) != FilePath.identity(of: copy) else {
            throw ValetError(.unexpected, "“\(copy)” is the file itself: name a copy of it")
        }
        for file in [path, copy] { try LeftLog.check(file) }
        let ownership = try Ownership(of: copy, address: "valetd log replay")
        defer { withExtendedLifetime(ownership) {} }
        let source = try Connection(path: path)
        let target = try Connection(path: copy, access: .write)
        guard !target.isReadOnly else {
            throw .readOnly("“\(copy)” can't be changed: it is read-only")
        }
        try target.run(SQL.durable)
        try EntryApplier.prepare(target)
        return try source.working(within: .row) { () throws(ValetError) in
            try target.working(within: .row) { () throws(ValetError) in
                try source.reading { () throws(ValetError) in
                    var replay = try Replay(of: source, into: target, from: start)
                    return try replay.run()
                }
            }
        }
    }
}

/// A replay, inside a transaction of the file that is read.
private struct Replay {
    private let source: PreparedStatements
    private let target: Connection
    private let applier: EntryApplier
    private var done = ReplayedLog()

    init(of source: Connection, into target: Connection, from start: UInt64?) throws(ValetError) {
        let prepared = PreparedStatements(source)
        let state = try Self.state(of: prepared)
        self.target = target
        self.source = prepared
        try target.run(SQL.beginWriting)
        do throws(ValetError) {
            applier = try EntryApplier(try Self.log(of: target, as: state, notedBy: prepared))
            try Self.check(applier.log, follows: prepared, from: start)
        } catch {
            target.rollBack()
            throw error
        }
    }

    /// The transaction of the copy is open.
    mutating func run() throws(ValetError) -> ReplayedLog {
        done.revision = applier.log.newest
        do throws(ValetError) {
            var bytes = 0
            let first = Cell.integer(Int64(clamping: done.revision))
            try source.rows(SQL.entriesAfter, [first]) { (row) throws(ValetError) in
                let stored = row.byteArray(0)
                guard let entry = Entry(stored: stored) else { throw source.damagedEntry }
                let sealed = SealedEntry(entry, stored)
                guard sealed.hash == EntryHash(stored: row.byteArray(1)) else {
                    throw source.damagedEntry
                }
                try applier.apply(sealed)
                // What was applied does not count as time of the next entry.
                source.connection.interruption.rowCame()
                done.entries += 1
                done.commands += entry.commands.count
                bytes += stored.count
                if bytes >= Limits.bytesPerReplay {
                    try target.run(SQL.commit)
                    target.checkpoint()
                    try target.run(SQL.beginWriting)
                    bytes = 0
                }
                target.interruption.rowCame()
                done.revision = entry.last
                return true
            }
            try target.run(SQL.commit)
        } catch {
            target.rollBack()
            throw error
        }
        target.checkpoint()
        return done
    }

    private typealias State = (logID: UInt64, forgotten: Int64)

    private static func state(of prepared: PreparedStatements) throws(ValetError) -> State {
        let file = prepared.connection.file
        guard try prepared.integer(SQL.logExists) ?? 0 > 0 else {
            throw .expired("“\(file)” has no log: nobody has changed it with Valet")
        }
        let state = try prepared.logState(of: file)
        guard state.format == WrittenFile.format else {
            throw .expired(
                "the log of “\(file)” is of an earlier version of Valet: open the file once with "
                    + "this one")
        }
        return (state.logID, try prepared.integer(SQL.forgotten) ?? 0)
    }

    /// The log of the copy, which is made if it was copied before there was one.
    private static func log(
        of target: Connection, as state: State, notedBy source: PreparedStatements
    ) throws(ValetError) -> LogTables {
        let prepared = PreparedStatements(target)
        let isNew = try prepared.integer(SQL.logExists) ?? 0 == 0
        if isNew {
            try target.run(SQL.makeLog)
            try prepared.run(
                SQL.makeState,
                [.integer(Int64(bitPattern: state.logID)), .integer(state.forgotten)])
        }
        // A node's file takes in entries with its place in the cluster's log.
        try target.run(SQL.dropNodeMark)
        let own = try prepared.logState(of: target.file)
        guard own.logID == state.logID else {
            throw .expired(
                "“\(target.file)” has another log than “\(source.connection.file)”: it is no copy, "
                    + "or was served since it was made")
        }
        try LogUpgrade(prepared: prepared, logID: own.logID).run(from: own.format)
        let log = try LogTables(prepared, logID: own.logID)
        let schema = try Schema(of: target)
        if isNew || own.format < 6 { try log.noteRowIDs(of: schema, at: 0, isFirst: true) }
        try check(schema.tables, ofCopy: prepared, as: source)
        return log
    }

    /// Throws if one row id names two rows in the file and its copy.
    private static func check(
        _ tables: [StoredTable], ofCopy target: PreparedStatements, as source: PreparedStatements
    ) throws(ValetError) {
        for table in tables where table.isWritable && !table.keepsRowIDs {
            let name = [Cell.text(table.name)]
            // What has become of the file's rows since they were noted is in no entry.
            guard let known = try source.integer(SQL.notedRowIDsSince, name),
                try target.integer(SQL.rowIDsSince, name) != known
            else { continue }
            throw .expired(
                "the rows of “\(table.name)” have been given new ids since "
                    + "“\(target.connection.file)” was copied: copy the file anew")
        }
    }

    private static func check(
        _ log: LogTables, follows source: PreparedStatements, from start: UInt64?
    ) throws(ValetError) {
        let (copy, file) = (log.connection.file, source.connection.file)
        if let start, start != log.newest {
            throw .expired("“\(copy)” is at revision \(log.newest), not at \(start)")
        }
        let dropped = UInt64(clamping: try source.integer(SQL.dropped) ?? 0)
        guard log.newest >= dropped else {
            throw .expired(
                "“\(file)” keeps changes after revision \(dropped), and “\(copy)” is at "
                    + "\(log.newest): copy the file anew")
        }
        let newest = UInt64(clamping: try source.integer(SQL.newestRevision) ?? 0)
        guard log.newest <= newest else {
            throw .expired(
                "“\(copy)” is newer than “\(file)”: at revision \(log.newest), after \(newest)")
        }
        let hash = try source.run(
            SQL.hashOfEntry, [.integer(Int64(clamping: log.newest))]
        ) { EntryHash(stored: $0.byteArray(0)) }
        guard let hash, hash != log.head else { return }
        throw .expired("“\(copy)” and “\(file)” have different changes at revision \(log.newest)")
    }
}
