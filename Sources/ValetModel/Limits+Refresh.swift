/// Lists that are loaded from elsewhere.
extension Limits {
    /// Bytes that a list is loaded from, after they were decompressed.
    package static let bytesPerSource = 64 << 20
    /// Rows, and rows of a list that is loaded. A refresh that replaces them all changes twice as
    /// many, and one undo takes it back if it fails.
    package static let rowsPerSource = rowsPerUndo / 2
    /// Bytes of one text, and of all texts of one row.
    package static let bytesPerSourceText = 1 << 20
    /// Elements of a document inside each other.
    package static let depthOfSource = 64
    package static let attributesPerElement = 256
    package static let redirectsPerSource = 5
    package static let secondsToFirstByte = 20
    package static let secondsPerFetch = 120
    /// Memory of the process that loads it.
    package static let bytesOfFetch = 2 << 30
    /// Refreshes of all lists that run at once: each has a process and a thread.
    package static let refreshesAtOnce = 4
    /// Between the beginnings of two refreshes of one list.
    package static let secondsBetweenRefreshes = 1
    /// Rows and bytes of the commands that a refresh makes.
    package static let rowsPerRefreshCommand = 500
    package static let bytesPerRefreshCommand = 4 << 20
    public static let refreshProgressesPerSecond = 10
}
