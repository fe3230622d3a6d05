import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct StatisticsRequestTests {
    private func ask(_ conversation: inout Conversation) -> [SessionAction] {
        conversation.ask { .statisticsRequest(StatisticsRequest(request: $0)) }
    }

    @Test func theyAreCollectedThenAnswered() {
        var conversation = Conversation()
        #expect(ask(&conversation) == [.collectStatistics(request: 1)])
        #expect(!conversation.session.isIdle)
        let answer = StatisticsAnswer(request: 1, statistics: ServerStatistics())
        let actions = conversation.session.finished(1, .success([.statisticsAnswer(answer)]))
        #expect(actions == [.send(.statisticsAnswer(answer), stream: 0)])
        #expect(conversation.session.isIdle)
    }

    @Test func aClosedConnectionGetsNoStatistics() {
        var conversation = Conversation()
        _ = ask(&conversation)
        _ = conversation.session.close(ValetError(.shuttingDown, "gone"))
        let answer = StatisticsAnswer(request: 1, statistics: ServerStatistics())
        #expect(conversation.session.finished(1, .success([.statisticsAnswer(answer)])).isEmpty)
    }
}
