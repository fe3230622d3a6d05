import NIOCore
import ValetModel
import ValetProtocol

/// The pages that one connection shall get next, and the credit that it has for them.
///
/// Visible pages go before those ahead of the person's scrolling, and a window's pages in its
/// order; a new window of the same view drops what nobody needs any longer. A page that several
/// views show is sent once. Credit counts bytes of page frames, headers and all.
struct PageOutbox {
    private struct Item {
        /// The views that wait for the page.
        var streams: Set<UInt16>
        var order: PageOrder
        /// What is left of a page that was begun. A part that was sent promises the others, and
        /// they must be of the same reading: so they are kept here, whatever becomes of the cache.
        var rest: ArraySlice<ByteBuffer>?
    }

    private(set) var credit: Int
    private var visible: [Item] = []
    private var ahead: [Item] = []
    /// Pages that were asked for and are not here yet, also those that nobody needs any more.
    private var reading: Set<PageName> = []

    init(credit: Int) {
        self.credit = credit
    }

    var isEmpty: Bool { visible.isEmpty && ahead.isEmpty }

    mutating func addCredit(_ byteCount: Int) {
        credit = min(credit + byteCount, Limits.creditBytes)
    }

    /// What the newest window of a view needs.
    mutating func replace(stream: UInt16, visible: [PageOrder], ahead: [PageOrder]) {
        drop(stream: stream)
        for order in visible {
            if let index = Self.index(of: order.name, in: self.visible) {
                self.visible[index].streams.insert(stream)
            } else if let index = Self.index(of: order.name, in: self.ahead) {
                var item = self.ahead.remove(at: index)
                item.streams.insert(stream)
                self.visible.append(item)
            } else {
                self.visible.append(Item(streams: [stream], order: order))
            }
        }
        for order in ahead where Self.index(of: order.name, in: self.visible) == nil {
            if let index = Self.index(of: order.name, in: self.ahead) {
                self.ahead[index].streams.insert(stream)
            } else {
                self.ahead.append(Item(streams: [stream], order: order))
            }
        }
    }

    mutating func drop(stream: UInt16) {
        Self.drop(stream, from: &visible)
        Self.drop(stream, from: &ahead)
    }

    private static func drop(_ stream: UInt16, from items: inout [Item]) {
        for index in items.indices { items[index].streams.remove(stream) }
        items.removeAll { $0.streams.isEmpty && $0.rest == nil }
    }

    private static func index(of name: PageName, in items: [Item]) -> Int? {
        items.firstIndex { $0.order.name == name }
    }

    /// A page that `next` asked for was read, or can't be.
    mutating func filled(_ name: PageName) {
        reading.remove(name)
    }

    /// A page can't be read: nobody waits for it longer.
    /// - Returns: the views whose windows show it.
    mutating func forget(_ name: PageName) -> [UInt16] {
        let isLost = { (item: Item) in item.order.name == name && item.rest == nil }
        let streams = visible.filter(isLost).reduce(into: Set()) { $0.formUnion($1.streams) }
        visible.removeAll(where: isLost)
        ahead.removeAll(where: isLost)
        return streams.sorted()
    }
}

// MARK: - Sending

extension PageOutbox {
    /// What to do next, given the pages that are at hand. Every `.fill` is answered by `filled`.
    mutating func next(frames: (PageOrder) -> [ByteBuffer]?) -> PageStep {
        guard credit > 0 else { return .wait }
        let step = Self.next(in: &visible, credit: &credit, reading: &reading, frames)
        if let step { return step }
        guard visible.isEmpty else { return .wait }
        return Self.next(in: &ahead, credit: &credit, reading: &reading, frames) ?? .wait
    }

    private static func next(
        in items: inout [Item], credit: inout Int, reading: inout Set<PageName>,
        _ frames: (PageOrder) -> [ByteBuffer]?
    ) -> PageStep? {
        // At most one page of a queue is begun, so that a client never holds many parts.
        if let index = items.firstIndex(where: { $0.rest != nil }) {
            return write(items[index].rest!, index, of: &items, credit: &credit)
        }
        // Views whose next page is not here: those behind it wait for their turn.
        var blocked: Set<UInt16> = []
        for index in items.indices {
            let item = items[index]
            if !reading.contains(item.order.name), let frames = frames(item.order) {
                guard blocked.isDisjoint(with: item.streams) else { continue }
                return write(frames[...], index, of: &items, credit: &credit)
            }
            blocked.formUnion(item.streams)
            let isNew = !reading.contains(item.order.name)
            if isNew, reading.count < Limits.pagesReadAtOnce {
                reading.insert(item.order.name)
                return .fill(item.order)
            }
        }
        return nil
    }

    private static func write(
        _ frames: ArraySlice<ByteBuffer>, _ index: Int, of items: inout [Item],
        credit: inout Int
    ) -> PageStep {
        let frame = frames[frames.startIndex]
        guard frame.readableBytes <= credit else { return .wait }
        credit -= frame.readableBytes
        let rest = frames.dropFirst()
        if rest.isEmpty { items.remove(at: index) } else { items[index].rest = rest }
        return .write(frame)
    }
}

enum PageStep: Equatable {
    case write(ByteBuffer)
    case fill(PageOrder)
    case wait
}
