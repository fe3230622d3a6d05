import NIOCore
import ValetModel
import ValetProtocol

/// The pages that one connection shall get next, and the credit that it has for them.
///
/// Visible pages go before those ahead of the person's scrolling; a new window of the same view drops
/// what it no longer needs. Credit counts bytes of page frames, headers and all.
struct PageOutbox {
    private struct Item {
        var stream: UInt16
        var order: PageOrder
        /// Frames of the page that are sent.
        var sentFrames = 0
    }

    private(set) var credit: Int
    private var visible: [Item] = []
    private var ahead: [Item] = []

    init(credit: Int) {
        self.credit = credit
    }

    var isEmpty: Bool { visible.isEmpty && ahead.isEmpty }

    mutating func addCredit(_ byteCount: Int) {
        credit = min(credit + byteCount, Limits.creditBytes)
    }

    /// What the newest window of a view needs. A page that is partly sent is finished first.
    mutating func replace(stream: UInt16, visible: [PageOrder], ahead: [PageOrder]) {
        drop(stream: stream)
        let names = Set(self.visible.map(\.order.name))
        self.visible += visible.filter { !names.contains($0.name) }
            .map { Item(stream: stream, order: $0) }
        self.ahead += ahead.map { Item(stream: stream, order: $0) }
    }

    mutating func drop(stream: UInt16) {
        visible.removeAll { $0.stream == stream && $0.sentFrames == 0 }
        // A part that was sent promises the rest.
        visible = ahead.filter { $0.stream == stream && $0.sentFrames > 0 } + visible
        ahead.removeAll { $0.stream == stream }
    }

    /// What to do next, given the pages that are at hand.
    mutating func next(
        frames: (PageOrder) -> [ByteBuffer]?, isUnderWay: (PageOrder) -> Bool
    ) -> PageStep {
        if let step = Self.next(in: &visible, credit: &credit, frames, isUnderWay) { return step }
        guard visible.isEmpty else { return .wait }
        return Self.next(in: &ahead, credit: &credit, frames, isUnderWay) ?? .wait
    }

    private static func next(
        in items: inout [Item], credit: inout Int, _ frames: (PageOrder) -> [ByteBuffer]?,
        _ isUnderWay: (PageOrder) -> Bool
    ) -> PageStep? {
        for index in items.indices {
            guard let frames = frames(items[index].order) else {
                if isUnderWay(items[index].order) { continue }
                return .fill(items[index].order)
            }
            let frame = frames[items[index].sentFrames]
            guard frame.readableBytes <= credit else { return .wait }
            credit -= frame.readableBytes
            items[index].sentFrames += 1
            if items[index].sentFrames == frames.count { items.remove(at: index) }
            return .write(frame)
        }
        return nil
    }

    /// A page can't be read: nobody waits for it longer.
    /// - Returns: the views whose windows show it.
    mutating func forget(_ name: PageName) -> [UInt16] {
        let streams = Set(visible.filter { $0.order.name == name }.map(\.stream))
        visible.removeAll { $0.order.name == name }
        ahead.removeAll { $0.order.name == name }
        return streams.sorted()
    }
}

enum PageStep: Equatable {
    case write(ByteBuffer)
    case fill(PageOrder)
    case wait
}
