import NIOCore
import ValetModel
import ValetProtocol

/// The pages that one connection shall get next, and the credit that it has for them.
///
/// Visible pages go before those ahead of the person's scrolling, and a window's pages in its
/// order; a new window of the same view drops what nobody needs any longer. A page that several
/// views show is sent once. Credit counts bytes of page frames, headers and all; pages ahead leave
/// half of it to those that somebody will see.
struct PageOutbox {
    private(set) var credit: Int
    /// The most credit that there was.
    private var mostCredit: Int
    private var visible = PageQueue()
    private var ahead = PageQueue()
    /// Pages that were asked for and are not here yet, also those that nobody needs any more.
    private var reading: Set<PageName> = []

    init(credit: Int) {
        self.credit = credit
        mostCredit = credit
    }

    /// True when nobody waits for a page: those ahead may come or not.
    var isEmpty: Bool { visible.isEmpty }

    mutating func addCredit(_ byteCount: Int) {
        credit = min(credit + byteCount, Limits.creditBytes)
        mostCredit = max(mostCredit, credit)
    }

    /// What the newest window of a view needs.
    mutating func replace(stream: UInt16, visible: [PageOrder], ahead: [PageOrder]) {
        drop(stream: stream)
        for order in visible {
            // What somebody sees is ahead for nobody; what was begun so goes on as visible.
            let rest = self.ahead.take(order.name)
            self.visible.append(order, for: stream, rest: rest)
        }
        for order in ahead where !self.visible.contains(order.name) {
            self.ahead.append(order, for: stream)
        }
    }

    mutating func drop(stream: UInt16) {
        visible.drop(stream: stream)
        ahead.drop(stream: stream)
    }

    /// A page that `next` asked for was read, or can't be.
    mutating func filled(_ name: PageName) {
        reading.remove(name)
    }

    /// A page can't be read: nobody waits for it longer.
    /// - Returns: the views whose windows show it.
    mutating func forget(_ name: PageName) -> [UInt16] {
        _ = ahead.forget(name)
        return visible.forget(name).sorted()
    }

    /// What to do next, given the pages that are at hand. Every `.fill` is answered by `filled`.
    mutating func next(frames: (PageOrder) -> [ByteBuffer]?) -> PageStep {
        if !visible.isEmpty {
            return visible.next(credit: &credit, sparing: 0, reading: &reading, frames)
        }
        if !ahead.isEmpty {
            return ahead.next(
                credit: &credit, sparing: mostCredit / 2, reading: &reading, frames)
        }
        return .wait
    }
}

enum PageStep: Equatable {
    case write(ByteBuffer)
    case fill(PageOrder)
    case wait
}
