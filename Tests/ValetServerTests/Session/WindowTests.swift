import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct WindowTests {
    @Test func aWindowNamesItsPagesAndSections() throws {
        var conversation = Conversation()
        try conversation.open()
        let window = try #require(conversation.window(at: .ordinal(15), before: 3, rows: 10).window)
        #expect(window.first == 12)
        #expect(window.anchor == 15)
        #expect(window.rows == 10)
        #expect(window.totalRows == 200)
        #expect(window.runs.map(\.title) == ["Make 0", "Make 1"])
        #expect(window.runs.map(\.count) == [20, 20])
        #expect(window.pages.first.map { $0.first <= 12 && $0.first + $0.rows >= 22 } == true)
    }

    @Test(arguments: [
        (Anchor.ordinal(195), 0, 10, 195..<200),
        (.end, 4, 10, 196..<200),
        (.end, 0, 10, 200..<200),
        (.ordinal(1 << 50), 0, 5, 200..<200),
        (.ordinal(3), 10, 20, 0..<13),
        (.fraction(1 << 31), 0, 1, 100..<101),
        (.path(IndexPath(section: 2, row: 1)), 0, 2, 41..<43),
        (.path(IndexPath(section: 99, row: 1)), 0, 2, 200..<200),
        (.ordinal(5), 1 << 52, 1_024, 0..<0),
    ])
    func aWindowIsCutAtTheEndsOfTheList(
        anchor: Anchor, before: Int, rows: Int, expected: Range<Int>
    ) throws {
        var conversation = Conversation()
        try conversation.open()
        let window = try #require(
            conversation.window(at: anchor, before: before, rows: rows).window)
        #expect(window.first..<window.first + window.rows == expected)
        #expect(expected.isEmpty == window.pages.isEmpty)
    }

    @Test func aRowThatIsNotInTheViewIsUnknown() throws {
        var conversation = Conversation()
        try conversation.open(Query(search: .init(text: "Model 7")))
        let found = conversation.window(at: .rowID(8)).window
        #expect(found?.totalRows == 11)
        #expect(conversation.window(at: .rowID(1)).said == [.failed(3, .unknownRow)])
        #expect(conversation.window(at: .rowID(-4)).said == [.failed(4, .unknownRow)])
        #expect(conversation.window().said == [.window(5)], "the view goes on")
    }

    @Test func aWindowWaitsForItsViewAndTheNewestWins() throws {
        var conversation = Conversation()
        let ordered = conversation.order()
        #expect(conversation.window(at: .ordinal(0)).isEmpty)
        #expect(conversation.window(at: .ordinal(50)).said == [.failed(2, .superseded)])
        let answers = try conversation.fulfil(ordered)
        #expect(answers.said == [.opened(1), .window(3)])
        #expect(answers.window?.first == 50)
    }

    @Test func heldPagesAreNamedAndNotSent() throws {
        var conversation = Conversation()
        try conversation.open()
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
        var conversation = Conversation(FakeLists(count: 1_000))
        try conversation.open()
        let first = conversation.window(rows: 200, velocity: 100_000, isSettled: false).window
        let pages = try #require(first).pages.map(\.name)
        _ = conversation.session.outbox.next { _ in [pageFrame(bytes: 100)] }
        _ = conversation.window(
            rows: 200, velocity: 100_000, isSettled: false, held: pages)
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
