import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol
import ValetStore

/// What a session asks its handler to do.
enum SessionAction: Equatable {
    /// Send a message, outside credit; pages go through `PageOutbox`.
    case send(ServerMessage, stream: UInt16)
    case sendPaid(PaidMessage)
    /// The client was greeted; nil where everyone may connect.
    case enter(Visitor?)
    /// Make or find the arrangement; answered by `arranged`.
    case arrange(ArrangeOrder)
    /// The view no longer waits for the arrangement.
    case abandon(ArrangeOrder)
    /// The view no longer shows the arrangement.
    case release(list: Int, ArrangementSpecification)
    /// The view no longer shows what it was pinned to.
    case unpin(Pin)
    /// Look at many sections or rows on another thread; answered by `surveyed`.
    case survey(SurveyOrder)
    /// The view no longer waits for the survey.
    case abandonSurvey(SurveyOrder)
    /// Send a catalog, frame by frame as the client reads.
    case sendCatalog(CatalogFeed)
    /// Answered by `rowsCounted`.
    case countRows(request: UInt32)
    /// Answered by `finished`.
    case collectStatistics(request: UInt32)
    /// Copy the file; answered by `finished`.
    case makeBackup(request: UInt32)
    /// Of the copy; answered by `finished`.
    case readBlock(BlockRequest)
    /// Answered by `finished`.
    case readDetail(request: UInt32, ListHandle, rowID: Int64, of: PinnedRead?)
    /// Answered by `finished`.
    case readPiece(
        request: UInt32, ListHandle, rowID: Int64, column: Int, offset: Int, of: PinnedRead?)
    /// Answered by `finished`, when it is durable.
    case command(WriterOrder, OutcomeShown, request: UInt32)
    /// Answered by `finished`.
    case readHistory(HistoryQuery, ListHandle, request: UInt32)
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

/// A message whose bytes were taken off the client's credit, encoded once to be counted and sent.
struct PaidMessage: Equatable {
    let message: ServerMessage
    let stream: UInt16
    let frame: ByteBuffer

    init(_ message: ServerMessage, stream: UInt16) {
        var frame = ByteBuffer()
        message.encode(stream: stream, into: &frame)
        (self.message, self.stream, self.frame) = (message, stream, frame)
    }
}

/// A request for a row on the stream of a pinned view, of whose revision it is read.
struct PinnedRead: Equatable {
    let stream: UInt16
    let pin: Pin
    /// Unique within the connection. The stream and the request's number do not suffice: both may
    /// be used again once the request was answered as superseded.
    let number: UInt64
}

/// One view's order for an arrangement.
struct ArrangeOrder: Hashable {
    var list: Int
    var specification: ArrangementSpecification
    var stream: UInt16
    /// Unique within the connection. A stream and a generation do not suffice: a closed stream may
    /// carry a new view before the old one's answer has come.
    var number: UInt64
    var isPinned = false
}

/// One view's order for work over many sections or rows, which other threads do.
struct SurveyOrder: Hashable {
    var list: Int
    var stream: UInt16
    var request: UInt32
    var generation: UInt32
    var specification: ArrangementSpecification
    var subject: Subject
    /// Unique within the connection, like an `ArrangeOrder`'s.
    var number: UInt64
    /// nil for a view that shows the newest rows.
    var pin: Pin?
    /// How often it was made in vain, since the client was sent a later revision meanwhile.
    var attempts = 0

    enum Subject: Hashable {
        case ranking(RankingPage)
        case aggregates(AggregateQuery)
    }

    /// A view waits for one survey of each kind.
    enum Kind: CaseIterable {
        case ranking, aggregates
    }

    var kind: Kind {
        switch subject {
        case .ranking: .ranking
        case .aggregates: .aggregates
        }
    }
}

/// Sections by their numbers of rows, from a rank on.
struct RankingPage: Hashable {
    var titles: SectionTitles
    var firstRank: Int
    var mostSections: Int
}

/// Measures of all rows, and of sections by their ordinals.
struct AggregateQuery: Hashable {
    var measures: [ColumnMeasure]
    var wantsAllRows: Bool
    var sections: [Int]
}

/// What a survey found.
enum Survey: Equatable, Sendable {
    case ranking(revision: UInt64, [SectionSummary])
    case aggregates(Aggregates)

    var revision: UInt64 {
        switch self {
        case .ranking(let revision, _): revision
        case .aggregates(let aggregates): aggregates.revision
        }
    }
}

/// How a client sees an outcome.
enum OutcomeShown: Equatable {
    case whole
    case columns(of: ListHandle)
    /// Nobody knows which columns the client would take for those that it names.
    case withoutColumns

    func shown(_ outcome: Outcome) -> Outcome {
        switch self {
        case .whole: outcome
        case .columns(let list): list.shown(outcome)
        case .withoutColumns: outcome.withoutColumns
        }
    }
}
