import NIOCore
import Synchronization
import ValetProtocol

/// The encoded pages that all event loops share under one byte budget, so that a page is read once
/// whoever shows it.
///
/// They stand on many shelves with a lock each, which is held for a look at one page: loops hardly
/// ever meet, and a clearing out, which a reader thread does, is short.
final class PageCache: Sendable {
    private final class LockedShelf: Sendable {
        let pages: Mutex<PageShelf>

        init(budget: Int) {
            pages = Mutex(PageShelf(budget: budget))
        }
    }

    private static let shelfCount = 64

    private let shelves: [LockedShelf]
    let budget: Int

    init(budget: Int) {
        self.budget = budget
        shelves = (0..<Self.shelfCount).map { _ in LockedShelf(budget: budget / Self.shelfCount) }
    }

    func frames(of name: PageName) -> [ByteBuffer]? {
        shelf(of: name).pages.withLock { $0.frames(of: name) }
    }

    func insert(_ frames: [ByteBuffer], for name: PageName) {
        shelf(of: name).pages.withLock { $0.insert(frames, for: name) }
    }

    /// Leaves beside each other stand on different shelves.
    private func shelf(of name: PageName) -> LockedShelf {
        let leaf = name.rawValue >> UInt64(Projection.numberBits)
        return shelves[Int(leaf % UInt64(Self.shelfCount))]
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
        shelves.reduce(into: Statistics()) { sum, shelf in
            shelf.pages.withLock { pages in
                sum.pages += pages.count
                sum.bytes += pages.byteCount
                sum.pagesRead += pages.insertions
            }
        }
    }
}
