import Testing
import ValetArrangement
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct AggregatesTests {
    static let found = Aggregates(
        revision: 5, sectionsVersion: 1,
        allRows: Aggregates.Rows(count: 200, values: [.cell(.integer(200))]), sections: [])

    static func request(
        _ request: UInt32, generation: UInt32 = 1, column: String = "year"
    ) -> ClientMessage {
        .aggregatesRequest(
            AggregatesRequest(
                request: request, generation: generation,
                measures: [Measure(column: column, function: .sum)], wantsAllRows: true,
                sections: [3, 99]))
    }

    @Test func aggregatesAreComputedElsewhereAndAnsweredOnce() throws {
        var conversation = try Conversation.opened()
        let actions = conversation.ask(stream: 1) { Self.request($0, column: "YEAR") }
        let order = try #require(actions.surveys.first)
        #expect(actions == [.survey(order)])
        let query = AggregateQuery(
            measures: [ColumnMeasure(column: 2, function: .sum)], wantsAllRows: true,
            sections: [3, 99])
        #expect(order.subject == .aggregates(query))
        #expect(!conversation.session.isIdle)
        let answer = AggregatesAnswer(request: 2, generation: 1, aggregates: Self.found)
        #expect(
            conversation.session.surveyed(order, .success(.aggregates(Self.found)))
                == [.send(.aggregatesAnswer(answer), stream: 1)])
        #expect(conversation.session.surveyed(order, .success(.aggregates(Self.found))) == [])
        #expect(conversation.session.isIdle)
    }

    /// A screen shows one revision, so values of an earlier one than its rows are no answer.
    @Test func aggregatesOfAnEarlierRevisionAreComputedAgain() throws {
        var conversation = try Conversation.opened()
        let order = try SurveyTests.Kind.aggregates.ask(&conversation).0
        try conversation.lists.commit([.delete(rowID: 1)])
        _ = conversation.window()
        let actions = conversation.session.surveyed(order, .success(.aggregates(Self.found)))
        let again = try #require(actions.surveys.first)
        #expect(actions == [.survey(again)])
        #expect(again.attempts == 1 && again.subject == order.subject)
        var newer = Self.found
        newer.revision = conversation.lists.snapshot.revision
        #expect(
            conversation.session.surveyed(again, .success(.aggregates(newer))).said == [.other(2)])
    }

    @Test func aRequestThatIsRefusedLeavesTheOneThatWaits() throws {
        var conversation = try Conversation.opened()
        let order = try SurveyTests.Kind.aggregates.ask(&conversation).0
        let refused = conversation.ask(stream: 1) { Self.request($0, column: "price") }
        #expect(refused.said == [.failed(3, .unknownColumn)])
        let actions = conversation.session.surveyed(order, .success(.aggregates(Self.found)))
        #expect(actions.said == [.other(2)])
    }

    @Test func aMeasureThatCannotBeTakenIsRefused() throws {
        var conversation = Conversation()
        #expect(conversation.ask(stream: 1) { Self.request($0) }.said == [.failed(1, .unknownView)])
        let opening = conversation.order()
        #expect(conversation.ask(stream: 1) { Self.request($0) }.said == [.failed(3, .unexpected)])
        _ = try conversation.fulfil(opening)
        let unknown = conversation.ask(stream: 1) { Self.request($0, column: "price") }
        #expect(unknown.error?.code == .unknownColumn)
        #expect(unknown.error?.alternatives == ["make", "modèle", "year"])
        #expect(
            conversation.ask(stream: 1) { Self.request($0, generation: 0) }.error?.code
                == .superseded)
        #expect(
            conversation.ask(stream: 1) { Self.request($0, generation: 2) }.error?.code
                == .unexpected)
    }
}
