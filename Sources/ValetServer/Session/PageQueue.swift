import NIOCore
import ValetModel
import ValetProtocol

/// Pages that wait to be sent, in the order of their windows.
struct PageQueue {
    private struct Item {
        /// The view that waits for the page. Another that does has an item of its own.
        var stream: UInt16
        let name: PageName
        var state: State

        enum State {
            case ordered(PageOrder)
            /// What is left to send. A part that was sent promises the others, and they must be of
            /// the same reading: so they are kept here, whatever becomes of the cache. The order is
            /// let go, since it holds all that its view shows: the client decides when, and
            /// whether, it takes the rest.
            case begun(rest: ArraySlice<ByteBuffer>)
        }

        var rest: ArraySlice<ByteBuffer>? {
            switch state {
            case .ordered: nil
            case .begun(let rest): rest
            }
        }
    }

    private var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    func contains(_ name: PageName) -> Bool {
        items.contains { $0.name == name }
    }

    mutating func append(
        _ order: PageOrder, for stream: UInt16, rest: ArraySlice<ByteBuffer>? = nil
    ) {
        items.append(
            Item(
                stream: stream, name: order.name,
                state: rest.map { .begun(rest: $0) } ?? .ordered(order)))
    }

    /// Takes a page out.
    /// - Returns: what is left of it, if it was begun.
    mutating func take(_ name: PageName) -> ArraySlice<ByteBuffer>? {
        guard contains(name) else { return nil }
        let rest = items.first { $0.name == name && $0.rest != nil }?.rest
        items.removeAll { $0.name == name }
        return rest
    }

    mutating func drop(stream: UInt16) {
        items.removeAll { $0.stream == stream && $0.rest == nil }
    }

    /// Takes a page out that was not begun.
    /// - Returns: the views that waited for it.
    mutating func forget(_ name: PageName) -> Set<UInt16> {
        let isLost = { (item: Item) in item.name == name && item.rest == nil }
        let streams = Set(items.filter(isLost).map(\.stream))
        items.removeAll(where: isLost)
        return streams
    }

    /// What to do next, given the pages that are at hand.
    /// - Parameters:
    ///   - spared: credit that is left to others.
    ///   - reading: pages that were asked for and are not here yet.
    mutating func next(
        credit: inout Int, sparing spared: Int, reading: inout Set<PageName>,
        _ frames: (PageOrder) -> [ByteBuffer]?
    ) -> PageStep {
        guard credit > spared else { return .wait }
        // At most one page of a queue is begun, so that a client never holds many parts.
        for index in items.indices {
            guard case .begun(let rest) = items[index].state else { continue }
            return write(rest, of: index, &credit, sparing: spared)
        }
        // Views whose next page is not here: those behind it wait for their turn.
        var blocked: Set<UInt16> = []
        for index in items.indices {
            guard case .ordered(let order) = items[index].state else { continue }
            let isNew = !reading.contains(order.name)
            if isNew, let frames = frames(order) {
                guard !blocked.contains(items[index].stream) else { continue }
                return write(frames[...], of: index, &credit, sparing: spared)
            }
            blocked.insert(items[index].stream)
            if isNew, reading.count < Limits.pagesReadAtOnce {
                reading.insert(order.name)
                return .fill(order)
            }
        }
        return .wait
    }

    private mutating func write(
        _ frames: ArraySlice<ByteBuffer>, of index: Int, _ credit: inout Int, sparing spared: Int
    ) -> PageStep {
        let frame = frames[frames.startIndex]
        guard frame.readableBytes <= credit - spared else { return .wait }
        credit -= frame.readableBytes
        let rest = frames.dropFirst()
        if rest.isEmpty {
            let name = items[index].name
            items.removeAll { $0.name == name }
        } else {
            items[index].state = .begun(rest: rest)
        }
        return .write(frame)
    }
}
