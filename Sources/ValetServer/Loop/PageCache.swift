import NIOCore
import OrderedCollections
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

/// Encoded pages under a byte budget. Eviction spares pages that were used since the last one.
struct PageCacheShard {
    private struct Page {
        var frames: [ByteBuffer]
        var byteCount: Int
        /// Used since insertion, or since the last eviction.
        var isUsed = false
    }

    private var pages: OrderedDictionary<PageName, Page> = [:]
    let budget: Int
    private(set) var byteCount = 0
    /// All insertions so far.
    private(set) var insertions = 0

    init(budget: Int) {
        self.budget = budget
    }

    var count: Int { pages.count }

    mutating func frames(of name: PageName) -> [ByteBuffer]? {
        guard let index = pages.index(forKey: name) else { return nil }
        if !pages.values[index].isUsed { pages.values[index].isUsed = true }
        return pages.values[index].frames
    }

    /// - Returns: false, without an insertion, if other pages had to go.
    mutating func insertWithoutEviction(_ frames: [ByteBuffer], for name: PageName) -> Bool {
        guard byteCount + Self.bytes(of: frames) <= budget else { return false }
        insert(frames, for: name)
        return true
    }

    mutating func insert(_ frames: [ByteBuffer], for name: PageName) {
        insertions += 1
        guard pages[name] == nil else { return }
        let page = Page(frames: frames, byteCount: Self.bytes(of: frames))
        pages[name] = page
        byteCount += page.byteCount
        if byteCount > budget { evict(sparing: name) }
    }

    /// Evicts down to half the budget at once, since every removal moves the entries after it.
    private mutating func evict(sparing newest: PageName) {
        let old = pages
        pages.removeAll(keepingCapacity: true)
        var excess = byteCount - budget / 2
        // Used pages go only if the others were not enough.
        var excessOfUsed = excess
        for page in old.values where !page.isUsed { excessOfUsed -= page.byteCount }
        byteCount = 0
        for (name, page) in old {
            let isDropped = page.isUsed ? excessOfUsed > 0 : excess > 0
            if isDropped, name != newest {
                excess -= page.byteCount
                if page.isUsed { excessOfUsed -= page.byteCount }
                continue
            }
            pages[name] = Page(frames: page.frames, byteCount: page.byteCount)
            byteCount += page.byteCount
        }
    }

    private static func bytes(of frames: [ByteBuffer]) -> Int {
        // The entry's overhead is about as much as a small page. Frames are slices of one buffer.
        128 + (frames.first?.storageCapacity ?? 0)
    }
}
