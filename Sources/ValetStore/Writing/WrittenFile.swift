import CSQLite
import ValetModel

/// The file, opened for writing: with a write-ahead log and Valet's own tables. It makes the
/// transactions in which a `Decider` makes entries and `LogTables` stores them.
///
/// Between two transactions:
/// - The tables are those that the catalog shows, as of `schemaVersion`.
/// - No revision above `highestTold` was told, and those up to it are not given again.
/// - `others` has what other programs have committed, as far as it was seen.
/// - What was committed is in the file that is open, of which `database.watch` knows whether it is
///   the one at the path.
final class WrittenFile {
    let database: Database
    let connection: Connection
    let prepared: PreparedStatements
    let log: LogTables
    let decider: Decider
    private(set) var schemaVersion: Int64
    /// False until the transaction that found the schema's version is committed.
    private var isSchemaStored = true
    let pageSize: Int64
    /// Pages in the write-ahead log that may not be in the file yet.
    var pagesInLog: Int64 = 0
    var others: OthersCommits
    /// No higher revision is told to anybody: kept in the file, some way ahead.
    var highestTold: UInt64
    /// As it was after the last COMMIT.
    private var committedTold: UInt64
    /// The tables whose changes `TouchTriggers` note.
    private(set) var notedTables: Set<Int> = []
    let ownership: Ownership
    /// Whether it is a node's: then a cluster's log has each of its entries, and only those.
    let isOfNode: Bool
    /// The cluster's log has an entry that could not be committed here.
    var lacksEntry = false
    /// What entries of others are applied by; nil until there is one, or if the tables are others.
    var applier: EntryApplier?
    /// False as long as the log was made in a transaction that is still open.
    var hasLog: Bool

    /// What an opening does to a file without a log.
    enum Opening {
        case makingLog
        /// The log is made in the transaction of the first command.
        case withFirstCommand
        /// The same, for a command that is taken back: the file stays as it is.
        case onTrial
    }

    /// - Parameters:
    ///   - path: with symbolic links resolved.
    ///   - time: the time now.
    init(
        _ database: Database, path: String, ownership: Ownership, newWriters: NewWriters,
        _ opening: Opening, at time: Int64, isStopping: @escaping @Sendable () -> Bool
    ) throws(ValetError) {
        self.database = database
        self.ownership = ownership
        let note = ownership.note
        let connection = try Connection(
            path: database.path, access: .write, leavesLog: true, isStopping: isStopping)
        try database.watch.check(connection)
        self.connection = connection
        let prepared = PreparedStatements(connection)
        self.prepared = prepared
        let newest = try database.watch.lookForOthers()
        // This look comes after the one above, so that no commit in between is missed.
        let left = note?.left.flatMap { $0.isLeft(path) ? $0 : nil }
        guard !connection.isReadOnly else {
            throw .readOnly(
                "“\(database.path)” can't be changed: the file, or its folder, is read-only")
        }
        if opening == .onTrial {
            try connection.run(SQL.noSpilling)
        } else {
            try connection.turnOnLog()
            try connection.run(SQL.durable)
        }
        pageSize = try connection.integer(SQL.pageSize)

        try connection.run(SQL.beginWriting)
        let changes = connection.totalChanges
        do throws(ValetError) {
            if opening != .onTrial { try database.watch.beginCounting() }
            // Commits of others since the opening are reported with the first batch.
            let start = database.watch.opening
            let opened = try connection.integer(SQL.schemaVersion)
            guard try connection.hasTables(of: database, at: opened) else {
                throw .busy("the tables of “\(database.path)” have just changed: try again")
            }
            let budget = database.budgets.opening
            isOfNode = try connection.nodeState() != nil
            let told = try connection.result(of: connection.storedRevision(), within: budget)
            hasLog = told != nil
            try connection.checkLogTables(hasLog ? [SQL.nameOfStateTable] : [])
            if !hasLog {
                try connection.run(SQL.makeLog)
                // Nobody knows the writers of a log that was removed.
                let forgotten = note == nil ? 0 : time / 1_000
                try prepared.run(
                    SQL.makeState,
                    [.integer(Int64(bitPattern: database.newLogID)), .integer(forgotten)])
            }
            let stored = try prepared.logState(of: database.path)
            let logID = database.keepsLog ? stored.logID : database.newLogID
            try LogUpgrade(prepared: prepared, logID: stored.logID).run(from: stored.format)
            try connection.checkLogTables(SQL.namesOfLogTables)
            if !database.keepsLog, stored.logID != database.newLogID {
                try prepared.run(SQL.beginLog, [.integer(Int64(bitPattern: database.newLogID))])
            }
            let log = try connection.result(
                of: LogTables(prepared, logID: logID, newWriters: newWriters), within: budget)
            self.log = log
            let isOfLog = database.keepsLog && note?.logID == stored.logID
            // Others' revisions are not logged, so an earlier one may be higher than those of now.
            others = OthersCommits(
                newest: newest, since: start.revision, left: isOfLog ? left?.othersRevision : nil,
                isNoted: opened == start.schemaVersion)
            // Another process may have made commands since the file was opened here.
            let revision = try database.watch.look(above: isOfNode ? nil : told)
            highestTold = revision &+ UInt64(Limits.revisionsAhead)
            committedTold = highestTold
            try prepared.run(SQL.saveHighestTold, [.integer(Int64(clamping: highestTold))])
            let isFirst = !hasLog || stored.format < 6
            try connection.result(
                of: log.noteRowIDs(of: database.schema, at: revision, isFirst: isFirst),
                within: budget)
            schemaVersion = try connection.integer(SQL.schemaVersion)
            try prepared.save(database.epochs, at: schemaVersion)
            decider = try connection.result(of: Decider(database, log), within: budget)
            try keepHighestRowIDs()
            decider.keptHighestRowIDs()
            try findTriggers()
            if opening != .onTrial, hasLog || opening == .makingLog {
                // The rows are as before.
                try connection.commit(as: revision, to: database.watch, changedSince: changes)
                hasLog = true
                database.watch.stored(log: logID, newestCommand: log.newest)
            }
        } catch {
            connection.rollBack()
            throw error
        }
        if isOfNode { decider.limitEntries(to: Limits.bytesOfNodeCommands) }
        countPages()
        guard hasLog, opening != .onTrial else { return }
        // After a crash the index does not say how far the log was moved.
        ownership.logIsBeingMoved()
        connection.checkpoint()
    }

    /// The format of the tables `_valet_…`. Format 3 did not keep revisions that no command has; in
    /// format 4 writers had IDs of 64 bits, and effects stood alone; format 5 did not note what row
    /// ids name.
    static let format: Int64 = 6

    static func otherFormat(_ file: String) -> ValetError {
        ValetError(.readOnly, "“\(file)” was changed by another version of Valet: use that one")
    }

    /// Throws if the path no longer leads to the open file, whose commits would be lost, or if
    /// another process owns the file by now.
    func checkFile() throws(ValetError) {
        try ownership.check()
        guard try database.watch.keepsCommits() else { throw replaced }
    }

    /// The system kills a process that reads the index of the log after it was cut (SIGBUS), and
    /// rolling back reads it, too.
    var isIndexCut: Bool { database.watch.logFiles?.indexState == .cut }

    var replaced: ValetError {
        ValetError(.shuttingDown, "“\(database.path)” was replaced: it is being opened again")
    }

    /// Takes back what was written and not committed.
    func rollBack() {
        connection.rollBack()
        log.rolledBack()
        decider.rolledBack()
        highestTold = committedTold
        if !isSchemaStored { schemaVersion = Self.unknownSchema }
    }

    func committed() {
        hasLog = true
        isSchemaStored = true
        toldIsCommitted()
        log.committed()
    }

    func toldIsCommitted() { committedTold = highestTold }

    /// SQLite counts from 0.
    private static let unknownSchema: Int64 = -1

    /// False if the tables, or the ids of their rows, are no longer those that the lists show.
    /// Called in a transaction.
    func hasSameTables() throws(ValetError) -> Bool {
        let version = try prepared.integer(SQL.schemaVersion) ?? 0
        if version == schemaVersion { return true }
        guard try connection.hasTables(of: database, at: version) else { return false }
        try findTriggers()
        schemaVersion = version
        isSchemaStored = false
        applier = nil
        others.changedTables()
        try prepared.save(database.epochs, at: version)
        return true
    }

    /// Finds the tables that have `TouchTriggers`. Refuses other triggers and views with Valet's
    /// names: they would change rows unnoticed.
    private func findTriggers() throws(ValetError) {
        var objects: Set<String> = []
        let statement = try connection.prepare(SQL.ownObjects)
        while try statement.step() { objects.insert(statement.text(1) ?? "") }
        notedTables = []
        if objects.isEmpty { return }
        for (number, table) in decider.tables.enumerated() {
            guard let made = try? TouchTriggers(of: table.stored, on: connection) else { continue }
            let texts = made.triggers.map(\.sql)
            if objects.isSuperset(of: texts) { notedTables.insert(number) }
            objects.subtract(texts)
        }
        guard objects.isEmpty else {
            throw .readOnly(
                "“\(database.path)” can't be changed: it has views or triggers whose names begin "
                    + "with “_valet_”, or triggers on such tables, that are not Valet's; if its "
                    + "tables have changed, run `valetd triggers add` again")
        }
    }
}

extension PreparedStatements {
    func logState(of file: String) throws(ValetError) -> (format: Int64, logID: UInt64) {
        let state = try run(SQL.state) { row throws(ValetError) in
            guard (3...WrittenFile.format).contains(row.integer(0)) else {
                throw WrittenFile.otherFormat(file)
            }
            return (row.integer(0), UInt64(bitPattern: row.integer(1)))
        }
        guard let state else { throw connection.damagedLog("no state") }
        return state
    }

    /// After a restart, commands of these epochs mean what they mean now.
    fileprivate func save(_ epochs: CatalogEpochs, at schemaVersion: Int64) throws(ValetError) {
        var epochs = epochs
        epochs.schemaVersion = schemaVersion
        try run(SQL.saveEpochs, [.block(epochs.stored)])
    }
}

extension Connection {
    /// Whether the file has the tables that were opened, with the row ids that they had then.
    fileprivate func hasTables(
        of database: Database, at version: Int64
    ) throws(ValetError) -> Bool {
        guard try Schema(of: self) == database.schema else { return false }
        return database.watch.keepsRowIDs(try SchemaObjects(of: self, at: version))
    }

    /// Turns the write-ahead log on.
    ///
    /// The change needs a moment without any reader. Each attempt waits only shortly, since new
    /// readers wait for it.
    fileprivate func turnOnLog() throws(ValetError) {
        waitForLocks(milliseconds: Limits.millisecondsPerLogAttempt)
        defer { waitForLocks(milliseconds: Limits.millisecondsForLock) }
        for attempt in 1...Limits.logAttempts {
            do throws(ValetError) {
                let mode = try prepare(SQL.writeAheadLog)
                if try mode.step(), mode.text(0) == "wal" { return }
                throw .readOnly("“\(file)” can't be changed: it takes no write-ahead log")
            } catch {
                guard sqlite3_errcode(handle) & 0xFF == SQLITE_BUSY, attempt < Limits.logAttempts
                else { throw error }
                sqlite3_sleep(Int32(Limits.millisecondsPerLogAttempt))
            }
        }
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// True if a foreign key that is checked at COMMIT is broken now.
    var hasBrokenForeignKeys: Bool {
        var (now, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &now, &highest, 0)
        return now != 0
    }

    /// The number of rows that all statements have changed so far.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// Ends the transaction. If it has changed nothing, it is rolled back: SQLite would write no
    /// commit, and the next one, of another program, would be taken for it.
    ///
    /// Throws `.outcomeUnknown` if the changes may be in the file, or are in one that nobody will
    /// open again.
    ///
    /// - Parameter changes: `totalChanges` when the transaction began.
    func commit(
        as revision: UInt64, to watch: FileWatch, changedSince changes: Int64
    ) throws(ValetError) {
        guard totalChanges != changes else { return rollBack() }
        do throws(ValetError) {
            try watch.committing(revision) { () throws(ValetError) in try run(SQL.commit) }
        } catch {
            guard mayHaveCommitted else { throw error }
            throw ValetError(.outcomeUnknown, error.message)
        }
        guard (try? watch.keepsCommits()) == true else {
            watch.wasFoundLost()
            throw ValetError(.outcomeUnknown, "“\(file)” was replaced while the change was made")
        }
    }

    /// Whether the COMMIT that failed just now wrote all pages to the log, of which the next
    /// opening may find them: if they can't be synced, for one. A write that failed left a page
    /// without its checksum.
    private var mayHaveCommitted: Bool {
        let code = sqlite3_extended_errcode(handle)
        let failedWrite = SQLITE_IOERR | 3 << 8
        return code & 0xFF == SQLITE_IOERR && code != failedWrite
    }

    /// Rows that the last statement changed, without those of triggers.
    var changes: Int64 { sqlite3_changes64(handle) }
}
