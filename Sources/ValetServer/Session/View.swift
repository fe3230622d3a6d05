import NIOCore
import ValetArrangement
import ValetProtocol

/// One open view of a client.
struct View {
    let handle: ListHandle
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

    var list: Int { handle.number }

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

/// When a request was read from the socket, and when work on it began.
struct RequestClock: Equatable {
    let readAt: NIODeadline
    let beganAt: NIODeadline

    /// The times to report in the answer.
    /// - Parameter queuedMicroseconds: how long its build was queued.
    func times(at now: NIODeadline, queuedMicroseconds: UInt32 = 0) -> Times {
        let total = (now - readAt).clampedMicroseconds
        let beforeWork = (beganAt - readAt).clampedMicroseconds
        // A shared build may have been queued before this request arrived.
        let waited = min(total, UInt32(clamping: UInt64(beforeWork) + UInt64(queuedMicroseconds)))
        return Times(waitedMicroseconds: waited, workedMicroseconds: total - waited)
    }
}

/// A view's rows in the newest snapshot. Looked up for each request and released at its end: a view
/// that kept it would retain a whole list while its client is idle.
struct ShownRows {
    let list: Int
    let projection: Projection
    let rows: ArrangedRows
    let revision: UInt64
    /// Rows of the list, of which a search shows some. If nobody knows how many of the table's are
    /// the list's, those that are shown.
    let listRows: Int
    /// nil for a view that shows the newest rows.
    var pin: Pin?
}
