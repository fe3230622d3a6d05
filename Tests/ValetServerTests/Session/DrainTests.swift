import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct DrainTests {
    private static let reason = ValetError(.shuttingDown, "the server is shutting down")

    @Test func aDrainingSessionTakesNothingNew() throws {
        var conversation = try Conversation.opened()
        #expect(conversation.session.drainStarted(Self.reason, seconds: 5).said == [.goingAway])
        #expect(conversation.window().said == [.failed(2, .shuttingDown)])
        #expect(conversation.order(stream: 2).said == [.failed(3, .shuttingDown)])
        let detail = conversation.ask(stream: 7) {
            .detailRequest(DetailRequest(request: $0, list: "Cars", rowID: 1))
        }
        #expect(detail.said == [.failed(4, .shuttingDown)])
        #expect(detail.streams == [0])
        let statistics = conversation.ask { .statisticsRequest(StatisticsRequest(request: $0)) }
        #expect(statistics.said == [.failed(5, .shuttingDown)])
        #expect(conversation.say(.ping(Ping(token: 3))).said == [.pong(3)])
    }

    @Test func aRequestThatWaitsIsStillAnswered() throws {
        var conversation = Conversation()
        let ordered = conversation.order()
        _ = conversation.window()
        _ = conversation.ask {
            .detailRequest(DetailRequest(request: $0, list: "Cars", rowID: 1))
        }
        _ = conversation.session.drainStarted(Self.reason, seconds: 5)
        #expect(!conversation.session.isIdle)
        #expect(try conversation.fulfil(ordered).said == [.opened(1), .window(2)])
        #expect(!conversation.session.isIdle, "pages and a row are still to be sent")
        let row = DetailAnswer(request: 3, revision: 5, rowID: 1, cells: [])
        let actions = conversation.session.finished(3, .success([.detailAnswer(row)]))
        #expect(actions.said == [.other(3)])
        while case .write = conversation.session.outbox.next(
            frames: { _ in [pageFrame(bytes: 100)] })
        {}
        #expect(conversation.session.isIdle)
    }

    @Test func aSessionThatWasNotGreetedEndsAtOnce() {
        var conversation = Conversation(notGreeted: FakeLists(count: 1))
        #expect(conversation.session.drainStarted(Self.reason, seconds: 5).isClosing)
    }
}
