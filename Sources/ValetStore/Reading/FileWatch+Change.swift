extension FileWatch {
    /// How the path differs from what is open.
    package enum Change: Equatable, Sendable {
        case none
        /// The tables and views in the file, or the ids of their rows, are others.
        case tables
        /// The path leads to another file.
        case file
        /// The file was overwritten, or its write-ahead log was removed, replaced or cut: SQLite
        /// mixes up what it opens of it now with what is open. Or another program has committed
        /// what is not of the same Valet log.
        case contents
        /// The file is as it was, and was away, or in doubt, while a change was made.
        case back
        /// This process could only read the file's log, and may write it by now.
        case writable
        /// The path leads to no file.
        case gone
    }
}
