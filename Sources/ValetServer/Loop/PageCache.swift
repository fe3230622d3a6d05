import NIOCore
import Synchronization
import ValetModel
import ValetProtocol

/// The cache of encoded pages that all event loops share, under one byte budget, so that a page is
/// read once for all of them.
///
/// It is split into shards with a lock each. Lookups are short and loops rarely contend; but a
/// reader thread that evicts holds the shard's lock until it is done.
final class PageCache: Sendable {
    private final class LockedShard: Sendable {
        let pages: Mutex<PageCacheShard>

        init(budget: Int) {
            pages = Mutex(PageCacheShard(budget: budget))
        }
    }

    private let shards: [LockedShard]
    let budget: Int

    init(budget: Int) {
        self.budget = budget
        shards = (0..<Limits.shardsOfPages).map { _ in
            LockedShard(budget: budget / Limits.shardsOfPages)
        }
    }

    func frames(of name: PageName) -> [ByteBuffer]? {
        shard(of: name).pages.withLock { $0.frames(of: name) }
    }

    /// For event loops, which must not block: nil also while the shard is locked. A reader thread
    /// then looks again.
    func framesAtOnce(of name: PageName) -> [ByteBuffer]? {
        shard(of: name).pages.withLockIfAvailable { $0.frames(of: name) } ?? nil
    }

    func insert(_ frames: [ByteBuffer], for name: PageName) {
        shard(of: name).pages.withLock { $0.insert(frames, for: name) }
    }

    /// For event loops.
    /// - Returns: false, without an insertion, if that would take long.
    func insertAtOnce(_ frames: [ByteBuffer], for name: PageName) -> Bool {
        shard(of: name).pages.withLockIfAvailable { $0.insertWithoutEviction(frames, for: name) }
            ?? false
    }

    /// Adjacent leaves go to different shards, and so do a leaf's projections.
    private func shard(of name: PageName) -> LockedShard {
        let leaf = name.rawValue >> UInt64(Projection.numberBits)
        return shards[Int((leaf &+ name.rawValue) % UInt64(shards.count))]
    }
}

extension PageCache {
    struct Statistics: Sendable {
        var pages = 0
        var bytes = 0
        /// Since the server started.
        var pagesRead = 0
    }

    var statistics: Statistics {
        shards.reduce(into: Statistics()) { sum, shard in
            shard.pages.withLock { pages in
                sum.pages += pages.count
                sum.bytes += pages.byteCount
                sum.pagesRead += pages.insertions
            }
        }
    }
}
