import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// What a session asks of the handler that runs it.
enum SessionAction: Equatable {
    /// Send a message, outside credit.
    case send(SessionAnswer, stream: UInt16)
    /// Make the arrangement, or find it; `arranged` answers.
    case arrange(ArrangeOrder)
    /// The view no longer waits for it.
    case abandon(ArrangeOrder)
    /// The view no longer shows it.
    case release(list: Int, ArrangementSpecification)
    /// `finished` answers.
    case countRows(request: UInt32)
    /// `finished` answers.
    case collectStatistics(request: UInt32)
    /// `finished` answers.
    case readDetail(request: UInt32, list: Int, rowID: Int64)
    /// `finished` answers.
    case readPiece(request: UInt32, list: Int, rowID: Int64, column: Int, offset: Int)
    /// Write what there is, then close.
    case close(ValetError)
}

/// The messages that a session sends itself; pages go by `PageOutbox`.
enum SessionAnswer: Equatable {
    case welcome(Welcome)
    case catalog(CatalogAnswer)
    case viewOpened(ViewOpened)
    case viewClosed(ViewClosed)
    case window(WindowAnswer)
    case index(IndexAnswer)
    case sections(SectionsAnswer)
    case locate(LocateAnswer)
    case detail(DetailAnswer)
    case piece(PieceAnswer)
    case pong(Pong)
    case goingAway(GoingAway)
    case buildProgress(BuildProgress)
    case statistics(StatisticsAnswer)
    case error(ErrorAnswer)

    /// Appends the whole frame.
    func encode(stream: UInt16, into bytes: inout ByteBuffer) {
        switch self {
        case .welcome(let message): message.encode(stream: stream, into: &bytes)
        case .catalog(let message): message.encode(stream: stream, into: &bytes)
        case .viewOpened(let message): message.encode(stream: stream, into: &bytes)
        case .viewClosed(let message): message.encode(stream: stream, into: &bytes)
        case .window(let message): message.encode(stream: stream, into: &bytes)
        case .index(let message): message.encode(stream: stream, into: &bytes)
        case .sections(let message): message.encode(stream: stream, into: &bytes)
        case .locate(let message): message.encode(stream: stream, into: &bytes)
        case .detail(let message): message.encode(stream: stream, into: &bytes)
        case .piece(let message): message.encode(stream: stream, into: &bytes)
        case .pong(let message): message.encode(stream: stream, into: &bytes)
        case .goingAway(let message): message.encode(stream: stream, into: &bytes)
        case .buildProgress(let message): message.encode(stream: stream, into: &bytes)
        case .statistics(let message): message.encode(stream: stream, into: &bytes)
        case .error(let message): message.encode(stream: stream, into: &bytes)
        }
    }
}

/// One view's wish for an arrangement.
struct ArrangeOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var stream: UInt16
    /// No other order of the connection has it. A stream and a generation would not tell orders
    /// apart: a stream that was closed may carry a new view before the old one's answer has come.
    var number: UInt64
}
