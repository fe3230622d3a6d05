import ValetModel

/// The write-ahead log of a file that was replaced while it was served. SQLite would take it for
/// that of the new file, and mix the two.
package struct LeftoverLog: Sendable {
    private let path: String
    private let identity: FilePath.Identity?
    private let isOverwritten: Bool
    private let files: LogFiles?

    package init(of watch: FileWatch) {
        (path, identity) = (watch.resolved, watch.identity)
        (files, isOverwritten) = (watch.logFiles, watch.isOtherContent)
    }

    /// Removes what belongs to another file than the one at the path. Does nothing if the open file
    /// is at its path and was not overwritten: then its log belongs to it.
    ///
    /// - Parameter isClosed: whether this process has no connection to the file. Then this throws
    ///   while another one has: it may know another log, or none of what was written since, and its
    ///   end would write that over the file.
    /// - Returns: where a log is kept that had pages in it; nil if there is none.
    package func setAside(isClosed: Bool) throws(ValetError) -> String? {
        let atPath = FilePath.identity(of: path)
        if isClosed, atPath == identity, FilePath.isLocked(bytes: Self.lockOfReaders, of: path) {
            throw .busy(
                "another program still has the old “\(path)” open, and may overwrite newer "
                    + "changes: end that program")
        }
        guard isOverwritten || atPath != identity, atPath != nil, let files else { return nil }
        return try files.setAside()
    }

    /// What each connection to a file in WAL mode locks as long as it is open (SHARED_FIRST and
    /// SHARED_SIZE, in SQLite's os.h).
    static let lockOfReaders: Range<Int64> = 0x4000_0002..<0x4000_0200
}
