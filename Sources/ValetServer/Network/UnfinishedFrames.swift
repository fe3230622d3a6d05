import Synchronization
import ValetModel

/// Counts the bytes of unfinished frames of all clients, up to a limit.
///
/// Above it, clients that hold more than an even share are disconnected; small frames are accepted
/// even then.
final class UnfinishedFrames: Sendable {
    private let limit: Int
    private let share: Int
    private let taken = Atomic(0)

    init(limit: Int = Limits.bytesOfUnfinishedFrames, connections: Int = Limits.connections) {
        self.limit = limit
        share = limit / connections
    }

    var bytes: Int { taken.load(ordering: .relaxed) }

    /// A connection now holds `now` bytes, and held `before`.
    func change(from before: Int, to now: Int) {
        taken.add(now - before, ordering: .relaxed)
    }

    /// The reason to disconnect a connection that holds so many bytes, if it must go.
    func excess(of bytes: Int) -> ValetError? {
        let all = self.bytes
        guard all > limit, bytes > share else { return nil }
        return .limit("bytes of unfinished frames", is: limit, asked: all)
    }
}
