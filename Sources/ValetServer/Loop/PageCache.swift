import NIOCore
import Synchronization
import ValetModel
import ValetProtocol

/// The encoded pages that all event loops share under one byte budget, so that a page that one
/// shows is not read again for another.
///
/// They stand on shelves with a lock each. A look at one page is short, and loops hardly ever meet;
/// but a reader thread that clears a shelf out holds it for all of its pages.
final class PageCache: Sendable {
    private final class LockedShelf: Sendable {
        let pages: Mutex<PageShelf>

        init(budget: Int) {
            pages = Mutex(PageShelf(budget: budget))
        }
    }

    private let shelves: [LockedShelf]
    let budget: Int

    init(budget: Int) {
        self.budget = budget
        shelves = (0..<Limits.shelvesOfPages).map { _ in
            LockedShelf(budget: budget / Limits.shelvesOfPages)
        }
    }

    func frames(of name: PageName) -> [ByteBuffer]? {
        shelf(of: name).pages.withLock { $0.frames(of: name) }
    }

    /// For event loops, which wait for nobody: nil, too, while the shelf is locked. Then a reader
    /// thread looks.
    func framesAtOnce(of name: PageName) -> [ByteBuffer]? {
        shelf(of: name).pages.withLockIfAvailable { $0.frames(of: name) } ?? nil
    }

    func insert(_ frames: [ByteBuffer], for name: PageName) {
        shelf(of: name).pages.withLock { $0.insert(frames, for: name) }
    }

    /// Leaves beside each other stand on different shelves, and so do a leaf's projections.
    private func shelf(of name: PageName) -> LockedShelf {
        let leaf = name.rawValue >> UInt64(Projection.numberBits)
        return shelves[Int((leaf &+ name.rawValue) % UInt64(shelves.count))]
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
