import CSQLite
import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A copy of an open file, made a few pages at a time by SQLite's backup API.
///
/// It is of the moment at which its last page was copied: what the same connection commits
/// meanwhile goes into it, and what another one commits makes it begin again. Within a read
/// transaction of the connection it is of that transaction.
package final class FileCopy {
    private let source: Connection
    private let target: Connection
    private var backup: OpaquePointer?
    /// How often it has begun again.
    package private(set) var restarts = 0
    private var left = Int32.max

    /// - Parameter path: of a file that isn't there yet.
    init(of source: Connection, to path: String) throws(ValetError) {
        (self.source, target) = (source, try Connection(path: path, access: .create))
        // Whose rights are narrower than the source's must not find its rows here.
        chmod(path, 0o600)
        // Who finds half of it throws it away.
        try target.run(SQL.unsafe)
        backup = sqlite3_backup_init(target.handle, "main", source.handle, "main")
        guard backup != nil else {
            throw target.failure(sqlite3_errcode(target.handle), doing: "copy to")
        }
    }

    deinit { sqlite3_backup_finish(backup) }

    /// Copies some more pages.
    /// - Returns: whether that was all.
    package func step(pages: Int = Limits.pagesPerCopyStep) throws(ValetError) -> Bool {
        guard let backup else { return true }
        let result = sqlite3_backup_step(backup, Int32(clamping: pages))
        switch result {
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED:
            let before = left
            left = sqlite3_backup_remaining(backup)
            // One that goes on leaves fewer.
            if left >= before { restarts += 1 }
            guard result != SQLITE_OK else { return false }
            throw source.failure(result, doing: "copy")
        case SQLITE_DONE:
            self.backup = nil
            // What is left to do may fail, too.
            let result = sqlite3_backup_finish(backup)
            guard result == SQLITE_OK else { throw target.failure(result, doing: "copy to") }
            return true
        case let failed:
            self.backup = nil
            sqlite3_backup_finish(backup)
            // It is said of the copy, also if the source can't be read.
            throw target.failure(failed, doing: "copy to")
        }
    }
}

extension Connection {
    /// Copies the file as it is now, in one read transaction.
    package func copy(
        to path: String, cancelled: () -> Bool = { false }
    ) throws(ValetError) {
        try reading { () throws(ValetError) in
            _ = try prepare(SQL.schemaProbe).step()
            let copy = try FileCopy(of: self, to: path)
            repeat {
                if cancelled() {
                    throw ValetError(.superseded, "the copying of “\(file)” was cancelled")
                }
            } while try !copy.step()
        }
    }
}

extension Reader {
    /// Copies the file as it is now to one that isn't there yet. Meanwhile the write-ahead log
    /// can't be shortened; and without one, nobody can write.
    package func copy(to path: String, cancelled: () -> Bool) throws(ValetError) {
        try database.watch.check(connection)
        try connection.copy(to: path, cancelled: cancelled)
    }
}
