import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Sections by rows: what a session asks other threads for, and what it makes of their answers.
@Suite struct RankingTests {
    private func ask(
        _ conversation: inout Conversation, from rank: Int = 0, generation: UInt32 = 1,
        most: Int = 9
    ) -> [SessionAction] {
        conversation.ask(stream: 1) {
            .sectionsRequest(
                SectionsRequest(
                    request: $0, generation: generation, start: .ordinal(rank),
                    mostSections: most, order: .byRows))
        }
    }

    private func opened() throws -> Conversation {
        var conversation = Conversation()
        try conversation.open()
        return conversation
    }

    private static func result(
        revision: UInt64 = 5
    ) -> Result<RankedSections, ValetError> {
        .success(RankedSections(revision: revision, sections: []))
    }

    @Test func aRankingIsOrderedAndAnswered() throws {
        var conversation = try opened()
        let actions = ask(&conversation, from: 4, most: 7)
        let order = try #require(actions.rankings.first)
        #expect(actions == [.rank(order)])
        #expect(order.firstRank == 4 && order.mostSections == 7 && order.request == 2)
        #expect(order.specification == conversation.lists.snapshot.arrangements.keys.first)
        #expect(!conversation.session.isIdle)
        let answer = SectionsAnswer(request: 2, revision: 5, sections: [])
        #expect(
            conversation.session.ranked(order, Self.result())
                == [.send(.sectionsAnswer(answer), stream: 1)])
        #expect(conversation.session.isIdle)
        #expect(conversation.session.ranked(order, Self.result()) == [], "answered twice")
    }

    @Test func aNewerRankingTakesThePlaceOfOneThatWaits() throws {
        var conversation = try opened()
        let first = try #require(ask(&conversation).rankings.first)
        let actions = ask(&conversation, from: 1)
        let second = try #require(actions.rankings.first)
        #expect(actions.first == .abandonRanking(first))
        #expect(actions.said == [.failed(2, .superseded)])
        #expect(conversation.session.ranked(first, Self.result()) == [])
        #expect(conversation.session.ranked(second, Self.result()).said == [.other(3)])
    }

    @Test(arguments: [false, true])
    func aViewThatMovesOnLeavesItsRanking(closes: Bool) throws {
        var conversation = try opened()
        let order = try #require(ask(&conversation).rankings.first)
        let actions =
            closes
            ? conversation.close()
            : conversation.rearrange(generation: 2, Question(grouping: "year"))
        #expect(actions.contains(.abandonRanking(order)))
        #expect(actions.said.first == .failed(2, .superseded))
        #expect(conversation.session.ranked(order, Self.result()) == [])
    }

    @Test func theEndOfTheConnectionLeavesRankings() throws {
        var conversation = try opened()
        let order = try #require(ask(&conversation).rankings.first)
        let actions = conversation.session.close(ValetError(.timedOut, "gone"))
        #expect(actions.contains(.abandonRanking(order)))
    }

    /// What was sent of the list meanwhile is newer, so it is ranked again, but not for ever.
    @Test func aRankingOfAnEarlierRevisionIsMadeAgain() throws {
        var conversation = try opened()
        var order = try #require(ask(&conversation).rankings.first)
        for attempt in 1...Limits.rankingsInVain {
            try conversation.lists.commit([.delete(rowID: Int64(attempt))])
            _ = conversation.window()
            let actions = conversation.session.ranked(
                order, Self.result(revision: conversation.lists.snapshot.revision - 1))
            #expect(actions.said == [])
            order = try #require(actions.rankings.first)
            #expect(order.attempts == attempt)
        }
        var hurried = conversation
        #expect(hurried.session.ranked(order, Self.result()).error?.code == .busy)
        #expect(hurried.session.views[1]?.ranking == nil)
        let newest = conversation.lists.snapshot.revision
        #expect(
            conversation.session.ranked(order, Self.result(revision: newest)).said == [.other(2)])
    }

    /// What other clients were sent does not count, and neither does what is of another list.
    @Test func aRankingOfTheLastRevisionSentIsAnswered() throws {
        var conversation = try opened()
        let order = try #require(ask(&conversation).rankings.first)
        try conversation.lists.commit([.delete(rowID: 1)])
        #expect(conversation.session.ranked(order, Self.result()).said == [.other(2)])
    }

    @Test func whatCanNotBeRankedIsRefused() throws {
        var conversation = try opened()
        #expect(ask(&conversation, most: 1_025).error?.code == .limitExceeded)
        #expect(ask(&conversation, generation: 0).error?.code == .superseded)
        #expect(ask(&conversation, generation: 2).error?.code == .unexpected)
        let order = try #require(ask(&conversation).rankings.first)
        let error = ValetError(.listUnavailable, "gone")
        #expect(
            conversation.session.ranked(order, .failure(error)).error == error)
        var closed = Conversation()
        #expect(ask(&closed).error?.code == .unknownView)
        _ = closed.order()
        #expect(ask(&closed).error?.code == .unexpected)
    }
}

extension [SessionAction] {
    fileprivate var rankings: [RankOrder] {
        compactMap { if case .rank(let order) = $0 { order } else { nil } }
    }
}
