import NIOCore
import ValetModel

/// Lets an address wait that was turned away too often, unless somebody is let in from there: many
/// stations may share it.
final class Attempts: Sendable {
    typealias Source = FailedAttempts.Source

    private let state = Mutex(
        (failed: FailedAttempts(), inside: [Source: Int](), count: 0))

    /// Of all addresses, since the start.
    var failedCount: Int { state.withLock(\.count) }

    /// - Returns: whether it should be told in the log.
    func failed(_ source: Source?, at now: NIODeadline) -> Bool {
        state.withLock { state in
            state.count += 1
            guard let source else { return true }
            return state.failed.failed(source, at: now)
        }
    }

    func entered(_ source: Source?) {
        guard let source else { return }
        state.withLock { $0.inside[source, default: 0] += 1 }
    }

    func left(_ source: Source?) {
        guard let source else { return }
        state.withLock { state in
            guard let count = state.inside[source] else { return }
            state.inside[source] = count > 1 ? count - 1 : nil
        }
    }

    /// Why the next connection from there is refused; nil if it is not.
    func refusal(of source: Source?, at now: NIODeadline) -> ValetError? {
        guard let source else { return nil }
        return state.withLock { state in
            guard state.inside[source] == nil, let wait = state.failed.wait(of: source, at: now)
            else { return nil }
            return ValetError(
                .tooManyClients,
                "this address was turned away too often: try again in \(wait) s",
                retryAfter: .seconds(wait))
        }
    }
}
