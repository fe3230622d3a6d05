/// How far a client has come in a list's log: it goes on from there, also on another connection.
public struct FeedPosition: Hashable, Sendable {
    /// Names the log: another one after the file was restored from a copy.
    public var logID: UInt64
    /// The last entry that the client has, or the end of a revision.
    public var last: LogPosition

    public init(logID: UInt64, last: LogPosition) {
        self.logID = logID
        self.last = last
    }
}
