import NIOCore
import OrderedCollections
import ValetModel
import ValetProtocol

/// The pages to send to one connection, and its credit.
///
/// Visible pages go before prefetched ones, and a window's pages in its order. A new window of the
/// same view drops the pages that are no longer needed, including the rest of a partly sent one. A
/// page that several views show is sent once. Credit counts bytes of page frames with their
/// headers; prefetched pages leave half of it to visible ones.
struct PageOutbox {
    private(set) var credit: Int
    /// The highest credit so far.
    private var mostCredit: Int
    private var visible = PageQueue()
    private var ahead = PageQueue()
    /// True until the client comes to rest: making and sending pages ahead would only delay the
    /// next window of someone who jumps about.
    private(set) var aheadWaits = false
    /// Pages requested and not read yet, including those no longer needed.
    private var reading: Set<PageName> = []
    /// The unsent parts of pages, oldest first. All parts of a page must be of the same read, so
    /// they are kept here, whatever the cache evicts.
    private var begun: OrderedDictionary<PageName, ArraySlice<ByteBuffer>> = [:]
    /// Partly sent pages that were abandoned. The client is told before anything else is sent, so
    /// there are never more of these than of partly sent ones.
    private var givenUp: [PageName] = []

    init(credit: Int) {
        self.credit = credit
        mostCredit = credit
    }

    /// True if no visible page is pending; prefetched ones may be skipped.
    var isEmpty: Bool { visible.isEmpty }

    /// True if all pages of a view's window were sent, or can't be had.
    func isDone(stream: UInt16) -> Bool { !visible.contains(stream: stream) }

    /// Takes the bytes of a message that is no page off the credit.
    /// - Returns: the message, to be sent; nil if the credit does not suffice.
    mutating func pay(_ message: ServerMessage, stream: UInt16) -> PaidMessage? {
        let paid = PaidMessage(message, stream: stream)
        guard paid.frame.readableBytes <= credit else { return nil }
        credit -= paid.frame.readableBytes
        return paid
    }

    /// True if a visible window waits for the page.
    func owes(_ name: PageName) -> Bool { visible.contains(name) }

    mutating func addCredit(_ byteCount: Int) {
        credit = min(credit + byteCount, Limits.creditBytes)
        mostCredit = max(mostCredit, credit)
    }

    /// Replaces a view's pages with those of its newest window.
    /// - Parameter aheadWaits: whether pages ahead, of all views, wait for `clientRests`.
    mutating func replace(
        stream: UInt16, visible: [PageOrder], ahead: [PageOrder], aheadWaits: Bool = false
    ) {
        self.aheadWaits = aheadWaits
        self.visible.drop(stream: stream)
        self.ahead.drop(stream: stream)
        for order in visible {
            // A visible page need not be prefetched.
            self.ahead.remove(order.name)
            self.visible.append(order, for: stream)
        }
        for order in ahead where !self.visible.contains(order.name) {
            self.ahead.append(order, for: stream)
        }
        giveUpWhatNobodyNeeds()
    }

    mutating func clientRests() {
        aheadWaits = false
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

    /// A page requested by `next` was read, or its read failed.
    mutating func filled(_ name: PageName) {
        reading.remove(name)
    }

    /// Drops a page that can't be read, unless an earlier read of it is partly sent.
    /// - Returns: the views whose windows show it.
    mutating func forget(_ name: PageName) -> [UInt16] {
        guard begun[name] == nil else { return [] }
        let streams = visible.streams(of: name).sorted()
        ahead.remove(name)
        visible.remove(name)
        return streams
    }

    /// The next step, given the cached pages. Every `.fill` is answered by `filled`.
    mutating func next(frames: (PageOrder) -> [ByteBuffer]?) -> PageStep {
        if let name = givenUp.last { return tellThatGivenUp(name) }
        if visible.isEmpty, aheadWaits { return .wait }
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
            // It starts again when its turn comes.
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

/// Pages to send, in the order of their windows.
struct PageQueue {
    private struct Item {
        /// The view that waits for the page. Each waiting view has an item of its own.
        let stream: UInt16
        let order: PageOrder
    }

    enum Choice {
        case send(PageOrder, ArraySlice<ByteBuffer>)
        case fill(PageOrder)
        case wait
    }

    private var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    func contains(_ name: PageName) -> Bool { items.contains { $0.order.name == name } }

    func contains(stream: UInt16) -> Bool { items.contains { $0.stream == stream } }

    mutating func append(_ order: PageOrder, for stream: UInt16) {
        items.append(Item(stream: stream, order: order))
    }

    /// The views that wait for the page.
    func streams(of name: PageName) -> [UInt16] {
        items.filter { $0.order.name == name }.map(\.stream)
    }

    mutating func remove(_ name: PageName) {
        // In place: a closure over the items would copy each of them.
        for index in items.indices.reversed() where items[index].order.name == name {
            items.remove(at: index)
        }
    }

    mutating func drop(stream: UInt16) {
        items.removeAll { $0.stream == stream }
    }

    /// The next step, given the cached pages. A view's pages keep their order.
    /// - Parameters:
    ///   - begun: the unsent parts of pages.
    ///   - reading: pages that are being read.
    func next(
        begun: (PageName) -> ArraySlice<ByteBuffer>?, reading: inout Set<PageName>,
        _ frames: (PageOrder) -> [ByteBuffer]?
    ) -> Choice {
        // Views whose next page is not read yet.
        var blocked: Set<UInt16> = []
        for item in items {
            let name = item.order.name
            let isNew = !reading.contains(name)
            if let parts = begun(name) ?? (isNew ? frames(item.order)?[...] : nil) {
                guard !blocked.contains(item.stream) else { continue }
                return .send(item.order, parts)
            }
            blocked.insert(item.stream)
            if isNew, reading.count < Limits.pagesReadAtOnce {
                reading.insert(name)
                return .fill(item.order)
            }
        }
        return .wait
    }
}
