import ValetModel

/// How a file is looked at: one state after the other.
extension FileWatch {
    /// How the path differs from what is open.
    package enum Change: Equatable, Sendable {
        case none
        /// The tables and views in the file, or the ids of their rows, are others.
        case tables
        /// The path leads to another file.
        case file
        /// The file was overwritten, or its write-ahead log was removed, replaced or cut: SQLite
        /// mixes up what it opens of it now with what is open. Or another program has committed
        /// what is not of the same Valet log.
        case contents
        /// The file is as it was, and was away, or in doubt, while a change was made.
        case back
        /// This process could only read the file's log, and may write it by now.
        case writable
        /// The path leads to no file.
        case gone
        /// The file is a node's, and a copy of another node's is about to take its place.
        case copy
    }

    func look(_ watched: inout Watched) throws(ValetError) {
        guard !watched.isOverwritten else { return }
        do throws(ValetError) {
            try lookOnce(&watched)
        } catch {
            guard try watched.open().connection.takesBackLeftChange() else { throw error }
            try lookOnce(&watched)
        }
        if watched.isOverwritten { return }
        let connection = try watched.open().connection
        try watched.log.check(connection, at: watched.othersRevision, within: budgets.lookup)
    }

    private func lookOnce(_ watched: inout Watched) throws(ValetError) {
        let opened = try watched.open()
        // Everything below reads the index, and so does SQLite.
        let index = watched.logFiles?.indexState
        if index == .cut { return overwritten(&watched) }
        // Before the version, whose reading waits for a commit that is being written.
        let checkpoint = watched.index?.checkpoint
        watched.found = Found(file: state, index: index)
        let now = Written(
            checkpoint: checkpoint, stamp: watched.found.file?.stamp, newest: watched.log.newest)
        if watched.index != nil, opened.connection.hasRollbackHeader {
            watched.isOtherContent = true
            return overwritten(&watched)
        }
        do throws(ValetError) {
            let state: State =
                if let index = watched.index {
                    .commit(index.commit)
                } else {
                    try opened.readState(of: resolved)
                }
            if state != watched.known {
                // In WAL mode, commits do not write the file.
                let isInLog = watched.index != nil
                try moved(to: state, &watched)
                if !isInLog {
                    let checkpoint = watched.index?.checkpoint
                    watched.written = Written(
                        checkpoint: checkpoint, stamp: stamp ?? watched.written.stamp,
                        content: FileContent(of: opened.connection, at: resolved, watched.index),
                        newest: now.newest)
                    return
                }
            }
        } catch {
            // A shorter file looks damaged to a connection that knew the longer one.
            guard opened.connection.isDamaged, let stamp = now.stamp,
                stamp != watched.written.stamp
            else { throw error }
            watched.isOtherContent = true
            return overwritten(&watched)
        }
        guard let stamp = now.stamp else { return }
        let before = watched.written
        watched.written = now
        let isWritten = stamp != before.stamp
        // Once the log has begun anew, all of the earlier one is in the file. The stamp need not
        // tell: files are stamped with the time of the system's last tick.
        guard isWritten || now.checkpoint?.salt != before.checkpoint?.salt else {
            watched.written.content = before.content
            return
        }
        let content = FileContent(
            of: opened.connection, at: resolved, watched.index,
            since: isWritten ? nil : before.content)
        watched.written.content = content
        guard isWritten else { return }
        if try isCheckpointed(watched, content, since: before) { return }
        let isSame = before.content.map(content.isSame) ?? false
        if isSame, watched.index == nil {
            // A change that was taken back, a touch, or another file that differs little.
            watched.drawForOthers()
            return
        }
        watched.isOtherContent = !isSame && !hasPagesOfItsLog(opened.connection)
        overwritten(&watched)
    }

    /// Whether a part of the log may be in the file. Then the log must stay: with a part of it
    /// alone, a file is damaged.
    private func hasPagesOfItsLog(_ connection: Connection) -> Bool {
        connection.logPages()?.mayHaveBeenMoved(
            into: { connection.fileBytes(at: Int64($0), count: $1) }, wasKilled: false) ?? false
    }

    /// The file is in another state than it was.
    private func moved(to state: State, _ watched: inout Watched) throws(ValetError) {
        guard watched.index == nil else { return watched.committed(state) }
        let before = watched.changeCounter
        let opened = try watched.open()
        let changeCounter = opened.connection.fileChangeCounter()
        guard let index = try WALIndex(of: opened.connection) else {
            let isStill = try opened.readState(of: resolved) == state
            watched.changeCounter = isStill ? changeCounter : nil
            return watched.committed(state)
        }
        let commit = index.commit
        (watched.index, watched.logFiles) = (index, LogFiles(of: resolved))
        watched.changeCounter = nil
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

    /// Whether the file, which was written since, is what a checkpoint has made of it.
    ///
    /// - Parameter content: of the file after it was written.
    func isCheckpointed(
        _ watched: Watched, _ content: @autoclosure () -> FileContent, since earlier: Written
    ) throws(ValetError) -> Bool {
        let connection = try watched.open().connection
        guard let index = watched.index, let before = earlier.checkpoint else {
            guard try connection.isInWALMode() else { return false }
            return (FilePath.stamp(of: resolved + "-wal")?.byteCount ?? 0) > 0
        }
        // Once more if a checkpoint has gone on meanwhile.
        for _ in 0..<Self.attempts {
            let now = index.checkpoint
            guard now.mayHaveWritten(since: before) else { return false }
            if isMade(content(), by: now, index, of: earlier, connection) { return true }
            if index.checkpoint == now { return false }
        }
        return true
    }

    private static let attempts = 5

    private func isMade(
        _ content: @autoclosure () -> FileContent, by now: WALIndex.Checkpoint,
        _ index: WALIndex, of earlier: Written, _ connection: Connection
    ) -> Bool {
        if now.salt != earlier.checkpoint?.salt, let newest = content().newest {
            // The earlier log was moved whole.
            guard earlier.newest.logID == nil || newest.logID == earlier.newest.logID,
                newest.revision >= earlier.newest.revision
            else { return false }
        }
        guard now.begun > 0, let log = connection.logPages(), log.salt == now.salt else {
            return true
        }
        var changed: [Range<Int64>] = []
        if now.salt == earlier.checkpoint?.salt, let before = earlier.content?.sample {
            changed = content().sample?.changes(since: before) ?? []
        }
        return log.areMoved(
            now.moved, of: index, into: { connection.fileBytes(at: Int64($0), count: $1) },
            changed: changed)
    }
}

extension FileWatch.Watched {
    func open() throws(ValetError) -> FileWatch.Opened {
        guard let opened else { throw ValetError(.shuttingDown, "the file was closed") }
        return opened
    }

    /// Whether the log is still the one that is open, and whole.
    var hasItsLog: Bool {
        guard let logFiles else { return true }
        return logFiles.indexState == .whole && hasItsLog(nil)
    }

    /// The same, if its index is.
    ///
    /// - Parameter seen: the log as it was a moment ago, which is looked at if that was too short.
    func hasItsLog(_ seen: FilePath.Stamp?) -> Bool {
        guard let logFiles, let index, let opened else { return true }
        let (salt, byteCount) = (index.checkpoint.salt, index.byteCount)
        // What is committed to a log that was cut stands behind a hole.
        if logFiles.isLog(seen, holding: byteCount)
            || logFiles.isLog(logFiles.logStamp, holding: byteCount),
            byteCount == 0 || opened.connection.logSalt() == salt, hasNoHole(salt)
        {
            return true
        }
        // It may have begun anew meanwhile.
        return index.checkpoint.salt != salt && logFiles.isLog(logFiles.logStamp, holding: 0)
    }

    /// Whether the open log has all that was committed to it, wherever it stands.
    var holdsItsLog: Bool {
        guard let index, let opened else { return true }
        let (salt, byteCount) = (index.checkpoint.salt, index.byteCount)
        return opened.connection.logByteCount ?? 0 >= byteCount
            && opened.connection.logSalt() == salt && hasNoHole(salt)
    }

    /// Whether the page that was the last in the log at an earlier look is what it was. If the log
    /// was cut, and others have committed to it since, its size does not tell.
    private func hasNoHole(_ salt: UInt64) -> Bool {
        guard let index, let lastLogged, lastLogged.salt == salt, lastLogged.count > 0,
            index.pageCount > lastLogged.count, let log = opened?.connection.logPages(),
            log.salt == salt
        else { return true }
        return log.isWhole(lastLogged.count - 1)
    }

    /// The same as `hasItsLog`. Notes how many pages it has if it is.
    mutating func findsItsLog(_ seen: FilePath.Stamp?) -> Bool {
        let logged = index.map { ($0.checkpoint.salt, $0.pageCount) }
        guard hasItsLog(seen) else { return false }
        lastLogged = logged
        return true
    }

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
