import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// What a session asks its handler to do.
enum SessionAction: Equatable {
    /// Send a message, outside credit; pages go through `PageOutbox`.
    case send(ServerMessage, stream: UInt16)
    /// Make or find the arrangement; answered by `arranged`.
    case arrange(ArrangeOrder)
    /// The view no longer waits for the arrangement.
    case abandon(ArrangeOrder)
    /// The view no longer shows the arrangement.
    case release(list: Int, ArrangementSpecification)
    /// Find sections by their numbers of rows; answered by `ranked`.
    case rank(RankOrder)
    /// The view no longer waits for the sections.
    case abandonRanking(RankOrder)
    /// Compute aggregates on other threads; answered by `aggregated`.
    case aggregate(AggregateOrder)
    /// The view no longer waits for the aggregates.
    case abandonAggregates(AggregateOrder)
    /// Send a catalog, frame by frame as the client reads.
    case sendCatalog(CatalogFeed)
    /// Answered by `rowsCounted`.
    case countRows(request: UInt32)
    /// Answered by `finished`.
    case collectStatistics(request: UInt32)
    /// Answered by `finished`.
    case readDetail(request: UInt32, list: Int, rowID: Int64)
    /// Answered by `finished`.
    case readPiece(request: UInt32, list: Int, rowID: Int64, column: Int, offset: Int)
    /// Answered by `finished`, when it is durable.
    case command(WriterOrder, request: UInt32)
    /// Answered by `finished`.
    case readHistory(HistoryQuestion, request: UInt32)
    /// Answered by `feedBegan`.
    case beginFeed(FeedBeginning)
    /// Answered by `feedRead`.
    case readFeed(FeedReading)
    /// Answered by `finished`, with `refreshProgressed` before.
    case refresh(request: UInt32, list: Int)
    /// The client no longer waits for the refresh, if it did.
    case cancelRefresh(request: UInt32)
    /// Share the client's presence; the list is nil if it is in none.
    case appear(list: Int?, Presence)
    /// Flush pending output, then close.
    case close(ValetError)
}

/// One view's order for an arrangement.
struct ArrangeOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var stream: UInt16
    /// Unique within the connection. A stream and a generation do not suffice: a closed stream may
    /// carry a new view before the old one's answer has come.
    var number: UInt64
}

/// One view's order for sections by their numbers of rows.
struct RankOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var titles: SectionTitles
    var stream: UInt16
    var request: UInt32
    var firstRank: Int
    var mostSections: Int
    /// Unique within the connection, like an `ArrangeOrder`'s.
    var number: UInt64
    /// How often it was ranked in vain.
    var attempts = 0
}

/// One view's order for aggregates.
struct AggregateOrder: Hashable {
    var list: Int
    var stream: UInt16
    /// Of the request.
    var request: UInt32
    var generation: UInt32
    var question: AggregateQuestion
    /// Unique within the connection, as in `ArrangeOrder`.
    var number: UInt64
}

/// Measures of an arrangement's rows and sections.
struct AggregateQuestion: Hashable {
    var specification: ArrangementSpecification
    var measures: [ColumnMeasure]
    var wantsAllRows: Bool
    var sections: [Int]
}
