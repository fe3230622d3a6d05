import CSQLite
import ValetModel

/// The file, opened for writing: with a write-ahead log and Valet's own tables.
final class WrittenFile {
    let database: Database
    let connection: Connection
    let prepared: PreparedStatements
    let tables: [EditedTable]
    /// By list; nil for lists that can only be read.
    let tableOfList: [Int?]
    let recorder: EffectRecorder
    let foreignKeys: ForeignKeys
    /// By the numbers of shapes that the tables have now.
    let tableOfShape: [Int64: Int]
    /// Names the file's log: revisions of another log are not comparable.
    let logID: UInt64
    /// Bytes of all effects ever logged.
    var bytesOfEffects: Int64
    private(set) var schemaVersion: Int64
    let pageSize: Int64
    /// Of the command that runs.
    var pastEffects = PastEffects()
    /// Pages in the write-ahead log that may not be in the file yet.
    var pagesInLog: Int64 = 0
    /// The newest commit of another program, and the newest that was reported.
    var othersRevision: UInt64
    var othersReported: UInt64
    /// The newest commit of another program that may have changed rows. The opening counts as one
    /// if others may have changed the file before.
    var changedByOthers: UInt64
    /// The newest revision that was reported.
    var lastRevision: UInt64
    /// How many commands the log has; nil until they are counted.
    var commandCount: Int64?
    /// The revision of the newest command; 0 before the first.
    var newestCommand: UInt64
    /// No higher revision is told to anybody: kept in the file, some way ahead.
    var highestTold: UInt64
    /// The tables whose changes `TouchTriggers` note.
    private(set) var notedTables: Set<Int> = []
    /// False if another program may have moved rows without triggers since the last report.
    var isNoted: Bool

    /// - Parameters:
    ///   - path: with symbolic links resolved.
    ///   - note: of the last owner.
    init(
        _ database: Database, path: String, note: FileNote?,
        isStopping: @escaping @Sendable () -> Bool
    ) throws(ValetError) {
        self.database = database
        let connection = try Connection(
            path: database.path, access: .write, isStopping: isStopping)
        self.connection = connection
        let prepared = PreparedStatements(connection)
        self.prepared = prepared
        othersRevision = try database.watch.lookForOthers()
        // This look comes after the one above, so that no commit in between is missed.
        let left = note?.left.flatMap { $0.isLeft(path) ? $0 : nil }
        guard !connection.isReadOnly else {
            throw ValetError(
                .readOnly,
                "“\(database.path)” can't be changed: the file, or its folder, is read-only")
        }
        try connection.turnOnLog()
        try connection.run(SQL.durable)
        pageSize = try connection.integer(SQL.pageSize)

        try connection.run(SQL.beginWriting)
        let changes = connection.totalChanges
        do throws(ValetError) {
            try database.watch.beginCounting()
            // Commits of others since the opening are reported with the first batch.
            let opening = database.watch.opening
            (othersReported, lastRevision) = (opening.revision, opening.revision)
            let opened = try connection.integer(SQL.schemaVersion)
            isNoted = opened == opening.schemaVersion
            guard try connection.hasTables(of: database, at: opened) else {
                throw ValetError(
                    .busy, "the tables of “\(database.path)” have just changed: try again")
            }
            let told = connection.storedRevision()
            if told == nil {
                try connection.run(SQL.makeLog)
                try prepared.run(SQL.makeState, [.integer(Int64(bitPattern: database.newLogID))])
            }
            let stored = try prepared.logState(of: database)
            guard let stored else {
                throw connection.damage("no state", of: "Valet's log")
            }
            if stored.format < Self.format { try connection.run(SQL.keepRevisions) }
            if !database.keepsLog, stored.logID != database.newLogID {
                // Writers of the other log are never given again.
                try prepared.run(
                    SQL.beginLog,
                    [
                        .integer(Int64(bitPattern: database.newLogID)),
                        .integer(.random(in: 1 << 32...1 << 62)),
                    ])
            }
            logID = database.keepsLog ? stored.logID : database.newLogID
            let isOfLog = database.keepsLog && note?.logID == stored.logID
            // Others' revisions are not logged, so an earlier one may be higher than those of now.
            let others = isOfLog ? left?.othersRevision ?? othersRevision : othersRevision
            changedByOthers = min(others, othersRevision)
            newestCommand = UInt64(clamping: try prepared.integer(SQL.newestRevision) ?? 0)
            // Another process may have made commands since the file was opened here.
            let revision = try database.watch.look(above: told)
            highestTold = revision &+ UInt64(Limits.revisionsAhead)
            try prepared.run(SQL.saveHighestTold, [.integer(Int64(clamping: highestTold))])
            schemaVersion = try connection.integer(SQL.schemaVersion)
            try prepared.save(database.epochs, at: schemaVersion)
            tables = try Self.tables(of: database, on: connection, prepared)
            let tables = tables
            let numbers = Dictionary(
                uniqueKeysWithValues: tables.enumerated().map { ($1.stored.name, $0) })
            tableOfList = zip(database.catalog.lists, database.tables).map { list, table in
                list.isEditable || list.isRefreshable
                    ? numbers[database.schema.tables[table].name] : nil
            }
            tableOfShape = Dictionary(
                uniqueKeysWithValues: tables.enumerated().map { ($1.shape, $0) })
            foreignKeys = try ForeignKeys(of: tables.map(\.stored), on: connection)
            recorder = EffectRecorder(on: connection, tables: tables)
            bytesOfEffects =
                try prepared.run(SQL.bytesOfEffects) { row throws(ValetError) in row.integer(0) }
                ?? 0
            try findTriggers()
            // The rows are as before.
            try connection.commit(as: revision, to: database.watch, changedSince: changes)
        } catch {
            connection.rollBack()
            throw error
        }
        countPages()
        // After a crash the index does not say how far the log was moved.
        sqlite3_wal_checkpoint_v2(
            connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    private static func tables(
        of database: Database, on connection: Connection, _ prepared: PreparedStatements
    ) throws(ValetError) -> [EditedTable] {
        var tables: [EditedTable] = []
        for (position, table) in database.schema.tables.enumerated() {
            guard table.isWritable, let rowID = table.rowID else { continue }
            let logged = try prepared.loggedTable(table)
            let lists = database.tables.indices.filter { database.tables[$0] == position }
            let tested = lists.flatMap { database.listedRows[$0]?.columns ?? [] }
            tables.append(
                try EditedTable(
                    table, rowID: rowID, lists: lists, conditionColumns: Set(tested),
                    number: logged.number,
                    shape: logged.shape, highest: logged.highest, on: connection))
        }
        return tables
    }

    static let catalogChanged = ValetError(
        .catalogChanged,
        "tables or row ids have changed since the list was read: look at it, and try again")

    /// The format of the tables `_valet_…`. Format 3 did not keep revisions that no command has.
    static let format: Int64 = 4

    static func otherFormat(_ database: Database) -> ValetError {
        ValetError(
            .readOnly, "“\(database.path)” was changed by another version of Valet: use that one")
    }

    /// Throws if the path no longer leads to the open file, whose commits would be lost.
    func checkFile() throws(ValetError) {
        guard try database.watch.keepsCommits() else {
            throw ValetError(
                .shuttingDown, "“\(database.path)” was replaced: it is being opened again")
        }
    }

    /// False if the tables, or the ids of their rows, are no longer those that the lists show.
    /// Called in a transaction.
    func hasSameTables() throws(ValetError) -> Bool {
        let version = try prepared.integer(SQL.schemaVersion) ?? 0
        if version == schemaVersion { return true }
        guard try connection.hasTables(of: database, at: version) else { return false }
        try findTriggers()
        schemaVersion = version
        isNoted = false
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
        for (number, table) in tables.enumerated() {
            guard let made = try? TouchTriggers(of: table.stored, on: connection) else { continue }
            let texts = made.triggers.map(\.sql)
            if objects.isSuperset(of: texts) { notedTables.insert(number) }
            objects.subtract(texts)
        }
        guard objects.isEmpty else {
            throw ValetError(
                .readOnly,
                "“\(database.path)” can't be changed: it has views or triggers whose names begin "
                    + "with “_valet_”, or triggers on such tables, that are not Valet's; if its "
                    + "tables have changed, run `valetd triggers add` again")
        }
    }
}

extension PreparedStatements {
    /// nil if the log has no state.
    func logState(of database: Database) throws(ValetError) -> (format: Int64, logID: UInt64)? {
        try run(SQL.state) { row throws(ValetError) in
            guard (3...WrittenFile.format).contains(row.integer(0)) else {
                throw WrittenFile.otherFormat(database)
            }
            return (row.integer(0), UInt64(bitPattern: row.integer(1)))
        }
    }

    /// After a restart, commands of these epochs mean what they mean now.
    fileprivate func save(
        _ epochs: CatalogEpochs, at schemaVersion: Int64
    ) throws(ValetError) {
        var epochs = epochs
        epochs.schemaVersion = schemaVersion
        try run(SQL.saveEpochs, [.block(epochs.stored)])
    }

    /// A table's numbers in Valet's own tables, made if there are none.
    fileprivate func loggedTable(
        _ table: StoredTable
    ) throws(ValetError) -> (number: Int64, shape: Int64, highest: Int64) {
        var known = try run(SQL.loggedTable, [.text(table.name)]) { ($0.integer(0), $0.integer(1)) }
        if known == nil {
            try run(SQL.addTable, [.text(table.name)])
            known = try run(SQL.loggedTable, [.text(table.name)]) {
                ($0.integer(0), $0.integer(1))
            }
        }
        let (number, highest) = known ?? (0, 0)
        var columns = LogBytes()
        for column in table.columns { columns.write(column.name) }
        let shape: [Cell] = [
            .integer(number), .blob(bytes: columns.bytes, byteCount: columns.bytes.count),
        ]
        if let known = try integer(SQL.shape, shape) { return (number, known, highest) }
        try run(SQL.addShape, shape)
        return (number, try integer(SQL.shape, shape) ?? 0, highest)
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
                throw ValetError(
                    .readOnly, "“\(file)” can't be changed: it takes no write-ahead log")
            } catch {
                guard sqlite3_errcode(handle) & 0xFF == SQLITE_BUSY, attempt < Limits.logAttempts
                else { throw error }
                sqlite3_sleep(Int32(Limits.millisecondsPerLogAttempt))
            }
        }
    }

    /// The highest revision that may have been told to anybody; nil without a log, or with one that
    /// can't be read.
    func storedRevision() -> UInt64? {
        guard let exists = try? integer(SQL.logExists), exists > 0,
            let newest = try? integer(SQL.newestRevision)
        else { return nil }
        let told = (try? integer(SQL.highestTold)) ?? 0
        // A forged one must not overflow.
        return UInt64(min(max(newest, told, 0), 1 << 62))
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
            throw ValetError(
                .outcomeUnknown, "“\(file)” was replaced while the change was made")
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
