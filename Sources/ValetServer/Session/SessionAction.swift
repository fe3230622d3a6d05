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
    case error(ErrorAnswer)

    var message: any Message {
        switch self {
        case .welcome(let message): message
        case .catalog(let message): message
        case .viewOpened(let message): message
        case .viewClosed(let message): message
        case .window(let message): message
        case .index(let message): message
        case .sections(let message): message
        case .locate(let message): message
        case .detail(let message): message
        case .piece(let message): message
        case .pong(let message): message
        case .goingAway(let message): message
        case .error(let message): message
        }
    }
}

/// One view's wish for an arrangement.
struct ArrangeOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var stream: UInt16
    var generation: UInt32
}
