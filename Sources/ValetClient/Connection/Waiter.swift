import ValetModel

/// A task's wait for one answer. The first result counts, be it the answer, an error or a
/// cancellation, so every wait ends exactly once.
final class Waiter<Answer: Sendable>: Sendable {
    private typealias Outcome = Result<Answer, ValetError>

    private struct State {
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    var isFinished: Bool { state.withLock { $0.outcome != nil } }

    /// - Returns: false if the wait had already ended.
    @discardableResult
    func finish(_ outcome: Result<Answer, ValetError>) -> Bool {
        let isFirst = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.outcome = outcome
            return true
        }
        if isFirst { state.withLock { $0.continuation.take() }?.resume(returning: outcome) }
        return isFirst
    }

    /// Waits for the answer.
    /// - Throws: its error, or `.superseded` when the task is cancelled.
    func answer() async throws(ValetError) -> Answer {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                let known = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            finish(.failure(ValetError(.superseded, "the request was cancelled")))
        }
        return try outcome.get()
    }
}
