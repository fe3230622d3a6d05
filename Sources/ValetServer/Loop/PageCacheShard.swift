import Collections
import NIOCore
import ValetProtocol

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
