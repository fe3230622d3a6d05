import ValetModel

/// Writes one database, for one thread at a time: the only writer of its process, and the owner of
/// the file among all processes that serve it.
///
/// A file without a log gets one, the tables `_valet_…`, with the first command that is applied, in
/// one transaction, and a write-ahead log for it. Until then each command is carried out on trial:
/// conflicts and refusals leave the file as it is.
package final class Writer {
    let database: Database
    /// With symbolic links resolved.
    private let path: String
    private let ownership: Ownership
    private let isStopping: @Sendable () -> Bool
    private var opened: WrittenFile?
    private let isOfNode: Bool
    let newWriters = NewWriters()
    private var unstored = UnstoredOutcomes()

    /// Takes ownership of the file; throws `.readOnly` if another process owns it, or if the file
    /// can't be written.
    ///
    /// - Parameters:
    ///   - address: where this process serves the file, for those who find it owned.
    ///   - isOfNode: whether this process is the cluster's node whose file it is. Any other file is
    ///     refused then, and a node's otherwise.
    package init(
        of database: Database, address: String, isOfNode: Bool = false,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        self.database = database
        self.isStopping = isStopping
        path = try FilePath.existingFile(database.path)
        self.isOfNode = isOfNode
        ownership = try Ownership(of: path, address: address)
        if isOfNode, !database.hasLog { throw NodeMark.isNone(path) }
        // The time is that of a new log.
        if database.hasLog { opened = try open(.makingLog, at: 0) }
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

    private func open(
        _ opening: WrittenFile.Opening, at microseconds: Int64
    ) throws(ValetError) -> WrittenFile {
        let file = try WrittenFile(
            database, path: path, ownership: ownership, newWriters: newWriters, opening,
            at: microseconds, isStopping: isStopping)
        guard file.isOfNode == isOfNode else {
            throw isOfNode ? NodeMark.isNone(path) : NodeMark.isSome(path)
        }
        if opening != .onTrial, file.hasLog { keep(file) }
        return file
    }

    private func keep(_ file: WrittenFile) {
        opened = file
        noteFile()
        ownership.sync()
    }

    /// Notes the state of the file, in case this process ends now.
    private func noteFile() {
        // What is at the path may be another file.
        guard let opened, (try? database.watch.keepsCommits()) == true else { return }
        note(opened)
    }

    /// Notes the state in which the file was found just now.
    private func note(_ file: WrittenFile) { ownership.write(note(of: file)) }

    private func note(of opened: WrittenFile) -> FileNote? {
        guard let identity = database.watch.identity else { return nil }
        var note = FileNote(
            logID: opened.log.logID, newestCommand: opened.log.newest,
            highestTold: opened.highestTold, file: identity, left: nil, log: nil)
        guard let left = database.watch.left else { return note }
        if left.othersRevision == opened.others.newest {
            note.left = LeftFile(
                file: left.file.stamp, log: left.log, othersRevision: opened.others.changedRows)
        }
        if let log = left.log, let (salt, content) = database.watch.logAndContent {
            note.log = LeftLog(file: left.file, log: log, salt: salt, content)
        }
        return note
    }

    /// The file with a log, which is made if there is none.
    func file(at microseconds: Int64 = 0) throws(ValetError) -> WrittenFile {
        if let opened { return opened }
        return try open(.makingLog, at: microseconds)
    }

    /// Names the log: revisions of another log are not comparable. nil in a file without one.
    package var logID: UInt64? { opened?.log.logID }

    // MARK: Commands

    /// Carries out commands in order, in one durable transaction as a rule.
    ///
    /// A command that ends the transaction (`RAISE(ROLLBACK)`) gets one of its own, so there may be
    /// several.
    ///
    /// - Parameters:
    ///   - microseconds: the time now, since 1970, UTC.
    ///   - agreement: what decides about a node's entries, which it must have.
    ///   - find: looks up the rows of commands that name none.
    ///   - willCommit: called before each COMMIT, which may still fail: readers may see the batch
    ///     from now on.
    ///   - didCommit: called after each COMMIT.
    /// - Returns: a result for each command, in order.
    package func commit(
        _ batch: [SentCommand], at microseconds: Int64, agreement: Agreement? = nil,
        find: RowFinder = { _, _ in [] },
        willCommit: (CommittedBatch) -> Void = { _ in },
        didCommit: (CommittedBatch) -> Void = { _ in }
    ) -> [CommandResult] {
        var results = batch.map { unstored.result(of: $0) }
        var places = batch.indices.filter { results[$0] == nil }[...]
        while opened == nil, let place = places.popFirst() {
            results[place] = commitFirst(
                batch[place], at: microseconds, find: find, willCommit: willCommit,
                didCommit: didCommit)
        }
        if let opened, !places.isEmpty {
            let rest = opened.commit(
                places.map { batch[$0] }, at: microseconds, agreement: agreement, find: find,
                willCommit: willCommit,
                didCommit: { batch in
                    // It was at its path just now.
                    note(opened)
                    didCommit(batch)
                })
            for (place, result) in zip(places, rest) { results[place] = result }
        }
        return results.map { $0 ?? .failure(ValetError(.storageFailed, "nothing was done")) }
    }

    /// Carries out a command in a file without a log, which gets one if rows change.
    private func commitFirst(
        _ sent: SentCommand, at microseconds: Int64, find: RowFinder,
        willCommit: (CommittedBatch) -> Void, didCommit: (CommittedBatch) -> Void
    ) -> CommandResult {
        do throws(ValetError) {
            if unstored.hasRoom {
                let trial = try open(.onTrial, at: microseconds)
                var outcome = try trial.onTrial(sent, at: microseconds, find: find).get()
                if !trial.hasLog, !outcome.verdict.changesRows {
                    outcome.revision = 0
                    unstored.add(outcome, of: sent)
                    return .success(outcome)
                }
            }
            let file = try open(unstored.hasRoom ? .withFirstCommand : .makingLog, at: microseconds)
            let results = file.commit(
                [sent], at: microseconds, find: find, willCommit: willCommit,
                didCommit: { batch in
                    keep(file)
                    didCommit(batch)
                })
            return results[0]
        } catch {
            return .failure(error)
        }
    }

    /// For a client process that begins to write. Nothing is stored before its first command.
    package func newWriter(for station: Station, at microseconds: Int64) -> WriterID {
        newWriters.make(for: station.id, at: microseconds)
    }

    /// The client has said goodbye: its commands are remembered for a day.
    ///
    /// - Parameter isRefresh: whether its station, of which it is the only writer, undoes nothing
    ///   more.
    package func retire(
        writer: WriterID, of station: Station, isRefresh: Bool = false, at microseconds: Int64
    ) throws(ValetError) {
        try opened?.retire(writer: writer, of: station.id, isRefresh: isRefresh, at: microseconds)
        noteFile()
    }

    /// Reports the commits of other programs, as a batch without commands.
    package func takeInOthers(
        at microseconds: Int64, willCommit: (CommittedBatch) -> Void = { _ in },
        didCommit: (CommittedBatch) -> Void
    ) throws(ValetError) {
        defer { noteFile() }
        try file(at: microseconds).takeInOthers(willCommit: willCommit, didCommit: didCommit)
    }

    /// No higher revision may be told to anybody before `keepRevisions` has raised it. nil without
    /// a log.
    package var highestTold: UInt64? { opened?.highestTold }

    /// Makes sure that revisions up to this one, and many after it, are not given again after a
    /// restart.
    package func keepRevisions(upTo revision: UInt64) throws(ValetError) {
        try opened?.keepRevisions(upTo: revision)
        noteFile()
    }

    /// Keeps the log's entries after a revision for someone who takes them, until it asks for later
    /// ones, or with nil says that it comes no more.
    ///
    /// - Throws: `.expired` if not all of them are kept, or there is no log yet: it has to begin
    ///   anew with a copy.
    package func keepEntries(after revision: UInt64?, for consumer: String) throws(ValetError) {
        guard let opened else { throw .expired("“\(path)” has no log yet: begin with a copy") }
        try opened.keepEntries(after: revision, for: consumer)
        noteFile()
    }

    /// Begins a copy of the file to one that isn't there yet, whose steps go between commits.
    /// - Returns: nil while the file has no log, so that this does not write to it.
    package func beginCopy(to path: String) throws(ValetError) -> FileCopy? {
        guard let opened else { return nil }
        try opened.checkFile()
        return try FileCopy(of: opened.connection, to: path)
    }

    // MARK: Nodes of clusters

    /// What a node's file says of its place in the cluster's log.
    package func nodeState() throws(ValetError) -> [UInt8] {
        guard let state = try file().connection.nodeState() else { throw NodeMark.isNone(path) }
        return state
    }

    /// The cluster's log has an entry that could not be committed here. Until it was followed,
    /// nothing is decided.
    package var lacksEntry: Bool { opened?.lacksEntry ?? false }

    /// Applies entries of the cluster's log, in one transaction, and keeps how far the log was
    /// taken in. If it throws, nothing is applied.
    ///
    /// - Parameters:
    ///   - entries: as `Agreement` was given them where they were decided; may be none.
    ///   - state: see `NodeMark`.
    package func follow(
        _ entries: [[UInt8]], keeping state: [UInt8],
        willCommit: (CommittedBatch) -> Void = { _ in },
        didCommit: (CommittedBatch) -> Void = { _ in }
    ) throws(ValetError) {
        let file = try file()
        try file.follow(
            entries, keeping: state, willCommit: willCommit,
            didCommit: { batch in
                note(file)
                didCommit(batch)
            })
    }

    /// Moves committed pages into the file when enough have come together; call it between batches.
    package func tidy() throws(ValetError) {
        if try opened?.checkpoint() == true { noteFile() }
    }
}

extension Verdict {
    fileprivate var changesRows: Bool {
        switch self {
        case .applied, .appliedButFor: true
        case .conflict, .refused: false
        }
    }
}

extension ValetError {
    static func otherCommand(_ name: CommandName) -> ValetError {
        ValetError(
            .unexpected, "the writer has sent another command under the number \(name.number)")
    }

    static func expired(_ name: CommandName) -> ValetError {
        ValetError(
            .expired,
            "command \(name.number) is older than what the server remembers: check whether it was "
                + "carried out, and send it under a new number if not")
    }

    static func badNumber(_ name: CommandName) -> ValetError {
        ValetError(
            .expired,
            "commands are numbered from 1 to \(Int64.max), so none can have been carried out as "
                + "\(name.number): send it under a number that follows the last one")
    }
}
