import NIOCore
import Synchronization

/// The event loops of a server with their states, for work that concerns all of them.
final class Loops: Sendable {
    typealias Member = (eventLoop: any EventLoop, state: NIOLoopBound<LoopState>)

    private let members = Mutex<[Member]>([])

    /// Set after creation, since loops need the keepers and collectors, which need this.
    func start(_ members: [Member]) {
        self.members.withLock { $0 = members }
    }

    /// Delivers a notice to every loop. Previous snapshots are then freed on a thread of
    /// `builders`: freeing ten million rows would block an event loop.
    func bring(_ notice: Publisher.Notice, freeing builders: ReaderPool) {
        gather({ $0.take(notice) }) { _ in
            guard case .published(let old) = notice else { return }
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
        for (eventLoop, state) in members {
            eventLoop.execute {
                if let all = parts.add(part(state.value)) { done(all) }
            }
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
