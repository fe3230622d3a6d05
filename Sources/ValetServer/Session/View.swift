import NIOCore
import ValetArrangement
import ValetModel
import ValetProtocol

/// One client's open arrangement.
struct View {
    let list: Int
    let projection: Projection
    var generation: UInt32
    var question: ResolvedQuestion
    /// Of the request that asked it.
    var clock: RequestClock
    var state: State
    /// False until the first answer: an open view that fails opens nothing.
    var isOpen = false
    /// The window that waits for the arrangement.
    var waitingWindow: (request: WindowRequest, readAt: NIODeadline)?
    /// The window that was answered last.
    var answered: AnsweredWindow?

    struct AnsweredWindow {
        let request: WindowRequest
        let revision: UInt64
        /// The file has changed before all of its pages were read: it is answered again when the
        /// rows are known.
        var isOutdated = false
    }

    enum State: Equatable {
        /// The request that opened or rearranged the view waits for an arrangement.
        case arranging(request: UInt32, ArrangeOrder)
        case ready
        /// The last question failed; another may be asked.
        case failed
    }
}
