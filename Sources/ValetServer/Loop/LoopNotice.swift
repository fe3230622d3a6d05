import Synchronization

/// Has all loops do something soon: once for all that happens before one of them begins with it.
final class LoopNotice: Sendable {
    private let loops: Loops
    private let body: @Sendable (LoopState) -> Void
    /// The loops were told, and none has begun since.
    private let isGiven = Atomic(false)

    init(to loops: Loops, _ body: @escaping @Sendable (LoopState) -> Void) {
        self.loops = loops
        self.body = body
    }

    func give() {
        guard !isGiven.exchange(true, ordering: .sequentiallyConsistent) else { return }
        loops.gather(body) { _ in }
    }

    /// A loop begins: what happens from now on needs another notice.
    func begun() {
        isGiven.store(false, ordering: .sequentiallyConsistent)
    }
}
