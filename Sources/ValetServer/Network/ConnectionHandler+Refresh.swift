import NIOCore
import ValetModel
import ValetProtocol

/// Refreshes, which have threads of their own.
extension ConnectionHandler {
    func refresh(_ request: UInt32, list: Int) {
        guard let eventLoop = context?.eventLoop else { return }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        do throws(ValetError) {
            guard let refresher = shared.refresher else {
                throw shared.access.refusal ?? ValetError(.readOnly, "this server only reads")
            }
            refreshes[request] = try refresher.refresh(list) { progress in
                eventLoop.execute { this.value.refreshProgressed(request, progress) }
            } ended: { ending in
                eventLoop.execute { this.value.refreshed(request, ending) }
            }
        } catch {
            run(session.finished(request, .failure(error)))
        }
    }

    func cancelRefresh(_ request: UInt32) {
        if let ticket = refreshes.removeValue(forKey: request) { shared.refresher?.leave(ticket) }
    }

    /// The client is gone.
    func leaveRefreshes() {
        for ticket in refreshes.values { shared.refresher?.leave(ticket) }
        refreshes = [:]
    }

    private func refreshProgressed(_ request: UInt32, _ progress: RefreshProgress) {
        // A client that cancelled gets none, and one that does not read gets it later, or never.
        guard refreshes[request] != nil, context?.channel.isWritable == true else { return }
        finish(session.refreshProgressed(request, progress))
    }

    /// The client's own windows show the rows before it is told.
    private func refreshed(_ request: UInt32, _ ending: RefreshEnding) {
        refreshes[request] = nil
        var actions: [SessionAction] = []
        if case .done = ending, context?.channel.isWritable == true {
            actions = session.windowsAltered(loop)
        }
        let answer = ServerMessage.refreshed(Refreshed(request: request, ending: ending))
        actions += session.finished(request, .success([answer]))
        finish(actions)
    }
}
