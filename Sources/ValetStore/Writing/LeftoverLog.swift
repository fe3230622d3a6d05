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

    /// Removes what belongs to another file than the one at the path. Throws while another program
    /// may still write an overwritten file as it was. Called while the file is not
    /// open. Does nothing if the open file is at its path and was not overwritten: then its log
    /// belongs to it.
    ///
    /// - Returns: where a log is kept that had pages in it; nil if there is none.
    package func setAside() throws(ValetError) -> String? {
        guard isOverwritten || FilePath.identity(of: path) != identity, let files else {
            return nil
        }
        if FilePath.identity(of: path) == nil { return nil }
        if isOverwritten, files.areOpenElsewhere {
            throw ValetError(
                .busy,
                "another program has “\(path)” open as it was before it was overwritten, and may "
                    + "write that over it: end that program")
        }
        return try files.setAside()
    }
}
