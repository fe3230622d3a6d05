import ValetModel

/// The write-ahead log of an open file and the log's index: which files they are.
struct LogFiles {
    private let log: (path: String, identity: FilePath.Identity?)
    private let index: (path: String, identity: FilePath.Identity?)

    /// Those that are there now.
    init(of path: String) {
        log = (path + "-wal", FilePath.identity(of: path + "-wal"))
        index = (path + "-shm", FilePath.identity(of: path + "-shm"))
    }

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
        guard let stamp = logStamp, stamp.file == log.identity else {
            return nil
        }
        if stamp.byteCount == 0 {
            FilePath.remove(log.path)
            return nil
        }
        let name = log.path + "-replaced-\(stamp.seconds)"
        var (kept, count) = (name, 1)
        while FilePath.exists(kept) {
            count += 1
            kept = "\(name)-\(count)"
        }
        try FilePath.rename(log.path, to: kept)
        return kept
    }
}
