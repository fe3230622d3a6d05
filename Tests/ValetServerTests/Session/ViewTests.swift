import Testing
import ValetModel

@testable import ValetServer

@Suite struct ViewTests {
    @Test func openingOrdersAnArrangementAndAnswersWhenItStands() throws {
        var conversation = Conversation()
        let ordered = conversation.order(columns: ["YEAR", "modele", "year"])
        #expect(ordered.said.isEmpty)
        #expect(ordered.orders.count == 1)
        let opened = try #require(conversation.fulfil(ordered).opened)
        #expect(opened.request == 1)
        #expect(opened.epoch == 42)
        #expect(opened.revision == 5)
        #expect(opened.totalRows == 200)
        #expect(opened.totalSections == 10)
        #expect(opened.grouping == "Make")
        #expect(opened.groupingColumn == 0)
        #expect(opened.isSectioned && opened.hasIndex)
        #expect(opened.columns == [2, 1], "each once, in the order asked for")
    }

    @Test func namesThatAreNotThereAreAnsweredWithThoseThatAre() {
        var conversation = Conversation()
        let list = conversation.order(stream: 1, list: "Caravans").error
        #expect(list?.code == .unknownList)
        #expect(list?.alternatives == ["Cars", "Drivers"])
        let column = conversation.order(stream: 1, columns: ["make", "colour"]).error
        #expect(column?.code == .unknownColumn)
        #expect(column?.alternatives == ["make", "modèle", "year"])
        #expect(conversation.session.views.isEmpty, "what was refused opens nothing")
    }

    @Test func aViewThatFailsToOpenLeavesItsStreamFree() throws {
        var conversation = Conversation()
        let order = conversation.order(stream: 3).orders[0]
        let early = conversation.window(stream: 3)
        #expect(early.isEmpty, "a window waits for the view")
        let actions = conversation.fail(order, ValetError(.listUnavailable, "too large to copy"))
        #expect(actions.said == [.failed(1, .listUnavailable), .failed(2, .listUnavailable)])
        #expect(conversation.window(stream: 3).said == [.failed(3, .unknownView)])
        #expect(try conversation.open(stream: 3).said == [.opened(4)])
    }

    @Test func aNewQuerySupersedesWhatWaits() throws {
        var conversation = Conversation()
        let first = conversation.order()
        #expect(conversation.window().isEmpty)
        let second = conversation.rearrange(generation: 2, Query(grouping: "None"))
        #expect(second.abandoned == first.orders)
        #expect(second.said == [.failed(1, .superseded), .failed(2, .superseded)])
        #expect(try conversation.fulfil(second).opened?.generation == 2)
        let late = try conversation.fulfil(first)
        #expect(late.said.isEmpty, "nothing waits for the first any more")
        #expect(late.released == first.orders.map(\.specification), "but it counts as used")
    }

    @Test func requestsOfAnOlderGenerationAreSuperseded() throws {
        var conversation = try Conversation.opened()
        _ = try conversation.fulfil(conversation.rearrange(generation: 7, Query()))
        #expect(conversation.window(generation: 1).said == [.failed(3, .superseded)])
        #expect(conversation.window(generation: 1, rows: 1 << 40).said == [.failed(4, .superseded)])
        #expect(conversation.window(generation: 8).said == [.failed(5, .unexpected)])
        #expect(conversation.window(generation: 7).said == [.window(6)])
    }

    @Test func aQueryThatFailsLeavesTheViewUsable() throws {
        var conversation = try Conversation.opened()
        let failed = conversation.rearrange(generation: 2, Query(grouping: "Colour"))
        #expect(failed.said == [.failed(2, .unknownGrouping)])
        #expect(failed.released.count == 1, "what was shown is over")
        #expect(conversation.window(generation: 1).said == [.failed(3, .superseded)])
        #expect(conversation.window(generation: 2).said == [.failed(4, .unexpected)])
        let better = conversation.rearrange(generation: 3, Query(grouping: "None"))
        #expect(better.released.isEmpty, "a failed view holds nothing")
        #expect(try conversation.fulfil(better).opened?.grouping == "None")
        #expect(conversation.window(generation: 3).said == [.window(6)])
    }

    @Test func anArrangementThatFailsLeavesTheViewUsable() throws {
        var conversation = try Conversation.opened()
        let order = conversation.rearrange(generation: 2, Query(grouping: "None")).orders[0]
        let actions = conversation.fail(order)
        #expect(actions.said == [.failed(2, .storageFailed)])
        let again = conversation.rearrange(generation: 3, Query(grouping: "None"))
        #expect(try conversation.fulfil(again).opened?.generation == 3)
    }

    @Test func closingAnswersWhatWaitsFirst() {
        var conversation = Conversation()
        let ordered = conversation.order()
        _ = conversation.window()
        let closed = conversation.close()
        #expect(closed.said == [.failed(1, .superseded), .failed(2, .superseded), .other(3)])
        #expect(closed.abandoned == ordered.orders)
        #expect(closed.streams == [1, 1, 1])
    }

    @Test func anArrangementForAViewThatWasClosedIsReleased() throws {
        var conversation = Conversation()
        let ordered = conversation.order()
        _ = conversation.close()
        #expect(try conversation.fulfil(ordered).released.count == 1)
    }

    /// A stream that was closed may carry a new view at once, of the same generation, which may
    /// even ask the same.
    @Test(arguments: ["Make", "None"], [false, true])
    func theAnswerToAViewThatWasClosedIsNotTakenForTheNextOnes(
        grouping: String, fails: Bool
    ) throws {
        var conversation = Conversation()
        let first = conversation.order()
        let closed = conversation.close()
        #expect(closed.abandoned == first.orders)
        let second = conversation.order(Query(grouping: grouping))
        #expect(conversation.session.progressed(first.orders[0], thousandths: 500).isEmpty)
        if fails {
            #expect(conversation.fail(first.orders[0]).isEmpty)
        } else {
            let late = try conversation.fulfil(first)
            #expect(late.said.isEmpty)
            #expect(late.released == first.orders.map(\.specification))
        }
        #expect(try conversation.fulfil(second).said == [.opened(3)])
        #expect(conversation.close().released == second.orders.map(\.specification))
    }

    @Test func progressIsSentToThePendingQuery() throws {
        var conversation = Conversation()
        let first = conversation.order(stream: 3).orders[0]
        let told = conversation.session.progressed(first, thousandths: 420)
        #expect(told.said == [.progress(1, 420)])
        #expect(told.streams == [3])
        let second = conversation.rearrange(
            stream: 3, generation: 2, Query(grouping: "None")
        ).orders[0]
        #expect(conversation.session.progressed(first, thousandths: 500).isEmpty)
        #expect(conversation.session.progressed(second, thousandths: 1).said == [.progress(2, 1)])
    }

    @Test func progressIsNotSentAfterTheAnswer() throws {
        var conversation = Conversation()
        let ordered = conversation.order()
        let order = ordered.orders[0]
        _ = try conversation.fulfil(ordered)
        #expect(conversation.session.progressed(order, thousandths: 999).isEmpty)
        let again = conversation.rearrange(generation: 2, Query(grouping: "None")).orders[0]
        _ = conversation.fail(again)
        #expect(conversation.session.progressed(again, thousandths: 999).isEmpty)
        _ = conversation.close()
        #expect(conversation.session.progressed(again, thousandths: 999).isEmpty)
    }

    @Test func aListOutOfProjectionsGivesAllColumns() throws {
        let lists = FakeLists(count: 5)
        lists.projectionsLeft = 0
        var conversation = Conversation(lists)
        let opened = try conversation.open(columns: ["year"]).opened
        #expect(opened?.columns == [0, 1, 2])
    }
}
