import ValetModel
import ValetProtocol

/// What the server takes from this client [P18]: what its welcome says, and never more than what
/// this version's own limits allow.
struct ServerLimits: Equatable {
    var bytesPerFrame = Limits.bytesPerClientFrame
    var views = Limits.viewsPerConnection
    var rowsPerWindow = Limits.rowsPerWindow
    var waitingRequests = Limits.waitingRequestsPerConnection

    init() {}

    init(_ welcome: Welcome) {
        bytesPerFrame = min(bytesPerFrame, welcome.bytesPerFrame)
        views = min(views, welcome.views)
        rowsPerWindow = min(rowsPerWindow, welcome.rowsPerWindow)
        waitingRequests = min(waitingRequests, welcome.waitingRequests)
    }

    /// A server that allows nothing would leave requests waiting for ever.
    var allowAnything: Bool {
        bytesPerFrame > 0 && views > 0 && rowsPerWindow > 0 && waitingRequests > 0
    }
}
