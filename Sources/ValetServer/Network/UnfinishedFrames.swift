import Synchronization
import ValetModel

/// Bytes that all clients have sent of frames that are not whole, up to a limit.
///
/// Over it, whoever holds more than an even share must go: small frames are taken even then.
final class UnfinishedFrames: Sendable {
    private let limit: Int
    private let share: Int
    private let taken = Atomic(0)

    init(limit: Int = Limits.bytesOfUnfinishedFrames, connections: Int = Limits.connections) {
        self.limit = limit
        share = limit / connections
    }

    var bytes: Int { taken.load(ordering: .relaxed) }

    /// A connection now keeps so many bytes, and kept `before`.
    func change(from before: Int, to now: Int) {
        taken.add(now - before, ordering: .relaxed)
    }

    /// Why a connection that keeps so many bytes must go, if it must.
    func excess(of bytes: Int) -> ValetError? {
        let all = self.bytes
        guard all > limit, bytes > share else { return nil }
        return .limit("bytes of unfinished frames", is: limit, asked: all)
    }
}
