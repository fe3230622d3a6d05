import ValetArrangement
import ValetModel
import ValetProtocol

/// What a session asks of the handler that runs it.
enum SessionAction: Equatable {
    /// Send a message, outside credit; pages go by `PageOutbox`.
    case send(ServerMessage, stream: UInt16)
    /// Make the arrangement, or find it; `arranged` answers.
    case arrange(ArrangeOrder)
    /// The view no longer waits for it.
    case abandon(ArrangeOrder)
    /// The view no longer shows it.
    case release(list: Int, ArrangementSpecification)
    /// Send a catalog, frame by frame as the client reads.
    case sendCatalog(CatalogFeed)
    /// `rowsCounted` answers.
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

/// One view's wish for an arrangement.
struct ArrangeOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var stream: UInt16
    /// No other order of the connection has it. A stream and a generation would not tell orders
    /// apart: a stream that was closed may carry a new view before the old one's answer has come.
    var number: UInt64
}
