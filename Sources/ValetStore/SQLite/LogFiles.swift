import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The write-ahead log of an open file and the log's index: which files they are.
struct LogFiles {
    private let log: (path: String, identity: FilePath.Identity?)
    private let index: (path: String, identity: FilePath.Identity?)

    /// Those that are there now.
    init(of path: String) {
        log = (path + "-wal", FilePath.identity(of: path + "-wal"))
        index = (path + "-shm", FilePath.identity(of: path + "-shm"))
    }

    /// Whether this process may write the index of a file's log.
    static func isIndexWritable(of path: String) -> Bool { FilePath.isWritable(path + "-shm") }

    enum IndexState {
        case whole
        /// It was cut where it is: then its memory is gone, and who reads it is killed (SIGBUS).
        case cut
        /// It is not at its path.
        case gone
    }

    var indexState: IndexState {
        guard let stamp = FilePath.stamp(of: index.path), stamp.file == index.identity else {
            return .gone
        }
        return stamp.byteCount < WALIndex.byteCount ? .cut : .whole
    }

    /// Of what is at the log's path; nil if nothing is.
    var logStamp: FilePath.Stamp? { FilePath.stamp(of: log.path) }

    /// Whether this is the log, and has so many bytes.
    func isLog(_ stamp: FilePath.Stamp?, holding byteCount: Int64) -> Bool {
        guard let stamp else { return false }
        return stamp.file == log.identity && stamp.byteCount >= byteCount
    }

    /// Whether another program has made a log in its place.
    var areReplaced: Bool {
        guard let stamp = logStamp else { return false }
        return stamp.file != log.identity && stamp.byteCount > 0
    }

    /// Removes those that are still there; a log that is not empty gets another name.
    ///
    /// - Returns: that name.
    func setAside() throws(ValetError) -> String? {
        if let known = index.identity, FilePath.identity(of: index.path) == known {
            FilePath.remove(index.path)
        }
        guard let stamp = logStamp, stamp.file == log.identity else { return nil }
        if stamp.byteCount == 0 {
            FilePath.remove(log.path)
            return nil
        }
        let kept = nameAside(of: Int64(stamp.seconds))
        guard rename(log.path, kept) == 0 else {
            throw FilePath.failure(log.path, errno, doing: "rename")
        }
        return kept
    }

    /// Writes the open log of a connection to a file of such a name, if nothing or another log is
    /// at its path.
    ///
    /// - Returns: that name; nil if the log is at its path, or empty.
    func keepRemoved(of connection: Connection) throws(ValetError) -> String? {
        guard logStamp?.file != log.identity, let byteCount = connection.logByteCount,
            byteCount > 0
        else { return nil }
        let kept = nameAside(of: WallClock.now() / 1_000_000)
        let descriptor = open(kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FilePath.failure(kept, errno, doing: "make") }
        defer { close(descriptor) }
        var offset: Int64 = 0
        while offset < byteCount {
            let count = Int(min(byteCount - offset, 1 << 20))
            guard let bytes = connection.logBytes(at: offset, count: count) else {
                throw .storageFailed("the removed log “\(log.path)” can't be read")
            }
            try FilePath.write(bytes[...], to: descriptor, for: log.path, in: kept)
            offset += Int64(count)
        }
        guard fsync(descriptor) == 0 else { throw FilePath.failure(kept, errno, doing: "sync") }
        return kept
    }

    /// A name that no file has.
    private func nameAside(of seconds: Int64) -> String {
        let name = log.path + "-replaced-\(seconds)"
        var (kept, count) = (name, 1)
        while FilePath.exists(kept) {
            count += 1
            kept = "\(name)-\(count)"
        }
        return kept
    }
}
