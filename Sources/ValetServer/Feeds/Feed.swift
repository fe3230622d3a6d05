import NIOCore
import ValetModel
import ValetStore

/// One change feed of a client: the position it has reached, and whether there may be more. Changes
/// that were read and can't be sent are dropped, and read again later.
struct Feed {
    private static let interval = TimeAmount.nanoseconds(
        1_000_000_000 / Int64(Limits.usualAnswersPerSecond))
    /// At most the bytes of a frame of changes without its entries.
    private static let bytesAround = 32

    let handle: ListHandle
    /// Distinguishes it from earlier feeds with the same number.
    let serial: UInt64
    /// nil until it has begun.
    private(set) var logID: UInt64?
    /// Entries up to here were sent.
    private var position = LogPosition(revision: 0, place: 0)
    /// The list's head when the log was last read to its end; nil if it was not.
    private var head: UInt64?
    /// Reading is pointless with less credit than this.
    private var bytesNeeded = 1
    private var restsUntil = NIODeadline.distantPast

    init(handle: ListHandle, serial: UInt64) {
        self.handle = handle
        self.serial = serial
    }

    var list: Int { handle.number }

    mutating func begin(logID: UInt64, after position: LogPosition) {
        self.logID = logID
        self.position = position
    }

    enum Step: Equatable {
        case wait
        /// The client gets no more changes until then.
        case rest(NIODeadline)
        case read(FeedQuery)
    }

    /// - Parameter credit: 0 if the client can't take any now.
    mutating func next(_ heads: LogHeads, credit: Int, at now: NIODeadline) -> Step {
        guard let logID else { return .wait }
        if heads.changes[list] == head {
            // The feed passes entries of other lists, so that it does not expire with them.
            if let newest = heads.newest { position = max(position, .end(of: newest)) }
            return .wait
        }
        guard credit >= bytesNeeded else { return .wait }
        guard restsUntil <= now else { return .rest(restsUntil) }
        let most = max(Limits.bytesPerChanges, bytesNeeded)
        var query = FeedQuery(
            list: list, logID: logID, after: position, newest: heads.newest,
            bytes: max(min(credit, most) - Self.bytesAround, 0))
        query.allowed = handle.allowed
        return .read(query)
    }

    /// The passage was sent, or was empty.
    ///
    /// - Parameter head: the list's head when the passage was read.
    mutating func took(_ passage: FeedPassage, head: UInt64, at now: NIODeadline) {
        position = passage.end
        bytesNeeded = 1
        if let bytes = passage.bytesNeeded { bytesNeeded = bytes + Self.bytesAround }
        guard !passage.hasMore else { return }
        self.head = head
        restsUntil = now + Self.interval
    }
}
