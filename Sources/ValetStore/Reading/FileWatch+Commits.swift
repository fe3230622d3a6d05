import ValetModel

/// The writer's commits.
extension FileWatch {
    /// The file is in WAL mode from now on. Called by the writer while nobody else can commit.
    func beginCounting() throws(ValetError) {
        try watched.withLock { (watched) throws(ValetError) in
            try look(&watched)
            guard watched.index == nil else { return }
            throw .readOnly(
                "“\(path)” can't be changed: its folder gives no shared memory for a "
                    + "write-ahead log")
        }
    }

    /// The file has this log now.
    func stored(log: UInt64, newestCommand: UInt64) {
        watched.withLock { $0.log.stored(log, newestCommand: newestCommand) }
    }

    /// The file has commands that the writer has not made.
    func logWasReplaced() { watched.withLock { $0.log.isReplaced = true } }

    /// Runs the writer's COMMIT, which makes `revision`. Nobody else can commit meanwhile.
    func committing(
        _ revision: UInt64, _ commit: () throws(ValetError) -> Void
    ) throws(ValetError) {
        watched.withLock { watched in
            guard let index = watched.index else { return }
            watched.announced = (index.commit &+ 1, revision)
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
