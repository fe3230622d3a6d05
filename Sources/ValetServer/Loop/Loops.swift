import NIOCore
import Synchronization

/// The event loops of a server, each with its state: for what concerns all of them.
final class Loops: Sendable {
    typealias Member = (eventLoop: any EventLoop, state: NIOLoopBound<LoopState>)

    private let members = Mutex<[Member]>([])

    /// Keepers and collectors are made before the loops, which need them.
    func start(_ members: [Member]) {
        self.members.withLock { $0 = members }
    }

    /// Brings every loop what it has to learn of a list. The list's last snapshot is freed on a
    /// thread of `builders` when no loop has it any more: ten million rows take so long that an
    /// event loop would stand still.
    func bring(_ notice: KeptList.Notice, ofList list: Int, freeing builders: ReaderPool) {
        gather({ $0.take(notice, ofList: list) }) { _ in
            if case .published(let old?) = notice { builders.free(old) }
        }
    }

    /// Calls `done` with what `part` says on each loop, on one of them, when all have said it.
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

        /// - Returns: all of them, to whoever brings the last.
        func add(_ part: Part) -> [Part]? {
            parts.withLock { parts in
                parts.append(part)
                return parts.count == count ? parts : nil
            }
        }
    }
}
