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
    /// What was looked up last; `Session.shown` says what holds.
    var shown: ShownRows?
    /// The window that waits for the arrangement.
    var waitingWindow: (request: WindowRequest, readAt: NIODeadline)?

    enum State: Equatable {
        /// The request that opened or rearranged the view waits for an arrangement.
        case arranging(request: UInt32, ArrangeOrder)
        case ready
        /// The last question failed; another may be asked.
        case failed
    }
}
