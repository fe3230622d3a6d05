import ValetModel

/// Transactions that change no list, and make no entry.
extension WrittenFile {
    /// Does nothing to the writer of another station.
    func retire(
        writer: WriterID, of station: StationID, isRefresh: Bool, at time: Int64
    ) throws(ValetError) {
        try ownCommit { () throws(ValetError) in
            if isRefresh { try prepared.run(SQL.forgetSteps, [station.cell]) }
            try prepared.run(SQL.retireWriter, [.integer(time)] + writer.cells + [station.cell])
        }
    }

    /// A transaction that changes no list.
    func ownCommit<Value>(_ body: () throws(ValetError) -> Value) throws(ValetError) -> Value {
        if isIndexCut { throw replaced }
        do throws(ValetError) {
            return try connection.working(within: .command) { () throws(ValetError) in
                try prepared.run(SQL.beginWriting)
                try checkFile()
                let revision = try database.watch.look()
                let changes = connection.totalChanges
                let value = try body()
                try connection.commit(as: revision, to: database.watch, changedSince: changes)
                toldIsCommitted()
                return value
            }
        } catch {
            rollBack()
            throw error
        }
    }

    /// See `LogTables.keepEntries`.
    func keepEntries(after revision: UInt64?, for consumer: String) throws(ValetError) {
        try ownCommit { () throws(ValetError) in
            try log.keepEntries(after: revision, for: consumer)
        }
    }
}

/// No revision is told twice: also not one that no command has, of an opening or of another
/// program's commit. So the file keeps the highest that may be told, some way ahead of those that
/// are.
extension WrittenFile {
    func keepRevisions(upTo revision: UInt64) throws(ValetError) {
        // People see from now on what others have done. The next command notes it, too.
        if database.watch.othersRevision != others.newest { try? decider.noteHighestRowIDs() }
        guard needsMoreRevisions(above: revision) || decider.tables.contains(where: \.seenIDs.isNew)
        else { return }
        try ownCommit { () throws(ValetError) in
            try raiseHighestTold(above: revision)
            try keepHighestRowIDs()
        }
        decider.keptHighestRowIDs()
    }

    /// What others have made is shown to people: its ids are not given again, also if it is deleted
    /// before the next command. Called in a transaction.
    func keepHighestRowIDs() throws(ValetError) {
        for table in decider.tables where table.seenIDs.isNew {
            try prepared.run(
                SQL.noteHighestRowID, [.integer(table.seenIDs.highest), .text(table.stored.name)])
        }
    }

    /// Called in a transaction.
    func raiseHighestTold(above revision: UInt64) throws(ValetError) {
        if needsMoreRevisions(above: revision) {
            try save(highestTold: revision &+ UInt64(Limits.revisionsAhead))
        }
    }

    private func needsMoreRevisions(above revision: UInt64) -> Bool {
        revision &+ UInt64(Limits.revisionsAhead / 2) > highestTold
    }

    private func save(highestTold told: UInt64) throws(ValetError) {
        try prepared.run(SQL.saveHighestTold, [.integer(Int64(clamping: told))])
        highestTold = told
    }

    /// Nobody writes the file here any more: revisions go on after the last that was told, and what
    /// is in the write-ahead log is moved into the file, so that a copy of it is whole.
    ///
    /// A file that was moved or removed gets what was acknowledged, too, by the descriptors that
    /// are open, unless another program has opened or changed it where it is now. One that another
    /// was copied over does not.
    func finish() {
        let watch = database.watch
        guard watch.ownsItsLog else { return }
        let isAtItsPath = (try? watch.keepsCommits()) == true
        guard isAtItsPath || watch.isUntouchedWhereItIs else { return }
        if isAtItsPath {
            try? ownCommit { () throws(ValetError) in
                // Its own commit has the revision of the newest.
                try save(highestTold: try watch.look())
                try decider.noteHighestRowIDs()
                try keepHighestRowIDs()
            }
        }
        // SQLite then removes whatever has the log's name. With pages left in it, SQLite would also
        // write the file, after its state was noted.
        if moveWholeLog(), isAtItsPath { connection.takeLog() }
    }
}
