import ValetClient
import ValetModel

import struct Synchronization.Atomic

/// Reads a server's statistics over a connection of its own while others load it, so that its
/// memory is known wherever it runs.
final class ServerWatch: Sendable {
    private static let timeout = Duration.seconds(5)
    private let connection: ValetConnection
    private let newest = Mutex<ServerStatistics?>(nil)
    private let isAsking = Atomic(false)

    init(_ connection: ValetConnection) {
        self.connection = connection
    }

    /// The newest statistics; nil when the last request failed.
    var latest: ServerStatistics? { newest.withLock { $0 } }

    /// Asks, without waiting: a server that is late must not hold up a clock.
    func refresh() {
        guard !isAsking.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task {
            await ask()
            isAsking.store(false, ordering: .releasing)
        }
    }

    /// Asks, and waits for the answer for some seconds.
    @discardableResult
    func ask() async -> ServerStatistics? {
        // Detached, since the end of a run that was stopped is worth knowing too.
        let query = Task.detached { [connection] in try? await connection.statistics() }
        let alarm = Task.detached {
            try await Task.sleep(for: Self.timeout)
            query.cancel()
        }
        let answer = await query.value
        alarm.cancel()
        newest.withLock { $0 = answer }
        return answer
    }

    func end() async {
        await connection.close()
    }
}
