import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Puts a backup in the place of a file.
///
/// What is there becomes the backup in one step, or stays: nobody else may have it open. What was
/// there before is kept beside it. Those who followed the file find another log in it, and begin
/// anew.
package enum Restoring {
    package struct Done: Hashable, Sendable {
        package let copy: CopiedFile
        /// Where the file is that was there before; nil if there was none.
        package let kept: String?
    }

    /// - Parameters:
    ///   - backup: may be open elsewhere.
    ///   - time: microseconds since 1970, UTC, for the name of what is kept.
    ///   - stage: called with what is done next.
    package static func restore(
        _ backup: String, to path: String, at time: Int64, stage: (String) -> Void = { _ in },
        cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Done {
        let source = try FilePath.existingFile(backup)
        let target = try FilePath.newOrExistingFile(path)
        guard source != target,
            FilePath.identity(of: source) != FilePath.identity(of: target)
        else { throw .storageFailed("“\(backup)” is the file that is to be replaced") }
        // Another restore of the same file must not mistake it for its own.
        let new = "\(target)-restoring-\(getpid())"
        FilePath.removeDatabase(new)
        do throws(ValetError) {
            stage("copying")
            // With neither of these beside it, it is whole; and its folder may be read-only.
            let isWhole = ["-wal", "-journal"].allSatisfy { !FilePath.exists(source + $0) }
            try Connection(path: source, access: isWhole ? .readAlone : .read)
                .copy(to: new, cancelled: cancelled)
            stage("checking")
            let copy = try CopiedFile(new)
            try copy.check(cancelled: cancelled)
            try beginLog(of: new)
            try FilePath.give(new, rightsOf: FilePath.exists(target) ? target : source)
            stage("replacing")
            return Done(copy: copy, kept: try replace(target, by: copy, at: time))
        } catch {
            FilePath.removeDatabase(new)
            throw error
        }
    }

    /// Positions in the log of the file that it is a copy of mean nothing in it.
    private static func beginLog(of path: String) throws(ValetError) {
        let connection = try Connection(path: path, access: .write)
        guard try connection.integer(SQL.logExists) > 0 else { return }
        let id = UInt64.random(in: 1 ... .max)
        try PreparedStatements(connection).run(SQL.beginLog, [.integer(Int64(bitPattern: id))])
    }

    /// - Returns: where the file is that was there before.
    private static func replace(
        _ target: String, by new: CopiedFile, at time: Int64
    ) throws(ValetError) -> String? {
        guard FilePath.exists(target) else {
            // They are of a file that is gone, and SQLite would take them for the new one's.
            for suffix in ["-wal", "-shm", "-journal"] { FilePath.remove(target + suffix) }
            try new.move(to: target)
            return nil
        }
        let hadNote = FilePath.exists(Ownership.path(of: target))
        let ownership = try Ownership(of: target, address: "valetd restore")
        defer { withExtendedLifetime(ownership) {} }
        if !hadNote { try FilePath.give(Ownership.path(of: target), rightsOf: target) }
        let kept = nameToKeep(target, at: time)
        do throws(ValetError) {
            let old = try Connection(path: target, access: .write)
            try old.takeAlone()
            try old.copy(to: kept)
            try FilePath.give(kept, rightsOf: target)
            // So that it is kept before it is replaced.
            try OpenedFile(kept).sync()
            // An unfinished change in it was taken back when the file was opened.
            FilePath.remove(target + "-journal")
            try new.move(to: target)
        } catch {
            FilePath.removeDatabase(kept)
            guard isDamaged(target) else { throw error }
            for suffix in ["-wal", "-journal", ""] where FilePath.exists(target + suffix) {
                guard rename(target + suffix, kept + suffix) == 0 else {
                    throw FilePath.failure(kept + suffix, errno, doing: "make")
                }
            }
            FilePath.remove(target + "-shm")
            try new.move(to: target)
        }
        return kept
    }

    /// False for a file that can't be opened for another reason, such as a lock.
    private static func isDamaged(_ path: String) -> Bool {
        do throws(ValetError) {
            let connection = try Connection(path: path, access: .write)
            _ = try? connection.integer(SQL.integrityCheck)
            return connection.isDamaged
        } catch {
            return error.code == .storageFailed
        }
    }

    /// A name that no file has.
    private static func nameToKeep(_ target: String, at time: Int64) -> String {
        let name = "\(target)-before-\(time / 1_000_000)"
        var (kept, count) = (name, 1)
        while FilePath.exists(kept) {
            count += 1
            kept = "\(name)-\(count)"
        }
        return kept
    }
}

extension FilePath {
    /// Those who could read and write the file go on being able to.
    static func give(_ path: String, rightsOf other: String) throws(ValetError) {
        guard let old = status(of: other), let new = status(of: path) else {
            return
        }
        let isOwned = old.st_uid == new.st_uid && old.st_gid == new.st_gid
        guard isOwned || chown(path, old.st_uid, old.st_gid) == 0,
            chmod(path, old.st_mode & 0o777) == 0
        else {
            throw .readOnly("“\(other)” belongs to somebody else: run this as they would")
        }
    }
}

extension Connection {
    /// Keeps everybody else out of the file until this connection ends, and takes its log in:
    /// SQLite would take that for another file's that comes in its place. Leaving the mode with a
    /// write-ahead log fails while anybody else has the file open, even one who does nothing.
    func takeAlone() throws(ValetError) {
        let mode = try journalModeAfterLeavingLog()
        guard mode == "delete" else {
            throw .busy("another program has “\(file)” open: end it, and try again")
        }
        try run(SQL.lockOut)
    }

    /// The statement ends before anything else is done: it keeps the file locked.
    private func journalModeAfterLeavingLog() throws(ValetError) -> String? {
        let statement = try prepare(SQL.rollbackJournal)
        return try statement.step() ? statement.text(0) : nil
    }
}
