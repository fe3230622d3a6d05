import NIOCore
import ValetModel

import struct Synchronization.Atomic

/// The event loops of a server with their states, for work that concerns all of them.
final class Loops: Sendable {
    private let members = Mutex<[NIOLoopBound<LoopState>]>([])

    /// Set after creation, since loops need the keepers and collectors, which need this.
    func start(_ members: [NIOLoopBound<LoopState>]) {
        self.members.withLock { $0 = members }
    }

    /// Delivers a notice to every loop. Previous snapshots are then freed on a thread of
    /// `builders`: freeing ten million rows would block an event loop.
    func bring(_ notice: Publisher.Notice, freeing builders: ReaderPool) {
        gather({ $0.take(notice) }) { _ in
            guard case .published(let old, _) = notice else { return }
            for snapshot in old { builders.free(snapshot) }
        }
    }

    /// Collects the result of `part` from each loop and passes all of them to `done`, on the loop
    /// that finishes last.
    func gather<Part: Sendable>(
        _ part: @escaping @Sendable (LoopState) -> Part,
        _ done: @escaping @Sendable ([Part]) -> Void
    ) {
        let members = members.withLock { $0 }
        guard !members.isEmpty else { return done([]) }
        let parts = Parts<Part>(count: members.count)
        for member in members {
            member.execute { if let all = parts.add(part($0)) { done(all) } }
        }
    }

    private final class Parts<Part: Sendable>: Sendable {
        private let count: Int
        private let parts = Mutex<[Part]>([])

        init(count: Int) {
            self.count = count
        }

        /// - Returns: all parts, to the caller that adds the last.
        func add(_ part: Part) -> [Part]? {
            parts.withLock { parts in
                parts.append(part)
                return parts.count == count ? parts : nil
            }
        }
    }
}

extension NIOLoopBound {
    /// Runs `body` with the value on its event loop, from any thread.
    func execute(_ body: @escaping @Sendable (Value) -> Void) {
        eventLoop.execute { body(value) }
    }
}

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
