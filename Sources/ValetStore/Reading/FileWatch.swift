import Synchronization
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
/// then mix the two. So every look also compares the file's stamp: a file that was written although
/// nothing was committed was overwritten. That is its last revision, which nobody can read.
package final class FileWatch: Sendable {
    /// What tells one state of the file from another.
    fileprivate enum State: Equatable {
        case dataVersion(Int64)
        case commit(UInt32)
    }

    fileprivate struct Watched {
        let connection: Connection
        let dataVersion: Statement
        /// nil outside WAL mode.
        var counter: CommitCounter?
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
        /// Triggers may note which rows others change.
        var hasTriggers: Bool
        /// The file's stamp at that revision.
        var stamp: FilePath.Stamp?
        var isOverwritten = false
    }

    /// The first revision, and the schema's version then.
    let opening: (revision: UInt64, schemaVersion: Int64)
    private let watched: Mutex<Watched>
    private let path: String
    private let identity: FilePath.Identity?
    private let schema: Schema

    init(path: String) throws(ValetError) {
        // Taken first, so that a file that is replaced during opening counts as replaced.
        identity = FilePath.identity(of: path)
        let connection = try Connection(path: path)
        let statement = try connection.prepare(SQL.dataVersion)
        let version = try Self.number(statement)
        let counter = try CommitCounter(of: connection)
        // Nobody knows what happened since the last command, so the opening is a revision, too.
        let known: State = counter.map { .commit($0.value) } ?? .dataVersion(version)
        let changeCounter = connection.fileChangeCounter()
        let isStill = try Self.number(statement) == version
        let revision = connection.storedRevision().map { $0 + 1 } ?? 0
        let schemaVersion = try connection.integer(SQL.schemaVersion)
        schema = try Schema(of: connection)
        let hasTriggers = try connection.integer(SQL.touchedExists) > 0
        self.path = path
        opening = (revision, schemaVersion)
        watched = Mutex(
            Watched(
                connection: connection, dataVersion: statement, counter: counter, known: known,
                changeCounter: isStill ? changeCounter : nil, revision: revision,
                othersRevision: revision, schemaVersion: schemaVersion,
                hasTriggers: hasTriggers, stamp: FilePath.stamp(of: path)))
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

    /// The newest revision that is a commit of another program, or the opening. The rows of earlier
    /// revisions may all be others by now.
    package func lookForOthers() throws(ValetError) -> UInt64 {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            return watched.othersRevision
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
            watched.hasTriggers = try watched.connection.integer(SQL.touchedExists) > 0
            return false
        }
    }

    /// Whether the file may have triggers that note which rows other programs change.
    package var hasTriggers: Bool { watched.withLock(\.hasTriggers) }

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
            let now: State =
                if let counter = watched.counter {
                    .commit(counter.value)
                } else {
                    .dataVersion(try Self.number(watched.dataVersion))
                }
            if now != watched.known {
                try moved(to: now, &watched)
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

    /// The file is in another state than it was.
    private func moved(to state: State, _ watched: inout Watched) throws(ValetError) {
        guard watched.counter == nil else { return watched.committed(state) }
        let before = watched.changeCounter
        let changeCounter = watched.connection.fileChangeCounter()
        guard let counter = try CommitCounter(of: watched.connection) else {
            let isStill = try .dataVersion(Self.number(watched.dataVersion)) == state
            watched.changeCounter = isStill ? changeCounter : nil
            return watched.committed(state)
        }
        let commit = counter.value
        (watched.counter, watched.changeCounter) = (counter, nil)
        // Turning the log on raises the change counter once and changes no row.
        if commit == 0, let before, changeCounter == before &+ 1 {
            watched.known = .commit(commit)
        } else {
            watched.committed(.commit(commit))
        }
    }

    private func overwritten(_ watched: inout Watched) {
        watched.isOverwritten = true
        watched.drawForOthers()
    }

    private func isCheckpointed(_ connection: Connection) throws(ValetError) -> Bool {
        guard try connection.isInWALMode() else { return false }
        return (FilePath.stamp(of: path + "-wal")?.byteCount ?? 0) > 0
    }

    private static func number(_ statement: Statement) throws(ValetError) -> Int64 {
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

extension FileWatch.Watched {
    /// The file is in another state than it was.
    fileprivate mutating func committed(_ now: FileWatch.State) {
        known = now
        if let announced, now == .commit(announced.commit) {
            revision = announced.revision
        } else {
            drawForOthers()
        }
        announced = nil
    }

    fileprivate mutating func drawForOthers() {
        revision = max(revision, announced?.revision ?? 0) + 1
        othersRevision = revision
    }
}

// MARK: The writer's commits

extension FileWatch {
    /// The file is in WAL mode from now on. Called by the writer while nobody else can commit.
    func beginCounting() throws(ValetError) {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            guard watched.counter == nil else { return }
            throw ValetError(
                .readOnly,
                "“\(path)” can't be changed: its folder gives no shared memory for a "
                    + "write-ahead log")
        }
    }

    /// Runs the writer's COMMIT, which makes `revision`. Nobody else can commit meanwhile.
    func committing(
        _ revision: UInt64, _ commit: () throws(ValetError) -> Void
    ) throws(ValetError) {
        watched.withLock { watched in
            guard let counter = watched.counter else { return }
            watched.announced = (counter.value &+ 1, revision)
        }
        do throws(ValetError) {
            try commit()
        } catch {
            watched.withLock { watched in
                // Another program committed at once, and was taken for the writer.
                if watched.announced == nil { watched.known = nil }
                watched.announced = nil
            }
            throw error
        }
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
