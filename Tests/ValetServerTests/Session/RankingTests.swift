import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Sections by rows: what a session asks other threads for, and what it makes of their answers.
@Suite struct RankingTests {
    static func request(
        _ request: UInt32, from rank: Int = 0, generation: UInt32 = 1, most: Int = 9
    ) -> ClientMessage {
        .sectionsRequest(
            SectionsRequest(
                request: request, generation: generation, start: .ordinal(rank),
                mostSections: most, order: .byRows))
    }

    private func ask(
        _ conversation: inout Conversation, from rank: Int = 0, generation: UInt32 = 1,
        most: Int = 9
    ) -> [SessionAction] {
        conversation.ask(stream: 1) {
            Self.request($0, from: rank, generation: generation, most: most)
        }
    }

    private static func result(revision: UInt64 = 5) -> Result<Survey, ValetError> {
        .success(.ranking(revision: revision, []))
    }

    @Test func aRankingIsOrderedAndAnswered() throws {
        var conversation = try Conversation.opened()
        let actions = ask(&conversation, from: 4, most: 7)
        let order = try #require(actions.surveys.first)
        #expect(actions == [.survey(order)])
        guard case .ranking(let page) = order.subject else { throw Unexpected("\(order)") }
        #expect(page.firstRank == 4 && page.mostSections == 7 && order.request == 2)
        #expect(order.specification == conversation.lists.snapshot.arrangements.keys.first)
        #expect(!conversation.session.isIdle)
        let answer = SectionsAnswer(request: 2, revision: 5, sections: [])
        #expect(
            conversation.session.surveyed(order, Self.result())
                == [.send(.sectionsAnswer(answer), stream: 1)])
        #expect(conversation.session.isIdle)
        #expect(conversation.session.surveyed(order, Self.result()) == [], "answered twice")
    }

    /// What was sent of the list meanwhile is newer, so it is ranked again, but not for ever.
    @Test func aRankingOfAnEarlierRevisionIsMadeAgain() throws {
        var conversation = try Conversation.opened()
        var order = try #require(ask(&conversation).surveys.first)
        for attempt in 1...Limits.surveysInVain {
            try conversation.lists.commit([.delete(rowID: Int64(attempt))])
            _ = conversation.window()
            let actions = conversation.session.surveyed(
                order, Self.result(revision: conversation.lists.snapshot.revision - 1))
            #expect(actions.said == [])
            order = try #require(actions.surveys.first)
            #expect(order.attempts == attempt)
        }
        var hurried = conversation
        #expect(hurried.session.surveyed(order, Self.result()).error?.code == .busy)
        #expect(hurried.session.views[1]?.surveys.isEmpty == true)
        let newest = conversation.lists.snapshot.revision
        #expect(
            conversation.session.surveyed(order, Self.result(revision: newest)).said == [.other(2)])
    }

    /// What other clients were sent does not count, and neither does what is of another list.
    @Test func aRankingOfTheLastRevisionSentIsAnswered() throws {
        var conversation = try Conversation.opened()
        let order = try #require(ask(&conversation).surveys.first)
        try conversation.lists.commit([.delete(rowID: 1)])
        #expect(conversation.session.surveyed(order, Self.result()).said == [.other(2)])
    }

    @Test func aRankingThatCanNotBeMadeIsRefused() throws {
        var conversation = try Conversation.opened()
        #expect(ask(&conversation, most: 1_025).error?.code == .limitExceeded)
        #expect(ask(&conversation, generation: 0).error?.code == .superseded)
        #expect(ask(&conversation, generation: 2).error?.code == .unexpected)
        let order = try #require(ask(&conversation).surveys.first)
        let error = ValetError(.listUnavailable, "gone")
        #expect(conversation.session.surveyed(order, .failure(error)).error == error)
        var closed = Conversation()
        #expect(ask(&closed).error?.code == .unknownView)
        _ = closed.order()
        #expect(ask(&closed).error?.code == .unexpected)
    }
}
