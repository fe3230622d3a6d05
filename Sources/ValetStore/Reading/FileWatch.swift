import ValetModel

/// Assigns revisions to the states of a file that this process and other programs change.
///
/// A revision counts commands of this process and observed commits of others, in one order. In WAL
/// mode the commit counter names every commit, and the writer announces its own. Elsewhere
/// `PRAGMA data_version` only says *whether* the file has changed since the same connection last
/// looked, so one connection looks for all readers.
///
/// A reader looks before and after its own transaction begins: equal revisions mean that no commit
/// came between, so the transaction reads exactly that revision. A look *during* a transaction that
/// still returns an earlier revision means that the transaction reads no later state.
///
/// SQLite does not notice that another file is copied over the one it reads, and its page caches
/// then mix the two. So every look also compares the file's stamp: a file that was written, and
/// neither by a commit nor by a checkpoint, was overwritten. That is its last revision, which
/// nobody can read.
///
/// What is at the path, and beside it, is compared with what is open (`change`): a commit to a file
/// that was removed or replaced would be lost with it.
package final class FileWatch: Sendable {
    /// What tells one state of the file from another.
    enum State: Equatable {
        case dataVersion(Int64)
        case commit(UInt32)
        /// Of the file and its log, where nobody has the log's index open and this process may not
        /// write it. SQLite makes one for each transaction then, and another version with it.
        case stamps(FilePath.Stamp?, FilePath.Stamp?)
    }

    struct Opened {
        let connection: Connection
        let dataVersion: Statement

        func readVersion() throws(ValetError) -> Int64 {
            defer { dataVersion.reset() }
            return try dataVersion.step() ? dataVersion.integer(0) : 0
        }

        /// The state of a file whose log's index can't be read.
        func readState(of path: String) throws(ValetError) -> State {
            let version = try readVersion()
            guard connection.hasWALHeader else { return .dataVersion(version) }
            return .stamps(FilePath.stamp(of: path), FilePath.stamp(of: path + "-wal"))
        }
    }

    struct Watched {
        /// nil once it is closed.
        var opened: Opened?
        /// nil outside WAL mode.
        var index: WALIndex?
        /// The log and its index; nil outside WAL mode.
        var logFiles: LogFiles?
        /// The log's salt, and how many pages it had when it was last found to have them all.
        var lastLogged: (salt: UInt64, count: UInt32)?
        /// The index of the log can't be written. SQLite then has it open for reading, for all
        /// connections of this process.
        let mayOnlyRead: Bool
        /// nil if the next look must draw a revision.
        var known: State?
        /// The file's change counter in that state; nil in WAL mode, or if it was changing.
        var changeCounter: UInt32?
        var revision: UInt64
        /// The newest revision that is a commit of another program, or the opening.
        var othersRevision: UInt64
        /// The commit that the writer is about to make.
        var announced: (commit: UInt32, revision: UInt64)?
        /// Changes with every schema change, including those that concern no list.
        var schemaVersion: Int64
        var objects: SchemaObjects
        /// Triggers may note which rows others change.
        var hasTriggers: Bool
        /// The file as it was last seen.
        var written: Written
        /// At the last look.
        var found: Found
        /// nil unless the writer's last look found that the file keeps its commits.
        var left: Left?
        /// The file as it was when that was last found.
        var lastKept: FilePath.Stamp?
        var isOverwritten = false
        /// The path led to no file, or another, when the writer looked: nobody was told of its last
        /// commit.
        var wasLost = false
        /// False if it was only touched, as far as a sample tells: then its log belongs to it.
        var isOtherContent = false
        /// Commits may have put other content into the file, too.
        var log: KnownLog
    }

    /// What is at the paths.
    struct Found {
        /// nil if the path leads to no file, or another.
        let file: FilePath.State?
        /// nil outside WAL mode.
        let index: LogFiles.IndexState?
    }

    /// The file and its log, as a commit of the writer leaves them.
    struct Left {
        let file: FilePath.State
        let log: FilePath.Stamp?
        /// Others may have committed since, but not between this revision and the stamps.
        let othersRevision: UInt64
    }

    /// When the file was written, as far as can be seen. What the index says is taken first: so a
    /// checkpoint that writes the file later shows in a later index, too.
    struct Written {
        let checkpoint: WALIndex.Checkpoint?
        let stamp: FilePath.Stamp?
        /// nil if it wasn't looked at.
        var content: FileContent?
        /// The newest command of the file with its log.
        let newest: LoggedCommand
    }

    /// The first revision, and the schema's version then.
    package let opening: (revision: UInt64, schemaVersion: Int64)
    let watched: Mutex<Watched>
    let path: String
    /// Where the open file stood when it was opened.
    let resolved: String
    /// Of the open file.
    let identity: FilePath.Identity?
    private let schema: Schema
    let budgets: Budgets

    /// - Parameter earlier: revisions begin above this one.
    init(
        path: String, above earlier: UInt64 = 0, budgets: Budgets = Budgets(),
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        // Taken first, so that a file that is replaced during opening counts as replaced.
        identity = FilePath.identity(of: path)
        // SQLite's files stand beside the file that a symbolic link leads to.
        let resolved = try FilePath.existingFile(path)
        self.resolved = resolved
        let connection = try Connection(path: path, isStopping: isStopping)
        let found = try connection.result(
            of: Self.look(at: connection, resolved: resolved, above: earlier),
            within: budgets.opening)
        try Self.check(connection, of: path, identity)
        // What clients have sent is answered to the end, and that takes looks.
        connection.interruption.ignoreStopping()
        self.path = path
        self.budgets = budgets
        schema = found.schema
        opening = (found.watched.revision, found.watched.schemaVersion)
        watched = Mutex(found.watched)
    }

    /// Looks for the first time.
    private static func look(
        at connection: Connection, resolved: String, above earlier: UInt64
    ) throws(ValetError) -> (schema: Schema, watched: Watched) {
        let opened = Opened(
            connection: connection, dataVersion: try connection.prepare(SQL.dataVersion))
        let state = try opened.readState(of: resolved)
        let index = try WALIndex(of: connection)
        // Nobody knows what happened since the last command, so the opening is a revision, too.
        let known: State = index.map { .commit($0.commit) } ?? state
        let changeCounter = connection.fileChangeCounter()
        let isStill = try opened.readState(of: resolved) == state
        let stored = try connection.storedRevision()
        let isNodes = try connection.isOfNode()
        let isFirst = stored == nil && earlier == 0
        // Nodes have the revisions of their log.
        let revision = isFirst ? 0 : isNodes ? stored ?? 0 : max(earlier, stored ?? 0) + 1
        let schemaVersion = try connection.integer(SQL.schemaVersion)
        let log = try KnownLog(of: connection, at: revision)
        let watched = Watched(
            opened: opened, index: index, logFiles: index.map { _ in LogFiles(of: resolved) },
            mayOnlyRead: connection.hasWALHeader && !LogFiles.isIndexWritable(of: resolved),
            known: known, changeCounter: isStill ? changeCounter : nil, revision: revision,
            othersRevision: revision, schemaVersion: schemaVersion,
            objects: try SchemaObjects(of: connection, at: schemaVersion),
            hasTriggers: try connection.integer(SQL.touchedExists) > 0,
            written: Written(
                checkpoint: index?.checkpoint, stamp: FilePath.stamp(of: resolved),
                content: FileContent(of: connection, at: resolved, index), newest: log.newest),
            found: Found(file: nil, index: nil), log: log)
        return (try Schema(of: connection), watched)
    }

    /// nil while the path leads to another file or to none: then the open one stays as it is.
    var state: FilePath.State? {
        FilePath.state(of: path).flatMap { $0.stamp.file == identity ? $0 : nil }
    }

    var stamp: FilePath.Stamp? { state?.stamp }

    /// The file's current revision. Takes a few microseconds.
    package func look() throws(ValetError) -> UInt64 { try look(above: nil) }

    /// The same, but above `earlier`, which another process may have told.
    func look(above earlier: UInt64?) throws(ValetError) -> UInt64 {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            if let earlier, watched.revision <= earlier {
                (watched.revision, watched.othersRevision) = (earlier + 1, earlier + 1)
                watched.log.skip(to: earlier + 1)
            }
            return watched.revision
        }
    }

    /// The newest revision that is a commit of another program, or the opening. The rows of earlier
    /// revisions may all be others by now.
    package func lookForOthers() throws(ValetError) -> UInt64 {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            return watched.othersRevision
        }
    }

    /// Throws unless the connection has opened the file that is watched, which is at its path.
    func check(_ connection: Connection) throws(ValetError) {
        try Self.check(connection, of: path, identity)
    }

    private static func check(
        _ connection: Connection, of path: String, _ identity: FilePath.Identity?
    ) throws(ValetError) {
        guard FilePath.identity(of: path) == identity, !connection.hasMoved else {
            throw .busy("“\(path)” has just been replaced: try again")
        }
    }

    /// How the path differs from what is open: unless it is `none`, what was derived from the file
    /// is invalid.
    package func change() throws(ValetError) -> Change {
        switch FilePath.identity(of: path) {
        case nil: return .gone
        case identity: break
        case _?: return .file
        }
        return try watched.withLock { (watched) throws(ValetError) in
            if !watched.hasItsLog { return .contents }
            if watched.mayOnlyRead, LogFiles.isIndexWritable(of: resolved) { return .writable }
            try look(&watched)
            if watched.isOverwritten || watched.log.isReplaced { return .contents }
            if watched.wasLost { return .back }
            let connection = try watched.open().connection
            let version = try connection.integer(SQL.schemaVersion)
            if version == watched.schemaVersion { return .none }
            let (now, objects, hasTriggers) = try connection.working(within: budgets.lookup) {
                () throws(ValetError) in
                (
                    try Schema(of: connection), try SchemaObjects(of: connection, at: version),
                    try connection.integer(SQL.touchedExists) > 0
                )
            }
            guard now == schema else { return .tables }
            guard schema.keepsRowIDs(from: watched.objects, to: objects) else { return .tables }
            (watched.schemaVersion, watched.objects) = (version, objects)
            watched.hasTriggers = hasTriggers
            return .none
        }
    }

    /// Whether commits to what is open are in the file at the path. A few system calls; does not
    /// wait for the file. If they are not, clients wait until the file is opened again: so it is,
    /// even if it comes back at once.
    func keepsCommits() throws(ValetError) -> Bool {
        let keeps = try keepsCommitsNow()
        if !keeps { wasFoundLost() }
        return keeps
    }

    func wasFoundLost() { watched.withLock { $0.wasLost = true } }

    private func keepsCommitsNow() throws(ValetError) -> Bool {
        try watched.withLock { (watched) throws(ValetError) in
            watched.left = nil
            // Before the look, which then knows each commit that this stamp is of.
            let log = watched.logFiles?.logStamp
            do throws(ValetError) {
                try look(&watched)
            } catch {
                guard stamp != nil else { return false }
                throw error
            }
            guard !watched.isOverwritten, !watched.log.isReplaced, let file = watched.found.file,
                watched.found.index ?? .whole == .whole, watched.findsItsLog(log)
            else { return false }
            watched.left = Left(file: file, log: log, othersRevision: watched.othersRevision)
            watched.lastKept = file.stamp
            return true
        }
    }

    /// The file as the writer's last look found it, if it keeps what was committed.
    var left: Left? { watched.withLock(\.left) }

    /// Whether what is in the open log belongs into the open file: not if another file was copied
    /// over it, if the log was cut, or if another program may have opened it with another log. That
    /// one may have gone, and its log with it, but it has written to the file.
    var ownsItsLog: Bool {
        guard (try? look()) != nil else { return false }
        return watched.withLock { watched in
            guard !watched.isOverwritten, let logFiles = watched.logFiles else { return false }
            if watched.hasItsLog { return true }
            return !logFiles.areReplaced && watched.holdsItsLog
                && identity.flatMap(FilePath.stamp(ofOpen:)) == watched.lastKept
        }
    }

    /// Whether the open file, which may stand at another path by now, is as it was last seen, and
    /// no other program has it open. What that one writes goes to a log of another name.
    var isUntouchedWhereItIs: Bool {
        guard let identity, FilePath.identity(of: path) != identity else { return true }
        return watched.withLock { watched in
            FilePath.stamp(ofOpen: identity) == watched.written.stamp
                && !FilePath.isLocked(bytes: LeftoverLog.lockOfReaders, ofOpen: identity)
        }
    }

    /// Closes the file: what is asked later is an error.
    package func close() { watched.withLock { ($0.opened, $0.index) = (nil, nil) } }

    /// The write-ahead log that is open, and its index; nil outside WAL mode.
    var logFiles: LogFiles? { watched.withLock(\.logFiles) }

    /// Keeps what is in the log beside the file, if somebody has removed the log and another
    /// program has made a new one since: nobody else can read it.
    ///
    /// - Returns: where it is; nil if it belongs to no file at the path, is there, or is empty.
    package func keepRemovedLog() throws(ValetError) -> String? {
        try watched.withLock { (watched) throws(ValetError) in
            guard FilePath.identity(of: resolved) == identity, let connection = watched.opened
            else { return nil }
            return try watched.logFiles?.keepRemoved(of: connection.connection)
        }
    }

    /// The salt of the log, and what the file had at the last look; nil outside WAL mode.
    var logAndContent: (salt: UInt64, content: FileContent)? {
        watched.withLock { watched in
            guard let index = watched.index, let content = watched.written.content else {
                return nil
            }
            return (index.checkpoint.salt, content)
        }
    }

    /// Whether rows of the same tables have the ids that they had at the opening.
    func keepsRowIDs(_ objects: SchemaObjects) -> Bool {
        watched.withLock { schema.keepsRowIDs(from: $0.objects, to: objects) }
    }

    /// Whether the file may have triggers that note which rows other programs change.
    package var hasTriggers: Bool { watched.withLock(\.hasTriggers) }

    /// The revision that the last look found.
    var revision: UInt64 { watched.withLock(\.revision) }

    /// The newest revision of another program that the last look found.
    var othersRevision: UInt64 { watched.withLock(\.othersRevision) }

    /// Whether the last look found another file copied over it.
    var isOtherContent: Bool { watched.withLock(\.isOtherContent) }

    /// Whether the last look found the file overwritten.
    var isOverwritten: Bool { watched.withLock(\.isOverwritten) }

    /// Whether one transaction, in which the file once was written so, has read one file. Does not
    /// look, since a look may wait for a writer who waits for the transaction.
    func isUntouched(since earlier: Written) throws(ValetError) -> Bool {
        guard earlier.stamp != nil, let now = stamp, now != earlier.stamp else { return true }
        return try watched.withLock { (watched) throws(ValetError) in
            let connection = try watched.open().connection
            return try isCheckpointed(
                watched, FileContent(of: connection, at: resolved, watched.index), since: earlier)
        }
    }

    /// The file as it is now.
    var written: Written {
        let (checkpoint, newest) = watched.withLock { ($0.index?.checkpoint, $0.log.newest) }
        return Written(checkpoint: checkpoint, stamp: stamp, newest: newest)
    }
}
