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
        let waiter = Waiter<RefreshEnding>()
        let refresh = startRefresh(list: list, progress: progress) { waiter.finish($0) }
        do throws(ValetError) {
            return try await waiter.answer()
        } catch {
            guard error.code == .superseded, Task.isCancelled else { throw error }
            refresh.cancel()
            return .cancelled
        }
    }

    /// Starts a refresh. `answer` is called once, when it has ended or was cancelled.
    package func startRefresh(
        list: String, progress: @escaping @Sendable (RefreshProgress) -> Void,
        answer: @escaping @Sendable (Result<RefreshEnding, ValetError>) -> Void
    ) -> RunningRefresh {
        let refresh = RunningRefresh(self, answer)
        execute { handler in
            let number = handler.refresh(list, progress: progress) { result in
                refresh.end(
                    Self.read(result) {
                        if case .refreshed(let ending) = $0 { ending } else { nil }
                    })
            }
            refresh.number.withLock { $0 = number }
        }
        return refresh
    }
}

/// A refresh that this client waits for.
package final class RunningRefresh: Sendable {
    private let connection: ValetConnection
    /// Of its request, from when that is made.
    fileprivate let number = Mutex<UInt32?>(nil)
    private let answer: Mutex<(@Sendable (Result<RefreshEnding, ValetError>) -> Void)?>

    fileprivate init(
        _ connection: ValetConnection,
        _ answer: @escaping @Sendable (Result<RefreshEnding, ValetError>) -> Void
    ) {
        self.connection = connection
        self.answer = Mutex(answer)
    }

    /// Stops waiting. The server stops loading when nobody else waits.
    package func cancel() {
        connection.execute { [self] handler in
            if let number = number.withLock(\.self) { handler.cancelRefresh(number) }
        }
        end(.success(.cancelled))
    }

    fileprivate func end(_ result: Result<RefreshEnding, ValetError>) {
        answer.withLock { $0.take() }?(result)
    }
}
