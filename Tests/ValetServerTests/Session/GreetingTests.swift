import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct GreetingTests {
    private let hello = ClientMessage.hello(
        Hello(creditBytes: 1_000, station: Conversation.station))

    @Test func aHelloIsWelcomedWithTheEpoch() {
        var conversation = Conversation(notGreeted: FakeLists(count: 1))
        let actions = conversation.say(hello)
        let welcome = Welcome(epoch: 42, server: "valetd test")
        #expect(actions == [.send(.welcome(welcome), stream: 0), .enter(nil)])
        #expect(conversation.session.outbox.credit == 1_000)
    }

    @Test func anythingBeforeTheHelloEndsTheConversation() {
        let early: [ClientMessage] = [
            .ping(Ping(token: 1)), .catalogRequest(CatalogRequest(request: 1, countsRows: true)),
            .credit(Credit(byteCount: 1)), .statisticsRequest(StatisticsRequest(request: 1)),
            .presence(PresenceNotice(presence: Presence(list: "Cars", rowID: 1))),
        ]
        for message in early {
            var conversation = Conversation(notGreeted: FakeLists(count: 1))
            let actions = conversation.say(message)
            #expect(actions.said == [.failed(0, .unexpected)])
            #expect(actions.isClosing)
            #expect(conversation.say(hello).isEmpty, "closed is closed")
        }
    }

    @Test func aCatalogThatNeedNotCountIsAnsweredAtOnce() {
        var conversation = Conversation(FakeLists(count: 7))
        let actions = conversation.say(
            .catalogRequest(CatalogRequest(request: 9, countsRows: false)))
        // The drivers are not loaded.
        var feed = CatalogFeed(request: 9, counts: [7, nil])
        #expect(actions == [.sendCatalog(feed)])
        let lists = conversation.lists.catalog.description.lists
        for (ordinal, count) in [7, nil].enumerated() {
            let entry = CatalogAnswer.Entry(list: lists[ordinal], rowCount: count)
            let (answer, isLast) = feed.next(conversation.lists.catalog.description)
            #expect(answer == CatalogAnswer(request: 9, total: 2, ordinal: ordinal, entry: entry))
            #expect(isLast == (ordinal == 1))
        }
        #expect(
            conversation.say(.catalogRequest(CatalogRequest(request: 10, countsRows: true)))
                == [.countRows(request: 10)])
    }

    @Test func closingLetsGoOfEveryView() throws {
        var conversation = try Conversation.opened(stream: 1)
        let waiting = conversation.order(stream: 2, Query(grouping: "None"))
        let actions = conversation.session.close(ValetError(.timedOut, "gone"))
        #expect(actions.released.count == 1)
        #expect(actions.abandoned == waiting.orders)
        #expect(actions.isClosing)
        #expect(conversation.session.close(ValetError(.timedOut, "again")).isEmpty)
    }
}

@Suite struct DrainTests {
    private static let reason = ValetError(.shuttingDown, "the server is shutting down")

    @Test func aDrainingSessionTakesNothingNew() throws {
        var conversation = try Conversation.opened()
        #expect(conversation.session.drainStarted(Self.reason, seconds: 5).said == [.goingAway])
        #expect(conversation.window().said == [.failed(2, .shuttingDown)])
        #expect(conversation.order(stream: 2).said == [.failed(3, .shuttingDown)])
        let detail = conversation.detail(stream: 7)
        #expect(detail.said == [.failed(4, .shuttingDown)])
        #expect(detail.streams == [0])
        let statistics = conversation.statistics()
        #expect(statistics.said == [.failed(5, .shuttingDown)])
        #expect(conversation.say(.ping(Ping(token: 3))).said == [.pong(3)])
    }

    @Test func aRequestThatWaitsIsStillAnswered() throws {
        var conversation = Conversation()
        let ordered = conversation.order()
        _ = conversation.window()
        _ = conversation.detail()
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
