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

    /// Whether the index is still at its path, and whole.
    var hasIndex: Bool { indexByteCount.map { $0 >= WALIndex.byteCount } ?? false }

    /// Whether the index was cut where it is: then its memory is gone, and who reads it is killed
    /// (SIGBUS).
    var isIndexCut: Bool { indexByteCount.map { $0 < WALIndex.byteCount } ?? false }

    /// nil if it is not at its path.
    private var indexByteCount: Int64? {
        FilePath.stamp(of: index.path).flatMap { $0.file == index.identity ? $0.byteCount : nil }
    }

    /// Whether the log is still at its path, and has so many bytes.
    func hasLog(holding byteCount: Int64) -> Bool {
        guard let stamp = FilePath.stamp(of: log.path) else { return false }
        return stamp.file == log.identity && stamp.byteCount >= byteCount
    }

    /// Whether another program has made a log in its place.
    var areReplaced: Bool {
        guard let stamp = FilePath.stamp(of: log.path) else { return false }
        return stamp.file != log.identity && stamp.byteCount > 0
    }

    /// Removes those that are still there; a log that is not empty gets another name.
    ///
    /// - Returns: that name.
    func setAside() throws(ValetError) -> String? {
        if let known = index.identity, FilePath.identity(of: index.path) == known {
            FilePath.remove(index.path)
        }
        guard let stamp = FilePath.stamp(of: log.path), stamp.file == log.identity else {
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
