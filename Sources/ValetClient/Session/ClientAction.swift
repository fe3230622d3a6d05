import ValetModel
import ValetProtocol

/// What a session asks of the handler that runs it.
enum ClientAction: Equatable {
    case send(ClientMessage, stream: UInt16)
    /// The server let the client in: from now on a tick is due every so many seconds.
    case welcome(Welcome, tickSeconds: Int)
    /// The one answer of a request.
    case complete(UInt32, Result<Reply, ValetError>)
    /// A ping was answered.
    case pong(UInt64)
    case deliver(Delivery, to: Subscription)
    /// Nothing more will be delivered.
    case end(Subscription)
    /// Close the connection. Everything that still waits fails for this reason.
    case close(ValetError)
}

/// What may be told more than once: a window grows with its pages, a build goes on. Its identity is
/// that of the request that began it, so a number is not given out again while one has it.
struct Subscription: Hashable, Sendable {
    let stream: UInt16
    let request: UInt32

    /// What is about the connection and no request.
    static let connection = Subscription(stream: 0, request: 0)
}

enum Delivery: Equatable, Sendable {
    /// The window as far as its rows are here.
    case window(Window)
    /// No window, or none that will ever be complete.
    case failed(ValetError)
    /// How far the build of a question is.
    case progress(thousandths: Int)
    case goingAway(reason: String)
}

/// The answer to a request, checked.
enum Reply: Equatable, Sendable {
    case catalog([CatalogAnswer.Entry])
    case view(ViewSummary)
    case viewClosed
    case index([IndexEntry])
    case sections([SectionSummary])
    case place(LocateAnswer.Place?)
    case detail(RowDetail)
    case piece(PieceAnswer)
    case statistics(ServerStatistics)
}

extension ValetError {
    /// The server broke a rule of PROTOCOL.md, so nothing that it says can be relied upon.
    static func broken(_ rule: String, _ what: String) -> ValetError {
        ValetError(.malformed, "the server broke rule \(rule) of the protocol: \(what)")
    }
}
