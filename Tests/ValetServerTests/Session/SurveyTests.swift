import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Aggregates, and sections by rows: what a session asks other threads for, what it makes of their
/// answers, and when it gives requests up.
@Suite struct SurveyTests {
    enum Kind: CaseIterable {
        case aggregates, ranking

        func request(_ request: UInt32, generation: UInt32 = 1) -> ClientMessage {
            switch self {
            case .aggregates: SurveyTests.aggregates(request, generation: generation)
            case .ranking: SurveyTests.ranking(request, generation: generation)
            }
        }

        func ask(
            _ conversation: inout Conversation, generation: UInt32 = 1
        ) throws -> (SurveyOrder, [SessionAction]) {
            let actions = conversation.ask(stream: 1) { request($0, generation: generation) }
            return (try #require(actions.surveys.first), actions)
        }

        func result(revision: UInt64 = 5) -> Result<Survey, ValetError> {
            switch self {
            case .aggregates: .success(.aggregates(SurveyTests.found(revision: revision)))
            case .ranking: .success(.ranking(revision: revision, []))
            }
        }
    }

    private static func aggregates(
        _ request: UInt32, generation: UInt32 = 1, column: String = "year"
    ) -> ClientMessage {
        .aggregatesRequest(
            AggregatesRequest(
                request: request, generation: generation,
                measures: [Measure(column: column, function: .sum)], wantsAllRows: true,
                sections: [3, 99]))
    }

    private static func ranking(
        _ request: UInt32, from rank: Int = 0, generation: UInt32 = 1, most: Int = 9
    ) -> ClientMessage {
        .sectionsRequest(
            SectionsRequest(
                request: request, generation: generation, start: .ordinal(rank),
                mostSections: most, order: .byRows))
    }

    private static func found(revision: UInt64 = 5) -> Aggregates {
        Aggregates(
            revision: revision, sectionsVersion: 1,
            allRows: Aggregates.Rows(count: 200, values: [.cell(.integer(200))]), sections: [])
    }

    @Test func aggregatesAreComputedElsewhere() throws {
        var conversation = try Conversation.opened()
        let actions = conversation.ask(stream: 1) { Self.aggregates($0, column: "YEAR") }
        let order = try #require(actions.surveys.first)
        #expect(actions == [.survey(order)])
        let query = AggregateQuery(
            measures: [ColumnMeasure(column: 2, function: .sum)], wantsAllRows: true,
            sections: [3, 99])
        #expect(order.subject == .aggregates(query))
    }

    @Test func aRankingIsOrdered() throws {
        var conversation = try Conversation.opened()
        let actions = conversation.ask(stream: 1) { Self.ranking($0, from: 4, most: 7) }
        let order = try #require(actions.surveys.first)
        #expect(actions == [.survey(order)])
        guard case .ranking(let page) = order.subject else { throw Unexpected("\(order)") }
        #expect(page.firstRank == 4 && page.mostSections == 7 && order.request == 2)
        #expect(order.specification == conversation.lists.snapshot.arrangements.keys.first)
    }

    @Test(arguments: Kind.allCases) func aSurveyIsAnsweredOnce(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (order, _) = try kind.ask(&conversation)
        #expect(!conversation.session.isIdle)
        let answer: ServerMessage =
            switch kind {
            case .aggregates:
                .aggregatesAnswer(
                    AggregatesAnswer(request: 2, generation: 1, aggregates: Self.found()))
            case .ranking: .sectionsAnswer(SectionsAnswer(request: 2, revision: 5, sections: []))
            }
        #expect(conversation.session.surveyed(order, kind.result()) == [.send(answer, stream: 1)])
        #expect(conversation.session.surveyed(order, kind.result()) == [])
        #expect(conversation.session.isIdle)
    }

    /// A screen shows one revision: what was sent of the list meanwhile is newer, so it is made
    /// again, but not for ever.
    @Test(arguments: Kind.allCases)
    func aSurveyOfAnEarlierRevisionIsMadeAgain(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        var order = try kind.ask(&conversation).0
        let subject = order.subject
        for attempt in 1...Limits.surveysInVain {
            try conversation.lists.commit([.delete(rowID: Int64(attempt))])
            _ = conversation.window()
            let actions = conversation.session.surveyed(
                order, kind.result(revision: conversation.lists.snapshot.revision - 1))
            order = try #require(actions.surveys.first)
            #expect(actions == [.survey(order)])
            #expect(order.attempts == attempt && order.subject == subject)
        }
        var hurried = conversation
        #expect(hurried.session.surveyed(order, kind.result()).error?.code == .busy)
        #expect(hurried.session.views[1]?.surveys.isEmpty == true)
        let newest = conversation.lists.snapshot.revision
        let actions = conversation.session.surveyed(order, kind.result(revision: newest))
        #expect(actions.said == [.other(2)])
    }

    /// What other clients were sent does not count, and neither does what is of another list.
    @Test(arguments: Kind.allCases)
    func aSurveyOfTheLastRevisionSentIsAnswered(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (order, _) = try kind.ask(&conversation)
        try conversation.lists.commit([.delete(rowID: 1)])
        #expect(conversation.session.surveyed(order, kind.result()).said == [.other(2)])
    }

    @Test func aRequestThatIsRefusedLeavesTheOneThatWaits() throws {
        var conversation = try Conversation.opened()
        let order = try Kind.aggregates.ask(&conversation).0
        let refused = conversation.ask(stream: 1) { Self.aggregates($0, column: "price") }
        #expect(refused.said == [.failed(3, .unknownColumn)])
        #expect(refused.error?.alternatives == ["make", "modèle", "year"])
        let actions = conversation.session.surveyed(order, Kind.aggregates.result())
        #expect(actions.said == [.other(2)])
    }

    @Test(arguments: Kind.allCases) func aSurveyThatCanNotBeMadeIsRefused(_ kind: Kind) throws {
        var conversation = Conversation()
        func refusal(generation: UInt32 = 1) -> ErrorCode? {
            conversation.ask(stream: 1) { kind.request($0, generation: generation) }.error?.code
        }
        #expect(refusal() == .unknownView)
        let opening = conversation.order()
        #expect(refusal() == .unexpected)
        _ = try conversation.fulfil(opening)
        #expect(refusal(generation: 0) == .superseded)
        #expect(refusal(generation: 2) == .unexpected)
        let tooMany = conversation.ask(stream: 1) { Self.ranking($0, most: 1_025) }
        #expect(tooMany.error?.code == .limitExceeded)
        let order = try kind.ask(&conversation).0
        let error = ValetError(.listUnavailable, "gone")
        #expect(conversation.session.surveyed(order, .failure(error)).error == error)
    }

    @Test(arguments: Kind.allCases)
    func aNewerOneTakesThePlaceOfTheOneThatWaits(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (first, _) = try kind.ask(&conversation)
        let (second, actions) = try kind.ask(&conversation)
        #expect(actions.first == .abandonSurvey(first))
        #expect(actions.said == [.failed(2, .superseded)])
        #expect(conversation.session.surveyed(first, kind.result()) == [])
        #expect(conversation.session.surveyed(second, kind.result()).said == [.other(3)])
    }

    @Test(arguments: Kind.allCases)
    func anotherQueryAndACloseEndTheOneThatWaits(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (first, _) = try kind.ask(&conversation)
        var actions = conversation.rearrange(generation: 2, Query(grouping: "year"))
        #expect(actions.contains(.abandonSurvey(first)))
        #expect(actions.said == [.failed(2, .superseded)])
        #expect(conversation.session.surveyed(first, kind.result()) == [])
        _ = try conversation.fulfil(actions)
        let (second, _) = try kind.ask(&conversation, generation: 2)
        actions = conversation.close()
        #expect(actions.contains(.abandonSurvey(second)))
        #expect(actions.said == [.failed(4, .superseded), .other(5)])
        #expect(conversation.session.surveyed(second, kind.result()) == [])
    }

    @Test(arguments: Kind.allCases) func theEndOfTheConnectionCancelsIt(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (order, _) = try kind.ask(&conversation)
        let actions = conversation.session.close(ValetError(.shuttingDown, "it ended"))
        #expect(actions.contains(.abandonSurvey(order)))
    }
}

extension [SessionAction] {
    var surveys: [SurveyOrder] {
        compactMap { if case .survey(let order) = $0 { order } else { nil } }
    }
}
