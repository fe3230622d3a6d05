import ValetModel
import ValetProtocol

/// What happens to windows when the file changes under them.
extension Session {
    /// True if a window waits for newer rows because some of its pages can't be read any more.
    var hasOutdatedWindow: Bool { views.values.contains { $0.answered?.isOutdated == true } }

    /// A page could not be read at its revision, since the file has changed. Windows that show it
    /// are answered again with the next snapshot.
    mutating func pageOutdated(
        _ order: PageOrder, _ surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        outbox.filled(order.name)
        for stream in outbox.forget(order.name) { views[stream]?.answered?.isOutdated = true }
        return rowsChanged(surroundings)
    }

    /// There are newer snapshots.
    mutating func rowsChanged(_ surroundings: some SessionSurroundings) -> [SessionAction] {
        var actions: [SessionAction] = []
        for stream in outdatedStreams(of: nil) {
            guard let view = views[stream], let answered = view.answered,
                let snapshot = surroundings.snapshot(ofList: view.list),
                snapshot.revision > answered.revision
            else { continue }
            views[stream]?.answered = nil
            let clock = RequestClock(readAt: surroundings.now, beganAt: surroundings.now)
            let again = windowRequested(answered.request, stream: stream, clock, surroundings)
            actions += again.map { Self.later($0, of: answered.request) }
        }
        return actions
    }

    /// A list could not be reloaded: windows that wait for its rows get the error.
    mutating func rowsFailed(_ list: Int, _ error: ValetError) -> [SessionAction] {
        outdatedStreams(of: list).map { stream in
            views[stream]?.answered?.isOutdated = false
            return refusal(0, error, stream: stream)
        }
    }

    private func outdatedStreams(of list: Int?) -> [UInt16] {
        views.filter {
            $0.value.answered?.isOutdated == true && $0.value.list == list ?? $0.value.list
        }
        .keys.sorted()
    }

    /// The request was answered already, so a later error is addressed to the view's stream.
    private static func later(_ action: SessionAction, of request: WindowRequest) -> SessionAction {
        guard case .send(.error(let answer), let stream) = action,
            answer.request == request.request
        else { return action }
        return .send(.error(ErrorAnswer(request: 0, error: answer.error)), stream: stream)
    }
}
