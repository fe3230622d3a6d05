import Testing
import ValetModel

@testable import ValetServer

/// What is sent ahead of scrolling: 2,000 rows in leaves of some 63, a window in the middle.
@Suite struct PrefetchTests {
    private var conversation = Conversation(FakeLists(count: 2_000))
    private let rows = 20

    init() throws {
        try conversation.open()
    }

    /// First rows of the pages that go ahead of a window, nearest first.
    private func ahead(
        at ordinal: Int = 1_000, velocity: Int, roundTrip: UInt32, isSettled: Bool = false
    ) -> [Int] {
        var copy = conversation
        let answer = copy.window(
            at: .ordinal(ordinal), rows: rows, velocity: velocity, roundTrip: roundTrip,
            isSettled: isSettled
        ).window
        let visible = Set(answer?.pages.map(\.name) ?? [])
        return copy.session.outbox.allOrders().filter { !visible.contains($0.name) }.map(first)
    }

    /// The ordinal of a page's first row.
    private func first(_ order: PageOrder) -> Int {
        let snapshot = conversation.lists.snapshot
        let rows = snapshot.arrangements.keys.first.flatMap(snapshot.rows(of:))
        return order.rowIDs.first.flatMap { rows?.locate($0) }?.ordinal ?? -1
    }

    @Test func atRestTheNeighboursComeAlong() {
        let pages = ahead(velocity: 0, roundTrip: 50_000, isSettled: true)
        #expect(pages.count == 2)
        #expect(pages.first.map { $0 > 1_000 } == true, "down before up")
        #expect(pages.last.map { $0 < 1_000 } == true)
        #expect(ahead(at: 0, velocity: 0, roundTrip: 0).count == 1, "nothing above the first")
        #expect(ahead(at: 1_990, velocity: 0, roundTrip: 0).count == 1)
    }

    @Test func pagesGoTowardsWhereThePersonScrolls() {
        let down = ahead(velocity: 300, roundTrip: 400_000)
        #expect(down.allSatisfy { $0 > 1_000 } && down == down.sorted() && !down.isEmpty)
        let up = ahead(velocity: -300, roundTrip: 400_000)
        #expect(up.allSatisfy { $0 < 1_000 } && up == up.sorted(by: >) && !up.isEmpty)
        #expect(ahead(at: 1_990, velocity: 300, roundTrip: 400_000).isEmpty, "there is no more")
        #expect(ahead(at: 0, velocity: -300, roundTrip: 400_000).isEmpty)
    }

    @Test(arguments: [1, -1]) func asManyAsPassInTwoRoundTrips(direction: Int) {
        func count(_ velocity: Int, _ roundTrip: UInt32) -> Int {
            ahead(velocity: velocity * direction, roundTrip: roundTrip).count
        }
        #expect(count(300, 0) == 1, "a client that does not know gets the next")
        #expect(count(30, 1_000) == 1)
        #expect(count(300, 50_000) == 1, "30 rows")
        #expect((2...4).contains(count(300, 250_000)), "150 rows")
        #expect((4...6).contains(count(300, 500_000)), "300 rows")
        #expect(count(400, 1_000_000) > count(200, 1_000_000))
    }

    @Test(arguments: [0, 1, -1]) func aJumpBringsNothingAheadBeforeARest(velocity: Int) {
        var conversation = conversation
        _ = conversation.window(at: .ordinal(1_000), rows: rows, velocity: velocity)
        #expect(conversation.session.outbox.aheadWaits == (velocity == 0))
    }

    @Test func thereIsAnEndToIt() {
        #expect(ahead(velocity: 400, roundTrip: .max).count == Limits.aheadPages - 1, "the list's")
        for velocity in [Int(Int32.max), Int(Int32.min)] {
            #expect(ahead(velocity: velocity, roundTrip: .max).isEmpty)
            let settled = ahead(velocity: velocity, roundTrip: .max, isSettled: true)
            #expect(settled.count <= Limits.aheadPages)
        }
    }

    @Test func aFlingAsksOnlyForWhereItStops() {
        #expect(!ahead(velocity: 400, roundTrip: 50_000).isEmpty)
        #expect(ahead(velocity: 401, roundTrip: 50_000).isEmpty)
        #expect(ahead(velocity: -401, roundTrip: 50_000).isEmpty)
        #expect(!ahead(velocity: 401, roundTrip: 50_000, isSettled: true).isEmpty)
    }

    @Test func aTurnDropsWhatNoLongerMatters() throws {
        var conversation = conversation
        _ = conversation.window(
            at: .ordinal(1_000), rows: rows, velocity: 400, roundTrip: 500_000, isSettled: false)
        let down = conversation.session.outbox.allOrders()
        #expect(down.count > 3)
        let shown = try #require(down.first)
        // The visible page is sent; the person turns before those ahead are.
        _ = conversation.session.outbox.next { _ in [pageFrame(bytes: 1_000)] }
        let credit = conversation.session.outbox.credit
        _ = conversation.window(
            at: .ordinal(980), rows: rows, velocity: -400, roundTrip: 500_000, isSettled: false,
            held: [shown.name])
        let up = conversation.session.outbox.allOrders()
        #expect(up.allSatisfy { first($0) < 1_000 } && !up.isEmpty)
        #expect(conversation.session.outbox.credit == credit, "it cost nothing")
        #expect(Set(up.map(\.name)).isDisjoint(with: down.dropFirst().map(\.name)))
    }

    @Test func closingAViewDropsWhatWasAhead() {
        var conversation = conversation
        _ = conversation.window(at: .ordinal(1_000), rows: rows)
        #expect(conversation.session.outbox.allOrders().count > 1)
        _ = conversation.close()
        #expect(conversation.session.outbox.allOrders().isEmpty)
    }

    @Test func pagesThatAreHeldAreNotSentAhead() {
        var conversation = conversation
        _ = conversation.window(at: .ordinal(1_000), rows: rows)
        let all = conversation.session.outbox.allOrders().map(\.name)
        conversation.session.outbox.sendAll()
        _ = conversation.window(at: .ordinal(1_000), rows: rows, held: all)
        #expect(conversation.session.outbox.allOrders().isEmpty)
    }
}
