import Collections
import NIOCore
import ValetProtocol

/// Encoded pages of one event loop, least recently used first out under a byte budget.
///
/// Each loop has a cache of its own, so that a page is answered without a lock; a page that both loops
/// show is kept twice.
struct PageCache {
    private var pages: OrderedDictionary<PageName, [ByteBuffer]> = [:]
    private let budget: Int
    private(set) var byteCount = 0

    init(budget: Int) {
        self.budget = budget
    }

    func frames(of name: PageName) -> [ByteBuffer]? {
        pages[name]
    }

    mutating func insert(_ frames: [ByteBuffer], for name: PageName) {
        guard pages.updateValue(frames, forKey: name) == nil else { return }
        byteCount += Self.bytes(of: frames)
        guard byteCount > budget else { return }
        evict()
    }

    /// Drops the older half of the budget at once: removing from the front moves everything behind.
    private mutating func evict() {
        var dropped = 0
        while byteCount > budget / 2, dropped < pages.count - 1 {
            byteCount -= Self.bytes(of: pages.values[dropped])
            dropped += 1
        }
        pages.removeFirst(dropped)
    }

    private static func bytes(of frames: [ByteBuffer]) -> Int {
        // What the entry itself takes is about as much as a small page.
        frames.reduce(128) { $0 + $1.storageCapacity }
    }
}
