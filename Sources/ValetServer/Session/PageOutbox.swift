import Collections
import NIOCore
import ValetModel
import ValetProtocol

/// The pages that one connection shall get next, and the credit that it has for them.
///
/// Visible pages go before those ahead of the person's scrolling, and a window's pages in its
/// order; a new window of the same view drops what nobody needs any longer, also the rest of a page
/// that was begun. A page that several views show is sent once. Credit counts bytes of page frames,
/// headers and all; pages ahead leave half of it to those that somebody will see.
struct PageOutbox {
    private(set) var credit: Int
    /// The most credit that there was.
    private var mostCredit: Int
    private var visible = PageQueue()
    private var ahead = PageQueue()
    /// Pages that were asked for and are not here yet, also those that nobody needs any more.
    private var reading: Set<PageName> = []
    /// What is left to send of pages that were begun, oldest first. All parts of a page must be of
    /// the same reading, so they are kept here, whatever becomes of the cache.
    private var begun: OrderedDictionary<PageName, ArraySlice<ByteBuffer>> = [:]
    /// Pages that were begun and won't be finished: the client is told before anything else is
    /// sent, so these are never more than were begun.
    private var givenUp: [PageName] = []

    init(credit: Int) {
        self.credit = credit
        mostCredit = credit
    }

    /// True when nobody waits for a page: those ahead may come or not.
    var isEmpty: Bool { visible.isEmpty }

    /// True for a page that somebody waits for.
    func owes(_ name: PageName) -> Bool { visible.contains(name) }

    mutating func addCredit(_ byteCount: Int) {
        credit = min(credit + byteCount, Limits.creditBytes)
        mostCredit = max(mostCredit, credit)
    }

    /// What the newest window of a view needs.
    mutating func replace(stream: UInt16, visible: [PageOrder], ahead: [PageOrder]) {
        self.visible.drop(stream: stream)
        self.ahead.drop(stream: stream)
        for order in visible {
            // What somebody sees is ahead for nobody.
            self.ahead.remove(order.name)
            self.visible.append(order, for: stream)
        }
        for order in ahead where !self.visible.contains(order.name) {
            self.ahead.append(order, for: stream)
        }
        giveUpWhatNobodyNeeds()
    }

    mutating func drop(stream: UInt16) {
        visible.drop(stream: stream)
        ahead.drop(stream: stream)
        giveUpWhatNobodyNeeds()
    }

    private mutating func giveUpWhatNobodyNeeds() {
        for name in begun.keys where !visible.contains(name) && !ahead.contains(name) {
            giveUp(name)
        }
    }

    private mutating func giveUp(_ name: PageName) {
        begun[name] = nil
        givenUp.append(name)
    }

    /// A page that `next` asked for was read, or can't be.
    mutating func filled(_ name: PageName) {
        reading.remove(name)
    }

    /// A page can't be read: nobody waits for it longer, unless an earlier reading was begun.
    /// - Returns: the views whose windows show it.
    mutating func forget(_ name: PageName) -> [UInt16] {
        guard begun[name] == nil else { return [] }
        ahead.remove(name)
        return visible.remove(name).sorted()
    }

    /// What to do next, given the pages that are at hand. Every `.fill` is answered by `filled`.
    mutating func next(frames: (PageOrder) -> [ByteBuffer]?) -> PageStep {
        if let name = givenUp.last { return tellThatGivenUp(name) }
        let spared = visible.isEmpty ? mostCredit / 2 : 0
        guard credit > spared else { return .wait }
        let queue = visible.isEmpty ? ahead : visible
        let begun = begun
        switch queue.next(begun: { begun[$0] }, reading: &reading, frames) {
        case .send(let order, let parts): return send(parts, of: order.name, sparing: spared)
        case .fill(let order): return .fill(order)
        case .wait: return .wait
        }
    }

    private mutating func send(
        _ parts: ArraySlice<ByteBuffer>, of name: PageName, sparing spared: Int
    ) -> PageStep {
        guard let frame = parts.first, frame.readableBytes <= credit - spared else { return .wait }
        let rest = parts.dropFirst()
        if rest.isEmpty {
            begun[name] = nil
            visible.remove(name)
            ahead.remove(name)
            return write(frame)
        }
        if begun[name] == nil, begun.count >= Limits.pagesBegun, let oldest = begun.keys.first {
            // It begins anew when its turn comes.
            giveUp(oldest)
            return tellThatGivenUp(oldest)
        }
        begun[name] = rest
        return write(frame)
    }

    private mutating func tellThatGivenUp(_ name: PageName) -> PageStep {
        let frame = PageFrame.givingUp(name)
        guard frame.readableBytes <= credit else { return .wait }
        givenUp.removeAll { $0 == name }
        return write(frame)
    }

    private mutating func write(_ frame: ByteBuffer) -> PageStep {
        credit -= frame.readableBytes
        return .write(frame)
    }
}

enum PageStep: Equatable {
    case write(ByteBuffer)
    case fill(PageOrder)
    case wait
}
