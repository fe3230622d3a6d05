import ValetModel

/// A reader that reads one list from one revision as long as it lives.
extension Reader {
    struct Pinned {
        let list: Int
        /// What answers name.
        var revision: UInt64
        /// What the list is read through; nil if it is read from the file.
        let copy: RowCopies.Copy?
        /// Whether a transaction is open.
        let isHeld: Bool
    }

    /// Another reader of the same file.
    package func makeAnother() throws(ValetError) -> sending Reader {
        try database.makeReader(isStopping: isStopping)
    }

    /// Pins the list at its newest revision, for good.
    package func pin(list: Int) throws(ValetError) -> UInt64 {
        let pinned = try makePin(list)
        self.pinned = pinned
        return pinned.revision
    }

    /// The pinned rows are the same in this later revision.
    package func answersName(_ revision: UInt64) { pinned?.revision = revision }

    private func makePin(_ list: Int) throws(ValetError) -> Pinned {
        guard database.sources[list] != nil else {
            let copy = try copy(of: list, notBefore: 0, cancelled: { false })
            // Opened here, so that it stays when a later one takes its place.
            _ = try place(of: list, in: copy)
            return Pinned(list: list, revision: copy.revision, copy: copy, isHeld: false)
        }
        guard try connection.isInWALMode() else {
            let revision = try database.watch.look()
            return Pinned(list: list, revision: revision, copy: nil, isHeld: false)
        }
        for _ in 0..<Limits.transactionsBegun {
            let before = try database.watch.look()
            try connection.run(SQL.begin)
            // SQLite begins the transaction at its first read.
            _ = try connection.integer(SQL.dataVersion)
            if try database.watch.look() == before, !database.watch.isOverwritten {
                return Pinned(list: list, revision: before, copy: nil, isHeld: true)
            }
            connection.rollBack()
        }
        throw Self.hasChanged
    }

    /// Runs `body`, all of whose reads are of the pinned revision.
    package func readingPinned<Value>(
        _ body: () throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        guard let pinned else { return try body() }
        if pinned.copy != nil { return try body() }
        guard pinned.isHeld else {
            return try connection.reading(database.watch) { (revision) throws(ValetError) in
                guard revision == pinned.revision else { throw Self.wasWritten }
                return try body()
            }
        }
        // An error of the disk may have ended the transaction.
        guard connection.isInTransaction else { throw Self.hasChanged }
        let value = try body()
        guard connection.isInTransaction, !database.watch.isOverwritten else {
            throw Self.hasChanged
        }
        return value
    }

    /// Whether the open transaction keeps a write-ahead log that has grown too long.
    package var keepsTooMuchLog: Bool {
        guard pinned?.isHeld == true else { return false }
        let byteCount = FilePath.stamp(of: database.watch.resolved + "-wal")?.byteCount ?? 0
        return byteCount > Limits.bytesOfLogPerPin
    }

    private static var wasWritten: ValetError {
        ValetError(
            .expired,
            "another program has written to the file while its rows were read: try again. In WAL "
                + "mode the rows of one moment are kept (PRAGMA journal_mode = wal)")
    }

    private static var hasChanged: ValetError {
        ValetError(.expired, "the file has changed while its rows were read: try again")
    }
}
