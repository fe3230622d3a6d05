import Synchronization

/// Calls a body on all event loops soon. Notices that are given before a loop begins are one.
final class LoopNotice: Sendable {
    private let loops: Loops
    private let body: @Sendable (LoopState) -> Void
    /// A notice is on its way, and no loop has begun since.
    private let isGiven = Atomic(false)

    init(to loops: Loops, _ body: @escaping @Sendable (LoopState) -> Void) {
        self.loops = loops
        self.body = body
    }

    func give() {
        guard !isGiven.exchange(true, ordering: .sequentiallyConsistent) else { return }
        loops.gather(body) { _ in }
    }

    /// A loop begins: later changes need another notice.
    func begun() {
        isGiven.store(false, ordering: .sequentiallyConsistent)
    }
}
