import NIOCore
import ValetModel
import ValetProtocol
import ValetStore

/// One change feed of a client: how far it was told, and whether there is more. What was read and
/// can't be sent is dropped, and read again.
struct Feed: Equatable {
    private static let interval = TimeAmount.nanoseconds(
        1_000_000_000 / Int64(Limits.answersPerSecond))
    /// The header of a frame of changes, its feed and the count of its entries, at most.
    private static let bytesAround = 32

    let list: Int
    /// Tells it from others that had the same number.
    let serial: UInt64
    /// nil until it has begun.
    private(set) var logID: UInt64?
    /// Entries up to here were sent.
    private var position = LogPosition(revision: 0, place: 0)
    /// The list's head when the log was last read to its end; nil if it was not.
    private var head: UInt64?
    /// Credit without which it is not worth to read.
    private var bytesNeeded = 1
    private var restsUntil = NIODeadline.distantPast

    init(list: Int, serial: UInt64) {
        self.list = list
        self.serial = serial
    }

    mutating func begin(logID: UInt64, after position: LogPosition) {
        self.logID = logID
        self.position = position
    }

    enum Step: Equatable {
        case wait
        /// Until then the client was told enough.
        case rest(NIODeadline)
        case read(FeedQuestion)
    }

    /// - Parameter credit: 0 if the client can't take any now.
    mutating func next(_ heads: LogHeads, credit: Int, at now: NIODeadline) -> Step {
        guard let logID else { return .wait }
        if heads.changes[list] == head {
            // Other lists' entries before this need not be kept for it.
            if let newest = heads.newest { position = max(position, .end(of: newest)) }
            return .wait
        }
        guard credit >= bytesNeeded else { return .wait }
        guard restsUntil <= now else { return .rest(restsUntil) }
        let most = max(Limits.bytesPerChanges, bytesNeeded)
        return .read(
            FeedQuestion(
                list: list, logID: logID, after: position, newest: heads.newest,
                bytes: max(min(credit, most) - Self.bytesAround, 0)))
    }

    /// What was read was sent, or there was nothing to send.
    ///
    /// - Parameter head: the list's when it was read.
    mutating func took(_ passage: FeedPassage, head: UInt64, at now: NIODeadline) {
        position = passage.end
        bytesNeeded = 1
        if let bytes = passage.bytesNeeded { bytesNeeded = bytes + Self.bytesAround }
        guard !passage.hasMore else { return }
        self.head = head
        restsUntil = now + Self.interval
    }
}
