import Synchronization
import ValetModel

/// Numbers the states of a file that other programs change.
///
/// A revision counts the commits that were seen. SQLite says of a connection only *whether* the
/// file has changed since that connection looked last (`PRAGMA data_version`), so one connection
/// looks for all: whoever reads asks it before and after its own transaction begins. Two looks with
/// the same number mean that no commit came between, so that the transaction reads exactly that
/// revision; and a look *during* a transaction that still gives an earlier number means that the
/// transaction reads no later state than that.
package final class FileWatch: Sendable {
    private struct Watched {
        let connection: Connection
        let dataVersion: Statement
        var known: Int64
        var revision: UInt64 = 0
        /// Moves with every change of the schema, also with those that concern no list.
        var schemaVersion: Int64
    }

    private let watched: Mutex<Watched>
    private let path: String
    private let identity: FilePath.Identity?
    private let schema: Schema

    init(path: String) throws(ValetError) {
        // First: a file that is replaced while it is opened counts as replaced.
        identity = FilePath.identity(of: path)
        let connection = try Connection(path: path)
        let statement = try connection.prepare(SQL.dataVersion)
        let known = try Self.number(statement)
        let schemaVersion = try connection.integer(SQL.schemaVersion)
        schema = try Schema(of: connection)
        self.path = path
        watched = Mutex(
            Watched(
                connection: connection, dataVersion: statement, known: known,
                schemaVersion: schemaVersion))
    }

    /// The revision of the file now. A few microseconds.
    package func look() throws(ValetError) -> UInt64 {
        try watched.withLock { (watched) throws(ValetError) in
            let now = try Self.number(watched.dataVersion)
            if now != watched.known {
                watched.known = now
                watched.revision += 1
            }
            return watched.revision
        }
    }

    /// True when the path leads to another file now, or the tables and views in it are others: then
    /// everything that was made from them is void. False while there is no file.
    package func isReplaced() throws(ValetError) -> Bool {
        guard let now = FilePath.identity(of: path) else { return false }
        if now != identity { return true }
        return try watched.withLock { (watched) throws(ValetError) in
            let version = try watched.connection.integer(SQL.schemaVersion)
            if version == watched.schemaVersion { return false }
            guard try Schema(of: watched.connection) == schema else { return true }
            watched.schemaVersion = version
            return false
        }
    }

    private static func number(_ statement: Statement) throws(ValetError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

extension Connection {
    /// Runs `body` in one read transaction, and gives it the revision that all of it reads.
    func reading<Value>(
        _ watch: FileWatch, _ body: (UInt64) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        for _ in 0..<Limits.transactionsBegun {
            let before = try watch.look()
            let value: Value? = try reading { () throws(ValetError) in
                // A transaction begins with what it reads first.
                _ = try integer(SQL.dataVersion)
                guard try watch.look() == before else { return nil }
                return try body(before)
            }
            if let value { return value }
        }
        throw ValetError(
            .storageFailed,
            "“\(file)” changes so fast that no state of it can be read: try again later")
    }
}
