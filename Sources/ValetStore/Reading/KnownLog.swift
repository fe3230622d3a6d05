import CSQLite
import ValetModel

/// The log that a file had when it was last looked at.
///
/// Another program may put other content into the file through SQLite, as `.restore` does: to
/// SQLite that is a commit like others. Then the log is another one, or has lost commands.
struct KnownLog {
    private var id: UInt64?
    private var newestCommand: UInt64
    /// The commit of another program that was looked at last.
    private var checked: UInt64
    var isReplaced = false

    var newest: LoggedCommand { LoggedCommand(logID: id, revision: newestCommand) }

    /// - Parameter others: the revision of the opening.
    init(of connection: Connection, at others: UInt64) throws(ValetError) {
        (id, newestCommand) = try connection.log()
        checked = others
    }

    /// What the writer has stored.
    mutating func stored(_ id: UInt64, newestCommand: UInt64) {
        (self.id, self.newestCommand) = (id, newestCommand)
    }

    /// The revision is the writer's own.
    mutating func skip(to others: UInt64) { checked = others }

    /// - Parameter others: the newest commit of another program.
    mutating func check(
        _ connection: Connection, at others: UInt64, within budget: Budget
    ) throws(ValetError) {
        guard others != checked else { return }
        let now: (id: UInt64?, newestCommand: UInt64)
        do throws(ValetError) {
            now = try connection.result(of: connection.log(), within: budget)
        } catch {
            guard error.code == .overBudget else { throw error }
            // The next look would take as long, and others wait for it. The opening says why.
            isReplaced = true
            return
        }
        checked = others
        guard id == nil || id == now.id, newestCommand <= now.newestCommand else {
            isReplaced = true
            return
        }
        (id, newestCommand) = now
    }
}

extension Connection {
    /// The ID of the file's log; nil without one, or if the tables of that name are others.
    func log() throws(ValetError) -> (id: UInt64?, newestCommand: UInt64) {
        guard try integer(SQL.logExists) > 0 else { return (nil, 0) }
        let log = try ofLog { () throws(ValetError) -> (id: UInt64?, newestCommand: UInt64) in
            let state = try prepare(SQL.state)
            guard try state.step() else { return (nil, 0) }
            let newest = try integer(SQL.newestRevision)
            return (UInt64(bitPattern: state.integer(1)), UInt64(clamping: newest))
        }
        return log ?? (nil, 0)
    }

    /// The highest revision that may have been told to anybody; nil without a log, or with one that
    /// can't be read.
    func storedRevision() throws(ValetError) -> UInt64? {
        guard try integer(SQL.logExists) > 0,
            let newest = try ofLog({ () throws(ValetError) in try integer(SQL.newestRevision) })
        else { return nil }
        let sql = try isOfNode() ? SQL.nodeBase : SQL.highestTold
        let told = try ofLog { () throws(ValetError) in try integer(sql) } ?? 0
        // A forged one must not overflow.
        return UInt64(min(max(newest, told, 0), 1 << 62))
    }

    /// Reads what the log's tables say; nil if a table or column is missing, or damaged. Anything
    /// else, such as a time that is over, says nothing about the log.
    func ofLog<Value>(_ read: () throws(ValetError) -> Value) throws(ValetError) -> Value? {
        do throws(ValetError) {
            return try read()
        } catch {
            guard [SQLITE_ERROR, SQLITE_CORRUPT].contains(sqlite3_errcode(handle) & 0xFF) else {
                throw error
            }
            return nil
        }
    }
}
