import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// One open view of a client.
struct View {
    let list: Int
    let projection: Projection
    /// Whether the view is shown of one revision, that of its pin.
    let isPinned: Bool
    var pin: Pin?
    var generation: UInt32
    var query: ResolvedQuery
    /// The clock of the request that made the query.
    var clock: RequestClock
    var state: State
    /// False until the first answer: a view whose first query fails never opens.
    var isOpen = false
    /// The window that waits for the arrangement.
    var waitingWindow: (request: WindowRequest, readAt: NIODeadline)?
    /// The index request that waits for it, too.
    var waitingIndex: IndexRequest?
    /// The surveys that the view waits for.
    var surveys: [SurveyOrder.Kind: SurveyOrder] = [:]
    /// Requests for rows of the pin's revision, by the numbers of their reads.
    var reads: [UInt64: UInt32] = [:]
    /// The newest window, once it was answered.
    var answered: AnsweredWindow?

    var isArranging: Bool {
        if case .arranging = state { true } else { false }
    }

    /// Numbers of the requests that wait for the arrangement.
    var waitingRequests: [UInt32] {
        [waitingWindow?.request.request, waitingIndex?.request].compactMap(\.self)
    }

    enum State: Equatable {
        /// The request that opened or rearranged the view waits for an arrangement.
        case arranging(request: UInt32, ArrangeOrder)
        case ready
        /// The last query failed; the client may make another.
        case failed
    }
}
