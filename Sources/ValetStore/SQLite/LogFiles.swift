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

    /// Whether both are still at their paths, and the log has so many bytes.
    func areThere(holding byteCount: Int64) -> Bool {
        guard let stamp = FilePath.stamp(of: log.path), stamp.file == log.identity else {
            return false
        }
        // A shorter index can't be read: its memory is gone.
        guard let indexStamp = FilePath.stamp(of: index.path), indexStamp.file == index.identity,
            indexStamp.byteCount >= WALIndex.byteCount
        else { return false }
        return stamp.byteCount >= byteCount
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
        let kept = log.path + "-replaced-\(stamp.seconds)"
        try FilePath.rename(log.path, to: kept)
        return kept
    }
}
