import Synchronization
import ValetModel
import ValetProtocol

extension ValetConnection {
    /// Loads a list again from where it comes from, or joins a refresh that runs.
    ///
    /// Cancelling the task cancels it for this client, and it stops when nobody else waits.
    /// - Parameter progress: called until the end, at most ten times a second.
    /// - Throws: `.notAllowed` for a list that is not loaded from elsewhere, `.readOnly` if the
    ///   server takes no changes. A refresh that fails is no error, but an ending.
    public func refresh(
        list: String, progress: @escaping @Sendable (RefreshProgress) -> Void = { _ in }
    ) async throws(ValetError) -> RefreshEnding {
        let number = RefreshNumber()
        do throws(ValetError) {
            return try await onLoop { handler, waiter in
                number.set(
                    handler.refresh(list, progress: progress) { result in
                        waiter.finish(
                            Self.read(result) {
                                if case .refreshed(let ending) = $0 { ending } else { nil }
                            })
                    })
            }
        } catch {
            guard error.code == .superseded, Task.isCancelled else { throw error }
            let handler = handler
            channel.eventLoop.execute { number.value.map { handler.value.cancelRefresh($0) } }
            return .cancelled
        }
    }
}

/// The number of a request that is made on the event loop.
private final class RefreshNumber: Sendable {
    private let number = Mutex<UInt32?>(nil)

    var value: UInt32? { number.withLock(\.self) }

    func set(_ value: UInt32?) {
        number.withLock { $0 = value }
    }
}
