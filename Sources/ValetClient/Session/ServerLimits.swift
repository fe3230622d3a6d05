import ValetModel
import ValetProtocol

/// The server's limits for this client [P18]: those of its welcome, capped by this version's own.
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

    /// With a limit of zero, requests would wait for ever.
    var allowAnything: Bool {
        bytesPerFrame > 0 && views > 0 && rowsPerWindow > 0 && waitingRequests > 0
    }
}
