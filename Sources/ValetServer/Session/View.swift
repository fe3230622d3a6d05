import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// One open view of a client.
struct View {
    let list: Int
    let projection: Projection
    var generation: UInt32
    var question: ResolvedQuestion
    /// The clock of the request that asked the question.
    var clock: RequestClock
    var state: State
    /// False until the first answer: a view whose first question fails never opens.
    var isOpen = false
    /// The window that waits for the arrangement.
    var waitingWindow: (request: WindowRequest, readAt: NIODeadline)?
    /// The last answered window.
    var answered: AnsweredWindow?

    struct AnsweredWindow {
        let request: WindowRequest
        let revision: UInt64
        /// The file has changed before all of the window's pages were read: it is answered again
        /// with the new rows.
        var isOutdated = false
    }

    enum State: Equatable {
        /// The request that opened or rearranged the view waits for an arrangement.
        case arranging(request: UInt32, ArrangeOrder)
        case ready
        /// The last question failed; the client may ask another.
        case failed
    }
}
