import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

/// Requests that other threads work on: what a session asks of them, and when it gives them up.
@Suite struct SurveyTests {
    enum Kind: CaseIterable {
        case aggregates, ranking

        func ask(
            _ conversation: inout Conversation, generation: UInt32 = 1
        ) throws -> (SurveyOrder, [SessionAction]) {
            let actions = conversation.ask(stream: 1) { request in
                switch self {
                case .aggregates: AggregatesTests.request(request, generation: generation)
                case .ranking: RankingTests.request(request, generation: generation)
                }
            }
            return (try #require(actions.surveys.first), actions)
        }

        var result: Result<Survey, ValetError> {
            switch self {
            case .aggregates: .success(.aggregates(AggregatesTests.found))
            case .ranking: .success(.ranking(revision: 5, []))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aNewerOneTakesThePlaceOfTheOneThatWaits(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (first, _) = try kind.ask(&conversation)
        let (second, actions) = try kind.ask(&conversation)
        #expect(actions.first == .abandonSurvey(first))
        #expect(actions.said == [.failed(2, .superseded)])
        #expect(conversation.session.surveyed(first, kind.result) == [])
        #expect(conversation.session.surveyed(second, kind.result).said == [.other(3)])
    }

    @Test(arguments: Kind.allCases)
    func anotherQueryAndACloseEndTheOneThatWaits(_ kind: Kind) throws {
        var conversation = try Conversation.opened()
        let (first, _) = try kind.ask(&conversation)
        var actions = conversation.rearrange(generation: 2, Query(grouping: "year"))
        #expect(actions.contains(.abandonSurvey(first)))
        #expect(actions.said == [.failed(2, .superseded)])
        #expect(conversation.session.surveyed(first, kind.result) == [])
        _ = try conversation.fulfil(actions)
        let (second, _) = try kind.ask(&conversation, generation: 2)
        actions = conversation.close()
        #expect(actions.contains(.abandonSurvey(second)))
        #expect(actions.said == [.failed(4, .superseded), .other(5)])
        #expect(conversation.session.surveyed(second, kind.result) == [])
    }

    @Test(arguments: Kind.allCases)
    func theEndOfTheConnectionCancelsIt(_ kind: Kind) throws {
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
