import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct WindowTests {
    @Test func aWindowNamesItsPagesAndSections() throws {
        var conversation = try Conversation.opened()
        let window = try #require(conversation.window(at: .ordinal(15), before: 3, rows: 10).window)
        #expect(window.first == 12)
        #expect(window.anchor == 15)
        #expect(window.rows == 10)
        #expect(window.totalRows == 200)
        #expect(window.runs.map(\.title) == ["Make 0", "Make 1"])
        #expect(window.runs.map(\.count) == [20, 20])
        #expect(window.pages.first.map { $0.first <= 12 && $0.first + $0.rows >= 22 } == true)
    }

    @Test func heldPagesAreNamedAndNotSent() throws {
        var conversation = try Conversation.opened()
        let first = try #require(
            conversation.window(rows: 200, velocity: 100_000, isSettled: false).window)
        let pages = first.pages.map(\.name)
        #expect(pages.count >= 4)
        #expect(conversation.session.outbox.orderedNames(4) == Array(pages.prefix(4)))
        conversation.session.outbox.sendAll()
        let again = conversation.window(
            rows: 200, velocity: 100_000, isSettled: false,
            held: Array(pages.dropFirst(2))
        ).window
        #expect(again?.pages.map(\.name) == pages, "all are named")
        #expect(conversation.session.outbox.orderedNames(8) == Array(pages.prefix(2)))
    }

    @Test func aPageThatIsOnTheWayIsSentOnceUnlessItIsNotSentYet() throws {
        var conversation = try Conversation.opened(in: FakeLists(count: 1_000))
        let first = conversation.window(rows: 200, velocity: 100_000, isSettled: false).window
        let pages = try #require(first).pages.map(\.name)
        _ = conversation.session.outbox.next { _ in [pageFrame(bytes: 100)] }
        _ = conversation.window(rows: 200, velocity: 100_000, isSettled: false, held: pages)
        #expect(conversation.session.outbox.orderedNames(8) == Array(pages.dropFirst()))
    }
}

extension PageOutbox {
    /// The next pages that a client with credit would get, were all of them read at once.
    func orderedNames(_ most: Int) -> [PageName] {
        Array(allOrders().map(\.name).prefix(most))
    }

    mutating func sendAll() {
        clientRests()
        while case .write = next(frames: { _ in [pageFrame(bytes: 1)] }) {}
    }

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
