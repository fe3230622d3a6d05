import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

func pageFrame(bytes count: Int, filledWith byte: UInt8 = 0) -> ByteBuffer {
    ByteBuffer(repeating: byte, count: count)
}

@Suite struct PageOutboxTests {
    /// Orders of eight neighbouring pages.
    private let orders: [PageOrder]

    init() throws {
        let lists = FakeLists(count: 8 * 64)
        let query = try ResolvedQuery(Query(), in: ListHandle(number: 0, FakeLists.cars))
        try lists.arrange(query.specification)
        let rows = try #require(lists.snapshot.rows(of: query.specification))
        orders = rows.pageOrders(columns: [0])
    }

    /// The names that are sent when every page is cached, in order.
    private func sent(_ outbox: inout PageOutbox, bytes: Int = 100, most: Int = .max) -> [Int] {
        var names: [Int] = []
        var last = PageName(rawValue: 0)
        while names.count < most {
            let step = outbox.next { order in
                last = order.name
                return [pageFrame(bytes: bytes)]
            }
            guard case .write = step else { break }
            names.append(orders.firstIndex { $0.name == last } ?? -1)
        }
        return names
    }

    @Test func visiblePagesGoBeforeThoseAhead() {
        var outbox = PageOutbox(credit: 10_000, visible: Array(orders[0...1]), ahead: [orders[4]])
        outbox.replace(stream: 2, visible: Array(orders[2...3]), ahead: [orders[5]])
        #expect(sent(&outbox) == [0, 1, 2, 3, 4, 5])
        #expect(outbox.isEmpty)
    }

    @Test func pagesAheadWaitUntilTheClientRests() {
        var outbox = PageOutbox(credit: 10_000)
        outbox.replace(stream: 1, visible: [orders[0]], ahead: [orders[4]], aheadWaits: true)
        #expect(sent(&outbox) == [0])
        outbox.clientRests()
        #expect(sent(&outbox) == [4])
        outbox.replace(stream: 1, visible: [orders[1]], ahead: [orders[5]], aheadWaits: true)
        outbox.replace(stream: 2, visible: [orders[2]], ahead: [orders[6]])
        #expect(sent(&outbox) == [1, 2, 5, 6], "who scrolls does not rest")
    }

    @Test func creditIsCountedToTheByte() {
        var outbox = PageOutbox(credit: 199, visible: Array(orders[0...2]))
        #expect(sent(&outbox) == [0])
        #expect(outbox.credit == 99)
        #expect(sent(&outbox).isEmpty, "one byte is missing")
        outbox.addCredit(1)
        #expect(sent(&outbox) == [1])
        #expect(outbox.credit == 0)
        outbox.addCredit(Limits.creditBytes)
        outbox.addCredit(Limits.creditBytes)
        #expect(outbox.credit == Limits.creditBytes, "more is lost")
    }

    @Test func pagesAheadLeaveHalfOfTheCredit() {
        var outbox = PageOutbox(credit: 400, visible: [orders[0]], ahead: Array(orders[1...4]))
        #expect(sent(&outbox) == [0, 1], "then 100 more would be under 200")
        #expect(outbox.credit == 200)
        #expect(outbox.isEmpty, "nothing waits for the others")
        outbox.replace(stream: 2, visible: Array(orders[5...6]), ahead: [])
        #expect(sent(&outbox) == [5, 6])
        outbox.addCredit(350)
        #expect(sent(&outbox) == [2])
    }

    @Test func withoutCreditNothingIsRead() {
        var outbox = PageOutbox(credit: 0, visible: orders)
        #expect(outbox.next { _ in nil } == .wait)
    }

    @Test func aSmallerPageDoesNotOvertakeOneThatWaitsForCredit() {
        var outbox = PageOutbox(credit: 50, visible: Array(orders[0...1]))
        let first = orders[0].name
        let step = outbox.next { [pageFrame(bytes: $0.name == first ? 60 : 10)] }
        #expect(step == .wait)
    }

    @Test func aWindowsPagesKeepTheirOrderWhileOneIsRead() {
        var outbox = PageOutbox(credit: 10_000, visible: Array(orders[0...1]))
        outbox.replace(stream: 2, visible: [orders[2]], ahead: [])
        let missing = orders[0].name
        let atHand = { (order: PageOrder) in order.name == missing ? nil : [pageFrame(bytes: 10)] }
        #expect(outbox.next(frames: atHand) == .fill(orders[0]))
        #expect(outbox.next(frames: atHand) == .write(pageFrame(bytes: 10)), "another view's")
        #expect(outbox.next(frames: atHand) == .wait)
        outbox.filled(missing)
        #expect(sent(&outbox) == [0, 1])
    }

    @Test func aNewWindowDropsWhatItNoLongerNeeds() {
        var outbox = PageOutbox(credit: 10_000, visible: Array(orders[0...3]), ahead: [orders[4]])
        #expect(sent(&outbox, most: 1) == [0])
        outbox.replace(stream: 1, visible: Array(orders[2...3]), ahead: [])
        #expect(sent(&outbox) == [2, 3])
    }

    @Test func aPageThatTwoViewsShowIsSentOnceAndKeptWhileOneNeedsIt() {
        var outbox = PageOutbox(credit: 10_000, visible: Array(orders[0...1]))
        outbox.replace(stream: 2, visible: Array(orders[1...2]), ahead: [orders[0]])
        outbox.drop(stream: 1)
        #expect(sent(&outbox) == [1, 2])
        outbox.replace(stream: 1, visible: Array(orders[0...1]), ahead: [])
        outbox.replace(stream: 2, visible: Array(orders[0...1]), ahead: [])
        #expect(sent(&outbox) == [0, 1])
    }

    @Test func aPageAheadThatBecomesVisibleIsSentOnce() {
        var outbox = PageOutbox(
            credit: 10_000, visible: [orders[0]], ahead: [orders[1], orders[2]])
        outbox.replace(stream: 2, visible: [orders[1]], ahead: [])
        #expect(sent(&outbox) == [0, 1, 2])
    }

    /// Frames of ten bytes, each filled with its number.
    private func parts(_ count: Int) -> [ByteBuffer] {
        (0..<count).map { pageFrame(bytes: 10, filledWith: UInt8($0)) }
    }

    private func givingUp(_ order: PageOrder) -> PageStep {
        .write(PageFrame.givingUp(order.name))
    }

    @Test func aPageInPartsIsFinishedOfOneReading() {
        var outbox = PageOutbox(credit: 25, visible: Array(orders[0...1]))
        let parts = parts(4)
        let other = [pageFrame(bytes: 10, filledWith: 9)]
        let first = orders[0].name
        #expect(outbox.next { _ in parts } == .write(parts[0]))
        #expect(outbox.next { _ in parts } == .write(parts[1]))
        #expect(outbox.next { _ in parts } == .wait)
        // The cache has lost the page, or has a shorter one.
        outbox.addCredit(100)
        #expect(outbox.next { $0.name == first ? nil : other } == .write(parts[2]))
        #expect(outbox.next { _ in other } == .write(parts[3]))
        #expect(outbox.next { _ in other } == .write(other[0]))
        #expect(outbox.isEmpty)
    }

    @Test func theRestOfAPageDoesNotDelayANewerWindow() {
        var outbox = PageOutbox(credit: 10, visible: [orders[0]])
        let parts = parts(40)
        #expect(outbox.next { _ in parts } == .write(parts[0]))
        outbox.replace(stream: 1, visible: [orders[1]], ahead: [])
        #expect(outbox.next { _ in parts } == .wait)
        outbox.addCredit(1_000)
        #expect(outbox.next { _ in parts } == givingUp(orders[0]), "and nothing more of it")
        let other = pageFrame(bytes: 10, filledWith: 99)
        #expect(outbox.next { _ in [other] } == .write(other))
        #expect(outbox.next { _ in parts } == .wait)
        #expect(outbox.isEmpty)
        // Wanted again, it begins anew.
        outbox.replace(stream: 1, visible: [orders[0]], ahead: [])
        #expect(outbox.next { _ in parts } == .write(parts[0]))
    }

    @Test func aBegunPageThatANewerWindowShowsTooGoesOnInItsPlace() {
        var outbox = PageOutbox(credit: 1_000, visible: Array(orders[1...2]))
        let parts = parts(2)
        #expect(outbox.next { _ in parts } == .write(parts[0]))
        outbox.replace(stream: 1, visible: Array(orders[0...1]), ahead: [])
        let other = pageFrame(bytes: 10, filledWith: 9)
        #expect(outbox.next { _ in [other] } == .write(other))
        #expect(outbox.next { _ in nil } == .write(parts[1]))
        #expect(outbox.isEmpty)
    }

    @Test func aBegunPageThatAnotherViewShowsGoesOn() {
        var outbox = PageOutbox(credit: 1_000, visible: [orders[0]])
        outbox.replace(stream: 2, visible: [orders[0]], ahead: [])
        let parts = parts(2)
        #expect(outbox.next { _ in parts } == .write(parts[0]))
        outbox.drop(stream: 1)
        #expect(outbox.next { _ in nil } == .write(parts[1]))
    }

    /// Scrolling up a row at a time, each window puts another page before those that were begun.
    @Test func fewPagesAreBegunAtOnce() {
        var outbox = PageOutbox(credit: 1_000)
        let parts = parts(3)
        for first in orders.indices.reversed().prefix(Limits.pagesBegun) {
            outbox.replace(stream: 1, visible: Array(orders[first...]), ahead: [])
            #expect(outbox.next { _ in parts } == .write(parts[0]))
        }
        let next = orders.count - Limits.pagesBegun - 1
        outbox.replace(stream: 1, visible: Array(orders[next...]), ahead: [])
        #expect(outbox.next { _ in parts } == givingUp(orders[orders.count - 1]), "the oldest")
        var sent: [PageStep] = []
        while case .write(let frame) = outbox.next(frames: { _ in parts }) {
            sent.append(.write(frame))
        }
        let whole = parts.map { PageStep.write($0) }
        let begun = (1..<Limits.pagesBegun).flatMap { _ in whole.dropFirst() }
        #expect(sent == whole + begun + whole, "the oldest begins anew")
        #expect(outbox.isEmpty)
    }

    @Test func aPageAheadThatWasBegunGoesOnAsVisible() {
        var outbox = PageOutbox(credit: 20, visible: [], ahead: [orders[0]])
        let parts = parts(2)
        #expect(outbox.next { _ in parts } == .write(parts[0]))
        outbox.replace(stream: 1, visible: [orders[1]], ahead: [orders[0]])
        outbox.addCredit(100)
        let visible = pageFrame(bytes: 10, filledWith: 9)
        #expect(outbox.next { _ in [visible] } == .write(visible), "visible ones first")
        outbox.replace(stream: 1, visible: [orders[0]], ahead: [])
        #expect(outbox.next { _ in nil } == .write(parts[1]), "now it is visible")
        #expect(outbox.isEmpty)
    }

    @Test func aPageThatCantBeReadIsForgottenByAllWhoShowIt() {
        var outbox = PageOutbox(credit: 10_000, stream: 4, visible: Array(orders[0...1]))
        outbox.replace(stream: 2, visible: [orders[0]], ahead: [])
        outbox.replace(stream: 7, visible: [orders[2]], ahead: [orders[0]])
        #expect(outbox.next { _ in nil } == .fill(orders[0]))
        outbox.filled(orders[0].name)
        #expect(outbox.forget(orders[0].name) == [2, 4])
        #expect(outbox.forget(orders[0].name).isEmpty)
        #expect(sent(&outbox) == [1, 2])
    }

    @Test func readsOfPagesThatAreNoLongerWantedCountTowardsTheLimit() {
        var outbox = PageOutbox(credit: 10_000, visible: orders)
        var reading: [PageOrder] = []
        while case .fill(let order) = outbox.next(frames: { _ in nil }) { reading.append(order) }
        #expect(reading.map(\.name) == orders.prefix(Limits.pagesReadAtOnce).map(\.name))
        outbox.replace(stream: 1, visible: [orders[0]], ahead: [])
        outbox.filled(orders[1].name)
        #expect(outbox.next { _ in nil } == .wait, "it is being read already")
        outbox.filled(orders[0].name)
        #expect(outbox.next { _ in nil } == .fill(orders[0]), "it was dropped meanwhile")
    }
}

extension PageOutbox {
    /// With what one window needs.
    fileprivate init(
        credit: Int, stream: UInt16 = 1, visible: [PageOrder], ahead: [PageOrder] = []
    ) {
        self.init(credit: credit)
        replace(stream: stream, visible: visible, ahead: ahead)
    }
}
