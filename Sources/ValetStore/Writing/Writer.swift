import ValetModel

/// Writes one database, for one thread at a time: the only writer of its process, and the owner of
/// the file among all processes that serve it.
///
/// The file is opened for writing with the first new writer. Then it also gets the tables
/// `_valet_…` and a write-ahead log.
package final class Writer {
    let database: Database
    /// With symbolic links resolved.
    private let path: String
    private let ownership: Ownership
    private let isStopping: @Sendable () -> Bool
    private var opened: WrittenFile?

    /// Takes ownership of the file; throws `.readOnly` if another process owns it, or if the file
    /// can't be written.
    ///
    /// - Parameter address: where this process serves the file, for those who find it owned.
    package init(
        of database: Database, address: String,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        self.database = database
        self.isStopping = isStopping
        path = try FilePath.existingFile(database.path)
        ownership = try Ownership(of: path, address: address)
        if database.hasLog { opened = try open() }
    }

    deinit {
        opened?.finish()
        noteFile()
    }

    /// Why another process than the one at `address` keeps a file from being changed; nil if none
    /// does.
    package static func refusal(for database: Database, besides address: String) -> ValetError? {
        guard let path = try? FilePath.existingFile(database.path) else { return nil }
        return Ownership.refusal(for: path, besides: address)
    }

    private func open() throws(ValetError) -> WrittenFile {
        let file = try WrittenFile(
            database, path: path, note: ownership.note, isStopping: isStopping)
        ownership.write(note(of: file))
        ownership.sync()
        return file
    }

    /// Notes the state of the file, in case this process ends now.
    private func noteFile() {
        // What is at the path may be another file.
        guard let opened, (try? database.watch.keepsCommits()) == true else { return }
        ownership.write(note(of: opened))
    }

    private func note(of opened: WrittenFile) -> FileNote? {
        guard let identity = database.watch.identity else { return nil }
        let left = LeftFile(path, othersRevision: opened.changedByOthers)
        // This look comes after the stamps were read, so that no commit in between is missed.
        let others = try? database.watch.lookForOthers()
        return FileNote(
            logID: opened.logID, newestCommand: opened.newestCommand,
            highestTold: opened.highestTold, file: identity,
            left: others == opened.othersRevision ? left : nil)
    }

    /// The file with a log, which is made if there is none.
    func file() throws(ValetError) -> WrittenFile {
        if let opened { return opened }
        let file = try open()
        opened = file
        return file
    }

    /// Names the log: revisions of another log are not comparable. nil before the first writer.
    package var logID: UInt64? { opened?.logID }

    // MARK: Commands

    /// Carries out commands in order, in one durable transaction as a rule.
    ///
    /// A command that ends the transaction (`RAISE(ROLLBACK)`) gets one of its own, after the
    /// others; so there may be several.
    ///
    /// - Parameters:
    ///   - microseconds: the time now, since 1970, UTC.
    ///   - find: looks up the rows of commands that name none.
    ///   - willCommit: called before each COMMIT, which may still fail: readers may see the batch
    ///     from now on.
    ///   - didCommit: called after each COMMIT.
    /// - Returns: a result for each command, in order.
    package func commit(
        _ batch: [SentCommand], at microseconds: Int64,
        find: RowFinder = { _, _ in [] },
        willCommit: (CommittedBatch) -> Void = { _ in },
        didCommit: (CommittedBatch) -> Void = { _ in }
    ) -> [CommandResult] {
        // Commands of before the first writer are of writers that nobody knows.
        guard let opened else { return batch.map { .failure(.expired($0.command.name)) } }
        return opened.commit(
            batch, at: microseconds, find: find, willCommit: willCommit,
            didCommit: { batch in
                noteFile()
                didCommit(batch)
            })
    }

    /// A number for a client process that begins to write: durable when this returns.
    package func newWriter(
        for station: Station, at microseconds: Int64
    ) throws(ValetError) -> UInt64 {
        defer { noteFile() }
        return try file().newWriter(for: station, at: microseconds)
    }

    /// The client has said goodbye: its commands are remembered for a day.
    package func retire(
        writer: UInt64, of station: Station, at microseconds: Int64
    ) throws(ValetError) {
        try opened?.retire(writer: writer, of: station.id, at: microseconds)
        noteFile()
    }

    /// Reports the commits of other programs, as a batch without commands.
    package func takeInOthers(
        willCommit: (CommittedBatch) -> Void = { _ in }, didCommit: (CommittedBatch) -> Void
    ) throws(ValetError) {
        defer { noteFile() }
        try file().takeInOthers(willCommit: willCommit, didCommit: didCommit)
    }

    /// No higher revision may be told to anybody before `keepRevisions` has raised it; nil before
    /// the first writer.
    package var highestTold: UInt64? { opened?.highestTold }

    /// Makes sure that revisions up to this one, and many after it, are not given again after a
    /// restart.
    package func keepRevisions(upTo revision: UInt64) throws(ValetError) {
        try opened?.keepRevisions(upTo: revision)
        noteFile()
    }

    /// Moves committed pages into the file when enough have come together; call it between batches.
    package func tidy() throws(ValetError) {
        if try opened?.checkpoint() == true { noteFile() }
    }
}

extension ValetError {
    static func expired(_ name: CommandName) -> ValetError {
        ValetError(
            .expired,
            "command \(name.number) is older than what the server remembers: look whether it was "
                + "carried out, and send it under a new number if not")
    }
}
