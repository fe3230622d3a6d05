import ValetModel

/// Bounds that only the server keeps, and that no peer needs to know.
extension Limits {
    /// Pages of one connection that are being read at once. A page that is not wanted any more
    /// counts until it has been read, so that windows asked in a row can't pile work up.
    static let pagesReadAtOnce = 8
    /// Frames of one connection that are answered before others have their turn.
    static let framesPerTurn = 64
    /// Seconds that a peer has to read why it was cut off.
    static let secondsToLinger = 1
}
