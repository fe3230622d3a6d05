import NIOCore
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Windows whose pages can't be read any more, since the file has changed.
@Suite struct OutdatedWindowTests {
    /// A view that shows a window, with all of its pages still to be read.
    private func showing() throws -> (Conversation, [PageOrder]) {
        var conversation = Conversation()
        try conversation.open()
        _ = conversation.window(at: .ordinal(0), rows: 10)
        var orders: [PageOrder] = []
        while case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) {
            orders.append(order)
        }
        return (conversation, orders)
    }

    @Test func theWindowIsAnsweredAgainWhenTheRowsAreKnown() throws {
        var (conversation, orders) = try showing()
        let first = try #require(orders.first)
        #expect(conversation.session.pageOutdated(first, conversation.lists) == [])
        #expect(conversation.session.hasOutdatedWindow)
        #expect(conversation.session.rowsChanged(conversation.lists) == [], "nothing newer yet")

        try conversation.lists.change(to: FakeLists(count: 300))
        let again = conversation.session.rowsChanged(conversation.lists)
        #expect(again.said == [.window(2)], "under the number of its request")
        #expect(again.window?.revision == 6 && again.window?.totalRows == 300)
        #expect(!conversation.session.hasOutdatedWindow)
        // None of the pages of before is sent, and every name is another.
        guard case .fill(let next) = conversation.session.outbox.next(frames: { _ in nil }) else {
            Issue.record("no page is ordered")
            return
        }
        #expect(next.revision == 6 && !orders.map(\.name).contains(next.name))
    }

    @Test func rowsThatAreKnownAlreadyAreTakenAtOnce() throws {
        var (conversation, orders) = try showing()
        try conversation.lists.change(to: FakeLists(count: 300))
        let again = conversation.session.pageOutdated(
            try #require(orders.first), conversation.lists)
        #expect(again.said == [.window(2)])
        #expect(conversation.session.rowsChanged(conversation.lists) == [], "once")
    }

    @Test func aNewerWindowOrQuestionEndsTheWait() throws {
        for isRearranged in [false, true] {
            var (conversation, orders) = try showing()
            _ = conversation.session.pageOutdated(
                try #require(orders.first), conversation.lists)
            if isRearranged {
                _ = conversation.rearrange(generation: 2, Question(grouping: "None"))
            } else {
                _ = conversation.window(at: .ordinal(100), rows: 10)
            }
            #expect(!conversation.session.hasOutdatedWindow)
            try conversation.lists.change(to: FakeLists(count: 300))
            #expect(conversation.session.rowsChanged(conversation.lists) == [])
        }
    }

    /// Its first row is gone, and the request was answered long ago.
    @Test func whatCanNotBeAnsweredAgainIsAnErrorOfTheView() throws {
        var conversation = Conversation()
        try conversation.open()
        _ = conversation.window(at: .rowID(200), rows: 10)
        guard case .fill(let order) = conversation.session.outbox.next(frames: { _ in nil }) else {
            Issue.record("no page is ordered")
            return
        }
        _ = conversation.session.pageOutdated(order, conversation.lists)
        try conversation.lists.change(to: FakeLists(count: 5))
        let again = conversation.session.rowsChanged(conversation.lists)
        #expect(again.said == [.failed(0, .unknownRow)])
        #expect(again.streams == [1])
    }

    @Test func aListThatCanNotBeReadInAnewIsAnErrorOfTheView() throws {
        var (conversation, orders) = try showing()
        _ = conversation.session.pageOutdated(try #require(orders.first), conversation.lists)
        let error = ValetError(.storageFailed, "locked")
        #expect(conversation.session.rowsFailed(1, error) == [], "another list")
        #expect(conversation.session.rowsFailed(0, error).said == [.failed(0, .storageFailed)])
        #expect(!conversation.session.hasOutdatedWindow)
    }

    /// Else ten megabytes would live on for every client that sleeps.
    @Test func betweenTurnsNobodyHoldsASnapshot() throws {
        let (conversation, orders) = try showing()
        #expect(!orders.isEmpty)
        weak let column: Column? = conversation.lists.snapshot.cache.columns[0]
        #expect(column != nil)
        try conversation.lists.change(to: FakeLists(count: 300))
        #expect(column == nil)
        withExtendedLifetime((conversation, orders)) {}
    }
}
