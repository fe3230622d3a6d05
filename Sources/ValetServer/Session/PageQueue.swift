import NIOCore
import ValetModel
import ValetProtocol

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

    func contains(_ name: PageName) -> Bool {
        items.contains { $0.order.name == name }
    }

    func contains(stream: UInt16) -> Bool {
        items.contains { $0.stream == stream }
    }

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
