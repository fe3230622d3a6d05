import ValetModel

/// What a file holds without its log, as far as that can be told without reading all of it. Tells a
/// copy of another file, or of an older state, from the file itself.
struct FileContent {
    /// nil if it can't be read.
    let sample: FileSample?
    /// nil if it can't be read, as while a part of the log was moved: then the file alone is no
    /// database.
    let newest: LoggedCommand?

    /// Looks at what the connection has open, which is at the path.
    ///
    /// - Parameter earlier: of the same file, if nothing but the time of the last write tells
    ///   whether it was written since.
    init(
        of connection: Connection, at path: String, _ index: WALIndex?,
        since earlier: FileContent? = nil
    ) {
        sample = connection.sample()
        // To open a file takes as long as a commit.
        if let earlier, earlier.newest != nil, earlier.sample == sample {
            newest = earlier.newest
            return
        }
        guard let index, index.isFileWhole else {
            newest = nil
            return
        }
        let checkpoint = index.checkpoint
        let found = LoggedCommand(inFileAt: path)
        newest = index.checkpoint == checkpoint ? found : nil
    }

    /// Whether it is the same, as far as can be told.
    func isSame(as earlier: FileContent) -> Bool {
        sample != nil && sample == earlier.sample && newest == earlier.newest
    }
}

/// The newest command in a log.
struct LoggedCommand: Equatable {
    /// nil without a log.
    let logID: UInt64?
    let revision: UInt64
}

extension LoggedCommand {
    /// Reads the file alone, without the log beside it: SQLite does so with a file that is said
    /// never to change. nil if it can't be read.
    ///
    /// While another connection of this process has the file open, SQLite keeps the descriptor.
    init?(inFileAt path: String) {
        guard let connection = try? Connection(path: path, access: .readAlone),
            let log = try? connection.result(of: connection.log(), within: .lookup)
        else { return nil }
        self.init(logID: log.id, revision: log.newestCommand)
    }
}
