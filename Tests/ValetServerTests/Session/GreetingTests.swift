import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite struct GreetingTests {
    private func hello(
        _ lowest: UInt32 = 1, _ highest: UInt32 = 1, credit: Int = 1_000
    ) -> ClientMessage {
        .hello(
            Hello(
                lowestVersion: lowest, highestVersion: highest, creditBytes: credit,
                station: Conversation.station))
    }

    @Test func aHelloIsWelcomedWithTheEpoch() {
        var conversation = Conversation(notGreeted: FakeLists(count: 1))
        let actions = conversation.say(hello())
        let welcome = Welcome(epoch: 42, server: "valetd test")
        #expect(actions == [.send(.welcome(welcome), stream: 0)])
        #expect(conversation.session.outbox.credit == 1_000)
    }

    @Test func aClientThatAlsoSpeaksVersionOneIsWelcome() {
        var conversation = Conversation(notGreeted: FakeLists(count: 1))
        #expect(conversation.say(hello(1, 9)).said == [.welcome])
    }

    @Test(arguments: [(2, 3), (0, 0)])
    func aClientWithoutACommonVersionIsRefused(lowest: UInt32, highest: UInt32) {
        var conversation = Conversation(notGreeted: FakeLists(count: 1))
        let actions = conversation.say(hello(lowest, highest))
        #expect(actions.said == [.failed(0, .unsupportedVersion)])
        #expect(actions.isClosing)
    }

    @Test func anythingBeforeTheHelloEndsTheConversation() {
        let early: [ClientMessage] = [
            .ping(Ping(token: 1)), .catalogRequest(CatalogRequest(request: 1, countsRows: true)),
            .credit(Credit(byteCount: 1)),
        ]
        for message in early {
            var conversation = Conversation(notGreeted: FakeLists(count: 1))
            let actions = conversation.say(message)
            #expect(actions.said == [.failed(0, .unexpected)])
            #expect(actions.isClosing)
            #expect(conversation.say(hello()).isEmpty, "closed is closed")
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
            #expect(
                answer == CatalogAnswer(request: 9, total: 2, ordinal: ordinal, entry: entry))
            #expect(isLast == (ordinal == 1))
        }
        #expect(
            conversation.say(.catalogRequest(CatalogRequest(request: 10, countsRows: true)))
                == [.countRows(request: 10)])
    }

    @Test func aCatalogWithoutListsIsOneFrame() {
        var feed = CatalogFeed(request: 9, counts: [])
        let (answer, isLast) = feed.next(Catalog(lists: []))
        #expect(answer == CatalogAnswer(request: 9, total: 0, ordinal: 0, entry: nil))
        #expect(isLast)
    }

    @Test func aSecondHelloEndsTheConversation() {
        var conversation = Conversation()
        let actions = conversation.say(hello())
        #expect(actions.said == [.failed(0, .unexpected)])
        #expect(actions.isClosing)
    }

    @Test func aPingIsAnsweredWithItsToken() {
        var conversation = Conversation()
        #expect(conversation.say(.ping(Ping(token: 99)), stream: 7).said == [.pong(99)])
    }

    @Test func aRequestWithoutANumberEndsTheConversation() {
        var conversation = Conversation()
        let actions = conversation.say(
            .catalogRequest(CatalogRequest(request: 0, countsRows: false)))
        #expect(actions.said == [.failed(0, .unexpected)])
        #expect(actions.isClosing)
    }

    @Test func closingLetsGoOfEveryView() throws {
        var conversation = Conversation()
        try conversation.open(stream: 1)
        let waiting = conversation.order(stream: 2, Query(grouping: "None"))
        let actions = conversation.session.close(ValetError(.timedOut, "gone"))
        #expect(actions.released.count == 1)
        #expect(actions.abandoned == waiting.orders)
        #expect(actions.isClosing)
        #expect(conversation.session.close(ValetError(.timedOut, "again")).isEmpty)
    }
}
