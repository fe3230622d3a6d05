import Synchronization
import ValetModel

/// Assigns revisions to the states of a file that other programs change.
///
/// A revision counts observed commits. `PRAGMA data_version` only says *whether* the file has
/// changed since the same connection last looked, so one connection looks for all readers. A reader
/// looks before and after its own transaction begins: equal revisions mean that no commit came
/// between, so the transaction reads exactly that revision. A look *during* a transaction that
/// still returns an earlier revision means that the transaction reads no later state.
///
/// SQLite does not notice that another file is copied over the one it reads, and its page caches
/// then mix the two. So every look also compares the file's stamp: a file that was written although
/// nothing was committed was overwritten. That is its last revision, which nobody can read.
package final class FileWatch: Sendable {
    private struct Watched {
        let connection: Connection
        let dataVersion: Statement
        var known: Int64
        var revision: UInt64 = 0
        /// Changes with every schema change, including those that concern no list.
        var schemaVersion: Int64
        /// The file's stamp at that revision.
        var stamp: FilePath.Stamp?
        var isOverwritten = false
    }

    private let watched: Mutex<Watched>
    private let path: String
    private let identity: FilePath.Identity?
    private let schema: Schema

    init(path: String) throws(ValetError) {
        // Taken first, so that a file that is replaced during opening counts as replaced.
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
                schemaVersion: schemaVersion, stamp: FilePath.stamp(of: path)))
    }

    /// nil while the path leads to another file or to none: then the open one stays as it is.
    var stamp: FilePath.Stamp? {
        FilePath.stamp(of: path).flatMap { $0.file == identity ? $0 : nil }
    }

    /// The file's current revision. Takes a few microseconds.
    package func look() throws(ValetError) -> UInt64 {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            return watched.revision
        }
    }

    /// True if the path now leads to another file, if the file was overwritten, or if the tables
    /// and views in it have changed: everything derived from them is then invalid. False while
    /// there is no file.
    package func isReplaced() throws(ValetError) -> Bool {
        guard let now = FilePath.identity(of: path) else { return false }
        if now != identity { return true }
        return try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            if watched.isOverwritten { return true }
            let version = try watched.connection.integer(SQL.schemaVersion)
            if version == watched.schemaVersion { return false }
            guard try Schema(of: watched.connection) == schema else { return true }
            watched.schemaVersion = version
            return false
        }
    }

    /// Whether the last look found the file overwritten.
    var isOverwritten: Bool { watched.withLock(\.isOverwritten) }

    /// Whether one transaction, in which the file once had this stamp, has read one file. Does not
    /// look, since a look may wait for a writer who waits for the transaction.
    func isUntouched(since stamp: FilePath.Stamp?) throws(ValetError) -> Bool {
        guard let stamp, let now = self.stamp, now != stamp else { return true }
        return try watched.withLock { (watched) throws(ValetError) in
            try isCheckpointed(watched.connection)
        }
    }

    private func look(_ watched: inout Watched) throws(ValetError) {
        guard !watched.isOverwritten else { return }
        // Before the version, whose reading waits for a commit that is being written.
        let stamp = stamp
        do throws(ValetError) {
            let now = try Self.number(watched.dataVersion)
            if now != watched.known {
                watched.known = now
                watched.revision += 1
                watched.stamp = self.stamp ?? watched.stamp
                return
            }
        } catch {
            // A shorter file looks damaged to a connection that knew the longer one.
            guard watched.connection.isDamaged, let stamp, stamp != watched.stamp else {
                throw error
            }
            return overwritten(&watched)
        }
        guard let stamp, stamp != watched.stamp else { return }
        // A checkpoint writes what was committed before.
        if try isCheckpointed(watched.connection) {
            watched.stamp = stamp
        } else {
            overwritten(&watched)
        }
    }

    private func overwritten(_ watched: inout Watched) {
        watched.isOverwritten = true
        watched.revision += 1
    }

    private func isCheckpointed(_ connection: Connection) throws(ValetError) -> Bool {
        let mode = try connection.prepare(SQL.journalMode)
        guard try mode.step(), mode.text(0) == "wal" else { return false }
        return (FilePath.stamp(of: path + "-wal")?.byteCount ?? 0) > 0
    }

    private static func number(_ statement: Statement) throws(ValetError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

extension Connection {
    /// Runs `body` in one read transaction and passes it the transaction's revision.
    func reading<Value>(
        _ watch: FileWatch, _ body: (UInt64) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        for _ in 0..<Limits.transactionsBegun {
            let before = try watch.look()
            guard !watch.isOverwritten else { throw overwritten }
            let value: Value? = try reading { () throws(ValetError) in
                // SQLite begins the transaction at its first read.
                _ = try integer(SQL.dataVersion)
                let stamp = watch.stamp
                guard try watch.look() == before else { return nil }
                let value = try body(before)
                guard try watch.isUntouched(since: stamp) else { throw overwritten }
                return value
            }
            if let value { return value }
        }
        throw ValetError(
            .storageFailed,
            "“\(file)” changes so fast that no state of it can be read: try again later")
    }

    private var overwritten: ValetError {
        ValetError(
            .storageFailed, "another file was copied over “\(file)”: try again in a moment")
    }
}
