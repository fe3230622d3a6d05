import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

@Suite struct StatisticsTests {
    @Test func figuresOfALaterServerAreKeptAndMissingOnesAreNil() throws {
        let server = try EmbeddedServer(views: [])
        var told: [Result<Reply, ValetError>] = []
        server.handler.ask(Asking.statistics) { told.append($0) }
        guard case .statisticsRequest(let asked) = try server.heard() else {
            throw Unexpected("nothing was asked")
        }
        let entries = [
            ServerStatistics.Entry(name: "moonPhase", value: 4), .init(name: "views", value: 3),
        ]
        let answer = StatisticsAnswer(
            request: asked.request, statistics: ServerStatistics(entries: entries))
        try server.say(answer)
        #expect(try told.map { try $0.get() } == [.statistics(answer.statistics)])
        #expect(answer.statistics[.views] == 3 && answer.statistics[.lists] == nil)
        #expect(answer.statistics.entries.first?.name == "moonPhase")
    }

    @Test func aServerThatDoesNotKnowTheQuerySaysSo() throws {
        let server = try EmbeddedServer(views: [])
        var told: [ErrorCode?] = []
        server.handler.ask(Asking.statistics) {
            if case .failure(let error) = $0 { told.append(error.code) }
        }
        let error = ValetError(.unknownKind, "frame kind 27 is not known here")
        try server.say(ErrorAnswer(request: 0, error: error))
        #expect(told == [.unknownKind])
    }
}
