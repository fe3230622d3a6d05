import ValetModel
import ValetProtocol

/// Refreshes: loading a list again from where it comes from.
extension ClientSession {
    /// Progress of what does not wait is ignored [P135].
    func refreshProgressed(_ notice: RefreshProgressNotice, _ actions: inout [ClientAction]) {
        guard case .refresh = waiting[notice.request]?.message else { return }
        actions.append(
            .deliver(
                .refreshProgress(notice.progress), to: Self.subscription(notice.request)))
    }

    mutating func refreshed(
        _ answer: Refreshed, _ actions: inout [ClientAction]
    ) throws(ValetError) {
        let asked = try settle(answer.request, stream: 0, &actions)
        guard case .refresh = asked.message else { throw Self.wrongKind(answer.request) }
        actions.append(.complete(answer.request, .success(.refreshed(answer.ending))))
    }

    func isWaiting(_ request: UInt32) -> Bool { waiting[request] != nil }

    /// Its answer still comes, unless it was not even sent.
    mutating func cancelRefresh(_ request: UInt32, _ actions: inout [ClientAction]) {
        guard let asked = waiting[request], case .refresh = asked.message else { return }
        guard asked.isSent else { return withdraw(request) }
        actions.append(.send(.cancelRefresh(CancelRefresh(refresh: request)), stream: 0))
    }
}
