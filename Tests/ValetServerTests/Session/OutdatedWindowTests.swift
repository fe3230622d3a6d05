import NIOCore
import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Windows whose pages can't be read any more, since the file has changed.
@Suite struct OutdatedWindowTests {
    /// A view that shows a window, with all of its pages still to be read.
    private func showing() throws -> (Conversation, [PageOrder]) {
        var conversation = try Conversation.opened()
        _ = conversation.window(at: .ordinal(0), rows: 10)
        var orders: [PageOrder] = []
        while case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) {
            orders.append(order)
        }
        return (conversation, orders)
    }

    /// None of the pages that are still to be read can be had.
    private func loseAll(_ conversation: inout Conversation, _ orders: [PageOrder]) {
        for order in orders { conversation.session.pageOutdated(order) }
        while case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) {
            conversation.session.pageOutdated(order)
        }
        conversation.lists.time = conversation.lists.time + .seconds(1)
    }

    @Test func theWindowIsAnsweredAgainWhenTheRowsAreKnown() throws {
        var (conversation, orders) = try showing()
        #expect(conversation.session.watchingWindows == 0)
        loseAll(&conversation, orders)
        #expect(conversation.session.watchingWindows == 1)
        #expect(conversation.look() == [], "nothing newer yet")

        try conversation.lists.change(to: FakeLists(count: 300))
        let again = conversation.look()
        #expect(again.said == [.window(2)], "under the number of its request")
        #expect(again.window?.revision == 6 && again.window?.totalRows == 300)
        #expect(conversation.session.watchingWindows == 0)
        // None of the pages of before is sent, and every name is another.
        guard case .fill(let next) = conversation.session.outbox.next(frames: { _ in nil }) else {
            throw Unexpected("no page is ordered")
        }
        #expect(next.revision == 6 && !orders.map(\.name).contains(next.name))
        try conversation.lists.change(to: FakeLists(count: 200))
        #expect(conversation.look() == [], "once: it does not stand")
    }

    @Test func aNewerWindowOrQueryEndsTheWait() throws {
        for isRearranged in [false, true] {
            var (conversation, orders) = try showing()
            loseAll(&conversation, orders)
            if isRearranged {
                _ = conversation.rearrange(generation: 2, Query(grouping: "None"))
            } else {
                _ = conversation.window(at: .ordinal(100), rows: 10)
            }
            #expect(conversation.session.watchingWindows == 0)
            try conversation.lists.change(to: FakeLists(count: 300))
            #expect(conversation.look() == [])
        }
    }

    @Test func aRowThatIsGoneKeepsItsPlace() throws {
        var conversation = try Conversation.opened(Query(grouping: "None"))
        _ = conversation.window(at: .rowID(200), rows: 10)
        loseAll(&conversation, [])
        try conversation.lists.change(to: FakeLists(count: 5))
        let again = try #require(conversation.look().window)
        #expect(again.anchor == 5 && again.anchorRow == 0)
    }

    @Test func aListThatCanNotBeReadInAnewIsAnErrorOfTheView() throws {
        var (conversation, orders) = try showing()
        loseAll(&conversation, orders)
        #expect(conversation.session.rowsFailed(1, .locked) == [], "another list")
        #expect(conversation.session.rowsFailed(0, .locked).said == [.failed(0, .storageFailed)])
        #expect(conversation.session.watchingWindows == 0)
    }

    /// Else ten megabytes would live on for every client that sleeps.
    @Test func noSnapshotIsRetainedBetweenTurns() throws {
        let (conversation, orders) = try showing()
        #expect(!orders.isEmpty)
        weak let column: Column? = conversation.lists.snapshot.cache.columns[0]
        #expect(column != nil)
        try conversation.lists.change(to: FakeLists(count: 300))
        #expect(column == nil)
        withExtendedLifetime((conversation, orders)) {}
    }
}

@Suite struct WindowTests {
    @Test func heldPagesAreNamedAndNotSent() throws {
        var conversation = try Conversation.opened()
        let first = try #require(
            conversation.window(rows: 200, velocity: 100_000, isSettled: false).window)
        let pages = first.pages.map(\.name)
        #expect(pages.count >= 4)
        let ordered = conversation.session.outbox.allOrders().map(\.name)
        #expect(ordered.prefix(4) == pages.prefix(4))
        conversation.session.outbox.sendAll()
        let again = conversation.window(
            rows: 200, velocity: 100_000, isSettled: false, held: Array(pages.dropFirst(2))
        ).window
        #expect(again?.pages.map(\.name) == pages, "all are named")
        #expect(conversation.session.outbox.allOrders().map(\.name) == Array(pages.prefix(2)))
    }
}

extension PageOutbox {
    mutating func sendAll() {
        clientRests()
        while case .write = next(frames: { _ in [pageFrame(bytes: 1)] }) {}
    }

    /// The pages that a client with credit would get, were all of them read at once.
    func allOrders() -> [PageOrder] {
        var copy = self
        copy.addCredit(Limits.creditBytes)
        copy.clientRests()
        var orders: [PageOrder] = []
        var last: PageOrder?
        let frame = [pageFrame(bytes: 1)]
        while case .write = copy.next(frames: {
            last = $0
            return frame
        }) {
            if let last { orders.append(last) }
        }
        return orders
    }
}
