import CSQLite
import ValetModel

/// One open SQLite file, for one thread at a time.
///
/// Every connection treats the file as hostile: extensions can't be loaded, functions and tables
/// with side effects can't be reached from its schema, cell sizes are checked, memory mapping is
/// off, and SQLite's own limits are set to what Valet needs (https://www.sqlite.org/security.html).
/// A file can still burn time, which the progress handler bounds: all reads run inside
/// `working(within:)`.
package final class Connection {
    package enum Access: Sendable {
        case read
        /// Without the write-ahead log, and without locks.
        case readAlone
        case write
        /// Creates the file if there is none.
        case create
    }

    let handle: OpaquePointer
    /// The path as given, for messages.
    let file: String
    let interruption: Interruption

    /// - Parameters:
    ///   - leavesLog: whether its end leaves the write-ahead log as it is, unless `takeLog` was
    ///     called. If another file was moved to the path, the log there is not that file's, and
    ///     SQLite would write it into it at the end of the last connection.
    ///   - isStopping: polled at every tick of every statement; true ends it.
    package init(
        path: String, access: Access = .read, leavesLog: Bool = false,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        let resolved =
            switch access {
            case .read, .readAlone, .write: try FilePath.existingFile(path)
            case .create: try FilePath.newOrExistingFile(path)
            }
        var opened: OpaquePointer?
        let name = access == .readAlone ? Self.nameOfUnchanging(resolved) : resolved
        let result = sqlite3_open_v2(name, &opened, access.flags, nil)
        guard let opened else {
            throw .storageFailed("there is not enough memory to open “\(path)”")
        }
        handle = opened
        file = path
        interruption = Interruption(isStopping: isStopping)
        guard result == SQLITE_OK else { throw failure(result, doing: "open") }
        harden()
        if leavesLog { configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        do throws(ValetError) {
            try working(within: .opening) { () throws(ValetError) in try prove() }
        } catch {
            guard access == .read, takesBackLeftChange(isStopping: isStopping) else { throw error }
            try working(within: .opening) { () throws(ValetError) in try prove() }
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// A name by which SQLite takes a file for one that never changes.
    private static func nameOfUnchanging(_ path: String) -> String {
        let escaped = path.utf8.map {
            "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }

    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Runs statements that return no rows.
    package func run(_ sql: String) throws(ValetError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(result, doing: "run “\(sql)” on") }
    }

    /// Prepares a statement that is kept and run often.
    package func prepare(
        _ sql: String, _ values: [Cell] = [], for subject: String? = nil
    ) throws(ValetError) -> Statement {
        let statement = try Statement(sql, on: self, subject: subject)
        statement.bind(values)
        return statement
    }

    /// The first column of the single row that `sql` returns.
    func integer(
        _ sql: String, _ values: [Cell] = [], for subject: String? = nil
    ) throws(ValetError) -> Int64 {
        let statement = try prepare(sql, values, for: subject)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The number of rows, counted up to a limit.
    func rowCount(of table: StoredTable, upTo limit: Int) throws(ValetError) -> Int {
        Int(try integer(SQL.countUpTo(table), [.integer(Int64(limit))], for: table.subject))
    }

    /// Runs `body` in one read transaction, or in the one that is already open.
    func reading<Result>(_ body: () throws(ValetError) -> Result) throws(ValetError) -> Result {
        guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
        try run(SQL.begin)
        // There is nothing to commit, and after damage COMMIT would report the error again.
        defer { rollBack() }
        return try body()
    }

    /// If the last statement failed since a program has died in the middle of a change, takes that
    /// back, which a reader can't.
    ///
    /// - Returns: whether it did.
    func takesBackLeftChange(isStopping: @escaping @Sendable () -> Bool = { false }) -> Bool {
        // SQLITE_READONLY_ROLLBACK is a macro that Swift does not import.
        guard sqlite3_extended_errcode(handle) == SQLITE_READONLY | 3 << 8 else { return false }
        // The first read of a connection that may write does it.
        let writer = try? Connection(
            path: file, access: .write, leavesLog: true, isStopping: isStopping)
        return writer != nil
    }

    /// Whether statements run triggers, from now on.
    func enableTriggers(_ areEnabled: Bool) {
        configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, areEnabled ? 1 : 0)
    }

    /// Moves pages out of the write-ahead log, as far as no reader needs them there.
    func checkpoint() {
        sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Its end, if it is the last, moves the write-ahead log into the file, and removes it.
    func takeLog() { configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

    private func configure(_ option: Int32, _ value: Int32) {
        _ = valet_sqlite3_db_config_set(handle, option, value)
    }

    /// Whether its path leads to another file than the open one by now, or to none.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return result == SQLITE_OK && moved != 0
    }

    /// True also if the connection was opened for writing but the file is read-only.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// Ends the transaction, unless SQLite already has.
    func rollBack() {
        if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, SQL.rollBack, nil, nil, nil) }
    }

    /// True if the last statement failed because the file is none of SQLite's, or not whole.
    var isDamaged: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR].contains(sqlite3_errcode(handle) & 0xFF)
    }
}

extension Connection.Access {
    fileprivate var flags: Int32 {
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        return switch self {
        case .read: common | SQLITE_OPEN_READONLY
        case .readAlone: common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .write: common | SQLITE_OPEN_READWRITE
        case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}

extension Connection {
    static let limits: [(Int32, Int)] = [
        (SQLITE_LIMIT_LENGTH, Limits.bytesPerValue),
        (SQLITE_LIMIT_SQL_LENGTH, Limits.bytesPerStatement),
        (SQLITE_LIMIT_COLUMN, Limits.columnsPerStatement),
        (SQLITE_LIMIT_EXPR_DEPTH, Limits.expressionDepth),
        (SQLITE_LIMIT_COMPOUND_SELECT, Limits.termsPerCompoundSelect),
        (SQLITE_LIMIT_VDBE_OP, Limits.operationsPerStatement),
        (SQLITE_LIMIT_FUNCTION_ARG, Limits.argumentsPerFunction),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, Limits.bytesPerLikePattern),
        (SQLITE_LIMIT_VARIABLE_NUMBER, Limits.columnsPerStatement),
        (SQLITE_LIMIT_TRIGGER_DEPTH, Limits.triggerDepth),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    private func harden() {
        for (limit, value) in Self.limits { sqlite3_limit(handle, limit, Int32(value)) }
        configure(SQLITE_DBCONFIG_DEFENSIVE, 1)
        configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
        waitForLocks(milliseconds: Limits.millisecondsForLock)
        sqlite3_progress_handler(
            handle, Int32(Limits.operationsPerTick),
            { context in
                guard let context else { return 0 }
                let interruption = Unmanaged<Interruption>.fromOpaque(context)
                return interruption.takeUnretainedValue().isDue() ? 1 : 0
            }, Unmanaged.passUnretained(interruption).toOpaque())
    }

    /// Statements wait so long for the locks of another program.
    ///
    /// SQLite's own timeout soon looks ten times a second only, and can miss all pauses of a
    /// program that commits without end.
    func waitForLocks(milliseconds: Int) {
        sqlite3_busy_handler(
            handle,
            { looks, attempts in
                guard Int(attempts) < Int(bitPattern: looks) else { return 0 }
                sqlite3_sleep(Int32(Limits.millisecondsPerLockLook))
                return 1
            },
            UnsafeMutableRawPointer(bitPattern: milliseconds / Limits.millisecondsPerLockLook))
    }

    /// Whether the file has its texts in UTF-8.
    func storesUTF8() throws(ValetError) -> Bool {
        let encoding = try prepare(SQL.encoding)
        return try encoding.step() && encoding.text(0) == "UTF-8"
    }

    /// SQLite opens any file; only reading the schema proves that it is a database.
    private func prove() throws(ValetError) {
        try run(SQL.hardening)
        if !isReadOnly { try run(SQL.writing) }
        _ = try prepare(SQL.schemaProbe).step()
    }
}
