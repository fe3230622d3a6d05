/// A client's position in a list's log, from which it can continue on any connection.
public struct FeedPosition: Hashable, Sendable {
    /// Names the log; a different one after the file was restored from a copy.
    public var logID: UInt64
    /// The position of the client's last entry, or the end of a revision.
    public var last: LogPosition

    public init(logID: UInt64, last: LogPosition) {
        self.logID = logID
        self.last = last
    }
}
