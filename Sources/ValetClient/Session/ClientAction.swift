import ValetModel
import ValetProtocol

/// What a session asks its handler to do.
enum ClientAction: Equatable {
    case send(ClientMessage, stream: UInt16)
    /// The server accepted the client: from now on a tick is due every `tickSeconds`.
    case welcome(Welcome, tickSeconds: Int)
    /// The single answer of a request.
    case complete(UInt32, Result<Reply, ValetError>)
    /// A ping was answered.
    case pong(UInt64)
    case deliver(Delivery, to: Subscription)
    /// All others in the list.
    case others([StationPresence])
    /// What the server says of itself.
    case node(ServingNode)
    /// The last delivery has been made.
    case end(Subscription)
    /// Close the connection. Pending requests fail with this error.
    case close(ValetError)
}

/// A source of repeated deliveries: a window fills with pages, a build progresses. It is identified
/// by the request that began it, so that number is not reused while the subscription lasts.
struct Subscription: Hashable, Sendable {
    let stream: UInt16
    let request: UInt32

    /// Subscribes to news of the connection itself.
    static let connection = Subscription(stream: 0, request: 0)
}

enum Delivery: Equatable, Sendable {
    /// The window, with the rows received so far.
    case window(Window)
    /// There will be no complete window, or none any more.
    case failed(ValetError)
    /// A standing window can't be had now; it may be later.
    case interrupted(ValetError)
    /// A query's build progress.
    case progress(thousandths: Int)
    case refreshProgress(RefreshProgress)
    case goingAway(reason: String)
    /// The next entries of a change feed. Their bytes are credit to give back once they are taken.
    case changes([LoggedChange], byteCount: Int)
}

/// A request's answer, checked.
enum Reply: Equatable, Sendable {
    case catalog(Catalog, rowCounts: [Int?])
    case view(ViewSummary)
    case viewClosed
    case index([IndexEntry])
    case sections([SectionSummary])
    case place(LocateAnswer.Place?)
    case aggregates(Aggregates)
    case detail(RowDetail)
    case piece(PieceAnswer)
    case statistics(ServerStatistics)
    case backup(BackupDescription)
    case block(BlockAnswer)
    case writer(WriterID)
    case outcome(Outcome)
    case writerRetired
    case history(History)
    case following(FeedPosition)
    case unfollowed
    case refreshed(RefreshEnding)
}

extension ValetError {
    /// The server broke a rule of PROTOCOL.md, so none of its messages can be trusted.
    static func broken(_ rule: String, _ what: String) -> ValetError {
        ValetError(.malformed, "the server broke rule \(rule) of the protocol: \(what)")
    }
}
