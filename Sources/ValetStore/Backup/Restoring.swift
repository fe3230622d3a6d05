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
/// What is there becomes the backup in one step, or stays. What was there before is kept beside it.
/// Those who followed the file find another log in it, and begin anew.
package enum Restoring {
    package struct Done: Hashable, Sendable {
        package let copy: CopiedFile
        /// Where the file is that was there before; nil if there was none.
        package let kept: String?
        /// Whether a server has the file open, which opens it again now.
        package let isServed: Bool
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
            try give(new, rightsOf: FilePath.exists(target) ? target : source)
            stage("replacing")
            let (kept, isServed) = try replace(target, by: copy, at: time)
            return Done(copy: copy, kept: kept, isServed: isServed)
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

    private static func replace(
        _ target: String, by new: CopiedFile, at time: Int64
    ) throws(ValetError) -> (kept: String?, isServed: Bool) {
        guard FilePath.exists(target) else {
            // They are of a file that is gone, and SQLite would take them for the new one's.
            for suffix in ["-wal", "-shm", "-journal"] { FilePath.remove(target + suffix) }
            try new.move(to: target)
            return (nil, false)
        }
        let kept = nameToKeep(target, at: time)
        if Ownership.isOwned(target) {
            // It sets its own log aside when it finds another file.
            try keep(target, as: kept)
            try new.move(to: target)
            return (kept, true)
        }
        let ownership = try Ownership(of: target, address: "valetd restore")
        defer { withExtendedLifetime(ownership) {} }
        do throws(ValetError) {
            try keep(target, as: kept)
            try endLog(of: target)
            try new.move(to: target)
        } catch {
            guard isUnreadable(target) else { throw error }
            FilePath.removeDatabase(kept)
            for suffix in ["-wal", "-journal", ""] where FilePath.exists(target + suffix) {
                guard rename(target + suffix, kept + suffix) == 0 else {
                    throw FilePath.failure(kept + suffix, errno, doing: "make")
                }
            }
            FilePath.remove(target + "-shm")
            try new.move(to: target)
        }
        return (kept, false)
    }

    private static func keep(_ target: String, as kept: String) throws(ValetError) {
        try Connection(path: target).copy(to: kept)
        try give(kept, rightsOf: target)
        // So that it is kept before it is replaced.
        try OpenedFile(kept).sync()
    }

    /// Takes the file's write-ahead log in: SQLite would take it for the new one's.
    private static func endLog(of target: String) throws(ValetError) {
        do {
            let connection = try Connection(path: target, access: .write)
            try connection.run(SQL.takeLogIn)
        }
        for suffix in ["-wal", "-journal"] {
            guard (FilePath.stamp(of: target + suffix)?.byteCount ?? 0) == 0 else {
                throw .busy("another program has “\(target)” open: end it, and try again")
            }
            FilePath.remove(target + suffix)
        }
        FilePath.remove(target + "-shm")
    }

    private static func isUnreadable(_ path: String) -> Bool {
        guard let connection = try? Connection(path: path) else { return true }
        _ = try? connection.integer(SQL.integrityCheck)
        return connection.isDamaged
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

    /// Those who could read and write the file go on being able to.
    private static func give(_ path: String, rightsOf other: String) throws(ValetError) {
        guard let old = FilePath.status(of: other), let new = FilePath.status(of: path) else {
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
