import NIOCore
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Windows that stand: when they are answered again, and what is sent.
@Suite struct StandingWindowTests {
    /// Shows ten rows, all of whose pages were sent, a second ago.
    private func standing(
        at anchor: Anchor = .ordinal(0), rows: Int = 10, perSecond: UInt32 = 30,
        credit: Int = 1 << 20
    ) throws -> Conversation {
        var conversation = try Conversation.opened(credit: credit, Query(grouping: "None"))
        _ = conversation.window(at: anchor, rows: rows, perSecond: perSecond)
        conversation.rest()
        return conversation
    }

    private func rename(_ id: Int64) -> RowChange {
        .update(rowID: id, cells: [1: .text("renamed")])
    }

    @Test func achangedRowIsAnsweredWithItsPageAlone() throws {
        var conversation = try standing(rows: 150)
        try conversation.lists.commit([rename(3)])
        let again = conversation.look()
        #expect(again.said == [.window(2)])
        let pages = try #require(again.window?.pages.map(\.name))
        #expect(conversation.sendPages() == [pages[0]], "the others are held")
        conversation.wait(.seconds(1))
        try conversation.lists.commit([rename(140)])
        _ = conversation.look()
        #expect(conversation.sendPages().count == 1)
    }

    @Test func aWindowOfAListThatCanNotBeReadAnewIsToldSoOnceAndStandsOn() throws {
        var conversation = try standing()
        #expect(conversation.session.rowsFailed(1, .locked) == [], "another list")
        for _ in 0..<2 {
            #expect(
                conversation.session.rowsFailed(0, .locked).said == [.failed(0, .storageFailed)])
            #expect(conversation.session.rowsFailed(0, .locked) == [], "it knows")
            try conversation.lists.commit([rename(199)])
            #expect(conversation.look().said == [.window(2)], "the trouble is over")
            conversation.rest()
        }
    }

    /// Its rows are those of its revision, whatever can't be read of later ones.
    @Test func aPinnedWindowIsNotToldOfATrouble() throws {
        var conversation = try standing()
        let view = try #require(conversation.session.views[1])
        conversation.session.views[1] = View(
            handle: view.handle, projection: view.projection, isPinned: true,
            generation: view.generation, query: view.query, clock: view.clock,
            state: view.state, answered: view.answered)
        #expect(conversation.session.rowsFailed(0, .locked) == [])
    }

    @Test func aWindowWhoseOrderCanNotBeMadeAgainIsToldSoOnceAndStandsOn() throws {
        var conversation = try standing()
        let before = conversation.lists.snapshot
        for revision in (before.revision + 1)...(before.revision + 2) {
            conversation.lists.snapshot = Snapshot(
                revision: revision, cache: before.cache, numbers: LeafNumbers())
            let isFirst = revision == before.revision + 1
            #expect(conversation.look().said == (isFirst ? [.failed(0, .listUnavailable)] : []))
        }
        try conversation.lists.commit([])
        for specification in before.arrangements.keys {
            try conversation.lists.arrange(specification)
        }
        #expect(conversation.look().said == [.window(2)])
    }

    @Test func aChangeThatIsNotShownIsNoAnswer() throws {
        var conversation = try standing()
        try conversation.lists.commit([rename(199)])
        #expect(conversation.look() == [])
        #expect(!conversation.session.hasPendingWindow)
        conversation.wait(.seconds(1))
        try conversation.lists.commit([.delete(rowID: 199)])
        #expect(conversation.look().window?.totalRows == 199, "numbers are shown")
    }

    @Test func anAnswerComesAtOnceAndThenAsOftenAsAsked() throws {
        var conversation = try standing(perSecond: 10)
        try conversation.lists.commit([rename(1)])
        #expect(conversation.look().said == [.window(2)])
        _ = conversation.sendPages()
        for _ in 0..<9 {
            conversation.wait(.milliseconds(10))
            try conversation.lists.commit([rename(2)])
            let looks = conversation.session.lookAtWindows(conversation.lists)
            #expect(looks.actions == [] && looks.next != nil)
        }
        #expect(conversation.session.hasPendingWindow)
        conversation.wait(.milliseconds(10))
        let last = conversation.look()
        #expect(last.window?.revision == conversation.lists.snapshot.revision)
    }

    @Test(arguments: [1_000, UInt32.max])
    func anAnswerComesAtMostEveryMillisecond(_ perSecond: UInt32) throws {
        var conversation = try standing(perSecond: perSecond)
        var answers = 0
        for id in 1...10 as ClosedRange<Int64> {
            try conversation.lists.commit([rename(id)])
            answers += conversation.look().count
            _ = conversation.sendPages()
            conversation.wait(.microseconds(500))
        }
        #expect(answers == 5)
    }

    @Test func numbersAloneAreToldTenTimesASecond() throws {
        var conversation = try standing()
        var answers = 0
        for id in 101...200 as ClosedRange<Int64> {
            try conversation.lists.commit([.delete(rowID: id)])
            answers += conversation.look().count
            conversation.wait(.milliseconds(10))
        }
        #expect((9...11).contains(answers))
        conversation.wait(.seconds(1))
        #expect(conversation.look().window?.totalRows == 100, "the last state comes")
        #expect(conversation.look() == [])
    }

    @Test func anUrgentLookIsNotThrottled() throws {
        var conversation = try standing(perSecond: 1)
        for id in 1...3 as ClosedRange<Int64> {
            try conversation.lists.commit([rename(id)])
            let actions = conversation.session.windowsAltered(conversation.lists)
            #expect(actions.said == [.window(2)] && !conversation.session.hasPendingWindow)
            _ = conversation.sendPages()
        }
        conversation.session.outbox = PageOutbox(credit: 10)
        try conversation.lists.commit([rename(4)])
        #expect(conversation.session.windowsAltered(conversation.lists) == [], "no credit")
        #expect(conversation.session.hasPendingWindow)
    }

    @Test(arguments: [false, true])
    func theNextAnswerWaitsForThePagesOfTheLast(hasTrouble: Bool) throws {
        var conversation = try standing()
        try conversation.lists.commit([rename(1)])
        _ = conversation.look()
        conversation.wait(.seconds(1))
        try conversation.lists.commit([rename(2)])
        #expect(conversation.look() == [])
        if hasTrouble {
            // What comes after that commit can't be read.
            #expect(
                conversation.session.rowsFailed(0, .locked).said == [.failed(0, .storageFailed)])
        }
        #expect(conversation.session.hasPendingWindow)
        #expect(conversation.sendPages().count == 1)
        #expect(conversation.look().window?.revision == conversation.lists.snapshot.revision)
    }

    @Test func aNewerRequestEndsItAlsoIfThatFails() throws {
        for isRight in [true, false] {
            var conversation = try standing()
            let newer = conversation.window(at: .rowID(isRight ? 5 : 999))
            #expect(newer.said == (isRight ? [.window(3)] : [.failed(3, .unknownRow)]))
            _ = conversation.sendPages()
            try conversation.lists.commit([rename(1), rename(6)])
            conversation.wait(.seconds(1))
            #expect(conversation.look() == [])
        }
    }

    @Test func theAnchorsRowHoldsItsLineWhenRowsComeAbove() throws {
        let rows = (51...58).map { AnchorRow(id: $0, line: Int($0) - 51) }
        var conversation = try standing(at: .rows(rows, otherwise: .ordinal(50)))
        try conversation.lists.commit((1...20).map { .delete(rowID: $0) })
        let again = try #require(conversation.look().window)
        #expect(again.anchor == 30 && again.anchorRow == 1)
        conversation.rest()
        try conversation.lists.commit([.delete(rowID: 51)])
        let next = try #require(conversation.look().window)
        #expect(next.anchor == 30 - 1 && next.anchorRow == 2, "row 52 stays on line 1")
    }

    /// Else ten megabytes would live on for every client that sleeps.
    @Test func aStandingWindowHoldsNoSnapshot() throws {
        let conversation = try standing()
        weak let column: Column? = conversation.lists.snapshot.cache.columns[0]
        #expect(column != nil)
        try conversation.lists.change(to: FakeLists(count: 300))
        #expect(column == nil)
        withExtendedLifetime(conversation) {}
    }
}

extension Conversation {
    fileprivate mutating func wait(_ time: TimeAmount) {
        lists.time = lists.time + time
    }

    /// Sends all pages that are ordered, and lets a second pass.
    fileprivate mutating func rest() {
        _ = sendPages()
        wait(.seconds(1))
    }

    /// Sends all pages that are ordered.
    /// - Returns: their names.
    fileprivate mutating func sendPages() -> [PageName] {
        var sent: [PageName] = []
        var read: Set<PageName> = []
        while true {
            switch session.outbox.next(frames: {
                read.contains($0.name) ? [ByteBuffer(string: "page")] : nil
            }) {
            case .write: sent.append(PageName(rawValue: 0))
            case .fill(let order):
                read.insert(order.name)
                session.outbox.filled(order.name)
                sent.append(order.name)
            case .wait: return sent.filter { $0.rawValue > 0 }
            }
        }
    }
}
