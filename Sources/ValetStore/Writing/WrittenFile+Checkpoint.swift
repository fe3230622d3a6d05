import CSQLite
import ValetModel

extension WrittenFile {
    /// Moves committed pages from the write-ahead log into the file once there are many. This
    /// connection alone does so. Readers that need earlier pages are not waited for: the rest is
    /// moved later.
    ///
    /// - Returns: whether the file was written.
    func checkpoint() throws(ValetError) -> Bool {
        // Never into a file that was copied over it.
        guard pagesInLog * pageSize >= Int64(Limits.bytesUntilCheckpoint),
            try database.watch.keepsCommits()
        else { return false }
        ownership.logIsBeingMoved()
        var (pages, moved): (Int32, Int32) = (0, 0)
        let result = sqlite3_wal_checkpoint_v2(
            connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
        guard result == SQLITE_OK || result & 0xFF == SQLITE_BUSY else {
            throw connection.failure(result, doing: "change")
        }
        // The log begins anew with the next commit, if no reader is left in it.
        if moved == pages { pagesInLog = 0 }
        return true
    }

    /// Moves all that is in the log, and empties it. Readers that are in it are waited for shortly.
    ///
    /// - Returns: whether that was done.
    func moveWholeLog() -> Bool {
        ownership.logIsBeingMoved()
        return sqlite3_wal_checkpoint_v2(
            connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }

    /// Counts the pages of the log after each commit.
    func countPages() {
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<WrittenFile>.fromOpaque(context).takeUnretainedValue()
                    .pagesInLog = Int64(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
