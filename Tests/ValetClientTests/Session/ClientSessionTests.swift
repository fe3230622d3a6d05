import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// Whole transcripts: what goes in, and what the session asks for.
@Suite struct ClientSessionTests {
    @Test func aConversationFromHelloToGoodbye() throws {
        var dialogue = Dialogue(hello: Dialogue.hello)
        let welcome = Welcome(epoch: 7, server: "fake")
        #expect(dialogue.say(.welcome(welcome)) == [.welcome(welcome, tickSeconds: 7)])
        let list = OpenView(request: 1, generation: 1, list: "cars", query: Query())
        #expect(try dialogue.askOpen() == [.send(.openView(list), stream: 1)])
        let opened = Cars.opened(1)
        let query = Subscription(stream: 1, request: 1)
        #expect(
            dialogue.say(.viewOpened(opened), stream: 1) == [
                .end(query), .complete(1, .success(.view(ViewSummary(opened)))),
            ])
        let asked = try dialogue.askWindow(rows: 10).window
        #expect(asked == WindowRequest(request: 2, generation: 1, anchor: .ordinal(0), rows: 10))
        let window = Subscription(stream: 1, request: 2)
        let answered = dialogue.say(.windowAnswer(Cars.window(asked)), stream: 1)
        #expect(answered.windows == [.success(0)] && answered.count == 1)
        let shown = dialogue.sayPage(0)
        #expect(shown.windows == [.success(10)] && shown.last == .end(window))
        let close = try dialogue.close()
        #expect(close == [.send(.closeView(CloseView(request: 3)), stream: 1)])
        #expect(
            dialogue.say(.viewClosed(ViewClosed(request: 3)), stream: 1) == [
                .complete(3, .success(.viewClosed))
            ])
        let goodbye = ErrorAnswer(request: 0, error: ValetError(.shuttingDown, "goodbye"))
        #expect(dialogue.say(.error(goodbye)) == [.close(goodbye.error)])
        #expect(dialogue.say(.error(goodbye)) == [], "the first reason stays")
    }

    @Test func progressIsDeliveredUntilItsQueryIsAnswered() throws {
        var dialogue = Dialogue()
        let (first, stream) = try dialogue.askOpen().sent
        let progress = { (request: UInt32, thousandths: UInt32) in
            ServerMessage.buildProgress(
                BuildProgress(request: request, generation: 1, thousandths: thousandths))
        }
        let query = Subscription(stream: stream, request: first)
        for thousandths: UInt32 in [10, 500] {
            #expect(
                dialogue.say(progress(first, thousandths), stream: stream) == [
                    .deliver(.progress(thousandths: Int(thousandths)), to: query)
                ])
        }
        let rearranged = try dialogue.rearrange()
        #expect(rearranged.first == .end(query))
        let second = try rearranged.request
        #expect(dialogue.say(progress(first, 600), stream: stream) == [])
        let newer = Subscription(stream: stream, request: second)
        #expect(
            dialogue.say(progress(second, 1), stream: stream) == [
                .deliver(.progress(thousandths: 1), to: newer)
            ])
        let superseded = ValetError(.superseded, "newer")
        let error = ErrorAnswer(request: first, error: superseded)
        #expect(
            dialogue.say(.error(error), stream: stream) == [.complete(first, .failure(superseded))],
            "the view goes on with its newer query")
        let opened = dialogue.say(.viewOpened(Cars.opened(second, generation: 2)), stream: stream)
        #expect(opened.first == .end(newer))
        #expect(dialogue.say(progress(second, 700), stream: stream) == [])
    }

    @Test func goingAwayIsDelivered() throws {
        var dialogue = Dialogue()
        let goingAway = GoingAway(reason: "maintenance", seconds: 5)
        #expect(
            dialogue.say(.goingAway(goingAway)) == [
                .deliver(.goingAway(reason: "maintenance"), to: .connection)
            ])
        #expect(dialogue.session.goingAway == goingAway)
    }

    @Test func aPageThatCantBeReadEndsTheWindowThatNamedIt() throws {
        var dialogue = try Dialogue.opened()
        let lost = ErrorAnswer(request: 0, error: ValetError(.storageFailed, "locked"))
        #expect(dialogue.say(.error(lost), stream: 1) == [], "no window waits")
        let first = try dialogue.askWindow().window
        _ = dialogue.say(.windowAnswer(Cars.window(first)), stream: 1)
        let second = try dialogue.askWindow(at: .ordinal(500)).window
        #expect(dialogue.say(.error(lost), stream: 1) == [], "it speaks of the first window")
        _ = dialogue.say(.windowAnswer(Cars.window(second)), stream: 1)
        let subscription = Subscription(stream: 1, request: second.request)
        #expect(
            dialogue.say(.error(lost), stream: 1) == [
                .deliver(.failed(lost.error), to: subscription), .end(subscription),
            ])
    }

    @Test func aWindowIsDeliveredAgainAsItsPagesCome() throws {
        var dialogue = try Dialogue.opened()
        _ = dialogue.sayPage(2)
        let whole = try dialogue.askWindow(at: .ordinal(5), rows: 20, wantsParts: true).window
        #expect(whole.held == [PageName(rawValue: 2)])
        #expect(dialogue.say(.windowAnswer(Cars.window(whole)), stream: 1).windows == [.success(5)])
        #expect(dialogue.sayPage(1).windows == [.success(15)])
        #expect(dialogue.sayPage(70).windows == [], "ahead of what is shown")
        #expect(dialogue.sayPage(0).windows == [.success(20)])
        #expect(dialogue.sayPage(0).windows == [], "complete is the end")
        let last = try dialogue.askWindow(at: .ordinal(40), rows: 20, wantsParts: false).window
        #expect(dialogue.say(.windowAnswer(Cars.window(last)), stream: 1) == [])
        #expect(dialogue.sayPage(4) == [])
        #expect(dialogue.sayPage(5).windows == [.success(20)])
    }

    @Test func theClockFindsServersThatSayNothing() throws {
        var silent = Dialogue(hello: Dialogue.hello)
        let early = silent.hear { $0.clockTicked(at: $1, &$2) }
        #expect(early == [.close(ValetError(.timedOut, "no Valet server answers there"))])
        var dialogue = Dialogue()
        let ping = ClientAction.send(.ping(Ping(token: ClientSession.heartbeat)), stream: 0)
        #expect(dialogue.hear { $0.clockTicked(at: $1, &$2) } == [ping])
        dialogue.session.bytesReceived()
        #expect(dialogue.hear { $0.clockTicked(at: $1, &$2) } == [ping])
        let dead = ValetError(.timedOut, "the server has been silent for 7 seconds")
        #expect(dialogue.hear { $0.clockTicked(at: $1, &$2) } == [.close(dead)])
        #expect(dialogue.hear { $0.clockTicked(at: $1, &$2) } == [])
    }

    @Test func pingsMeasureTheRoundTrip() throws {
        var dialogue = Dialogue()
        var token: UInt64 = 0
        _ = try dialogue.hear { token = try $0.ping(at: $1, &$2) }
        dialogue.now = dialogue.now + .microseconds(250)
        #expect(dialogue.say(.pong(Pong(token: token + 1))) == [])
        #expect(dialogue.say(.pong(Pong(token: token))) == [.pong(token)])
        #expect(dialogue.session.roundTripMicroseconds == 250)
        #expect(dialogue.say(.pong(Pong(token: token))) == [], "answered once")
    }

    @Test func nothingCanBeAskedBeforeTheWelcomeOrAfterTheEnd() throws {
        var dialogue = Dialogue(hello: Dialogue.hello)
        #expect(throws: ValetError.self) { try dialogue.askCatalog() }
        let error = ErrorAnswer(request: 0, error: ValetError(.tooManyClients, "full"))
        #expect(dialogue.say(.error(error)) == [.close(error.error)])
        #expect(throws: error.error) { try dialogue.askCatalog() }
        #expect(throws: error.error) { try dialogue.askOpen() }
        #expect(throws: error.error) { try dialogue.askWindow() }
        #expect(throws: error.error) { try dialogue.close() }
    }
}
