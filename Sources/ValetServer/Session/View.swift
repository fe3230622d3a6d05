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
    /// The newest window, once it was answered.
    var answered: AnsweredWindow?

    enum State: Equatable {
        /// The request that opened or rearranged the view waits for an arrangement.
        case arranging(request: UInt32, ArrangeOrder)
        case ready
        /// The last question failed; the client may ask another.
        case failed
    }
}
