import NIOCore
import NIOEmbedded
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

@Suite struct ClientHandlerTests {
    @Test func theHelloGoesFirst() throws {
        let server = try EmbeddedServer(creditBytes: 500)
        let hello = try server.heard(Hello.self)
        #expect(hello.creditBytes == 500)
        #expect(hello.station.name == "test")
        try server.say(Welcome(epoch: 3, server: "fake"))
        #expect(try server.welcomes.first?.get().epoch == 3)
        #expect(server.welcomes.count == 1)
    }

    @Test func windowsSayHowLongTheWayThereAndBackIs() throws {
        let server = try EmbeddedServer()
        server.pass(.milliseconds(40))
        try server.say(Welcome(epoch: 3, server: "fake"))
        _ = try server.heard()
        server.askOpen(1)
        _ = try server.heard()
        _ = server.askWindow(1)
        #expect(try server.heardWindow().roundTripMicroseconds == 40_000)
        server.handler.ping { _ in }
        let ping = try server.heard(Ping.self)
        server.pass(.microseconds(250))
        try server.say(Pong(token: ping.token + 1))
        _ = server.askWindow(1)
        #expect(try server.heardWindow().roundTripMicroseconds == 40_000, "another's pong")
        try server.say(Pong(token: ping.token))
        _ = server.askWindow(1)
        #expect(try server.heardWindow().roundTripMicroseconds == 250)
    }

    @Test func aServerThatSaysNothingIsNotWaitedForLong() throws {
        let server = try EmbeddedServer()
        server.pass(.milliseconds(4_999))
        #expect(server.welcomes.isEmpty)
        server.pass(.milliseconds(1))
        #expect(throws: ValetError(.timedOut, "no Valet server answers there")) {
            try server.welcomes.first?.get()
        }
        #expect(!server.channel.isActive)
    }

    @Test func anErrorInPlaceOfAWelcomeIsTheReason() throws {
        let server = try EmbeddedServer()
        let full = ValetError(.tooManyClients, "full")
        try server.say(ErrorAnswer(request: 0, error: full))
        #expect(throws: full) { try server.welcomes.first?.get() }
        #expect(server.welcomes.count == 1)
        #expect(!server.channel.isActive)
    }

    @Test func aServerThatSpeaksOutOfTurnIsLeft() throws {
        let early = try EmbeddedServer()
        try early.say(Pong(token: 1))
        #expect(early.handler.failure?.code == .unexpected)
        let twice = try EmbeddedServer(views: [])
        try twice.say(Welcome(epoch: 1, server: "fake"))
        #expect(twice.handler.failure?.code == .unexpected)
        #expect(!twice.channel.isActive)
    }

    @Test func bytesThatAreNoFramesEndTheConnection() throws {
        let server = try EmbeddedServer(views: [1])
        let told = server.askWindow(1)
        var answers: [ErrorCode?] = []
        server.handler.ping { answers.append($0.code) }
        try server.say(ByteBuffer(bytes: [0xFF, 0xFF, 0xFF, 0xFF, 1]))
        #expect(told.error == .limitExceeded)
        #expect(answers == [.limitExceeded])
        #expect(!server.channel.isActive)
        #expect(server.askWindow(1).error == .limitExceeded, "the reason stays")
    }

    @Test func unknownEvenKindsAreSkippedAndOddOnesRefused() throws {
        let server = try EmbeddedServer(views: [])
        try server.say(ByteBuffer(bytes: [1, 0, 0, 0, 0xEE, 0, 0, 0, 9]))
        #expect(server.handler.failure == nil)
        try server.say(ByteBuffer(bytes: [0, 0, 0, 0, 0xEF, 0, 0, 0]))
        #expect(server.handler.failure?.code == .unknownKind)
    }

    @Test func everythingThatWaitsFailsWhenTheServerGoes() throws {
        let server = try EmbeddedServer(views: [1, 2])
        let windows = [server.askWindow(1), server.askWindow(2)]
        var answers: [ErrorCode?] = []
        for _ in 0..<3 { server.handler.ask(Asking.catalog) { answers.append($0.code) } }
        server.handler.ping { answers.append($0.code) }
        try server.channel.close().wait()
        #expect(windows.map(\.error) == [.shuttingDown, .shuttingDown])
        #expect(windows.map(\.results.count) == [1, 1])
        #expect(answers == Array(repeating: .shuttingDown, count: 4))
        var late: ErrorCode?
        server.handler.ask(Asking.catalog) { late = $0.code }
        #expect(late == .shuttingDown)
    }

    @Test func aQuietClientPingsAndADeadServerIsNoticed() throws {
        let server = try EmbeddedServer(views: [])
        for _ in 0..<5 {
            server.pass(.seconds(7))
            try server.say(Pong(token: server.heard(Ping.self).token))
        }
        server.pass(.seconds(7))
        #expect(server.handler.failure == nil)
        server.pass(.seconds(7))
        #expect(server.handler.failure?.code == .timedOut)
        #expect(!server.channel.isActive)
    }

    @Test(arguments: [0, 1, 1 << 52])
    func anySecondsOfSilenceAreBorne(seconds: Int) throws {
        let server = try EmbeddedServer()
        var welcome = Welcome(epoch: 1, server: "fake")
        welcome.secondsOfSilence = seconds
        try server.say(welcome)
        #expect(server.handler.failure == nil)
    }

    @Test func creditIsGivenBackInLumps() throws {
        let size = EmbeddedServer.page(0, first: 0, rows: 10)[0].readableBytes
        let server = try EmbeddedServer(views: [1], creditBytes: 1 << 16)
        var given: [Int] = []
        let pages = 1_000
        for number in 0..<pages {
            try server.sayPage(UInt64(number), first: number * 10, rows: 10)
            while case .credit(let credit) = try server.heard() { given.append(credit.byteCount) }
        }
        #expect(given.allSatisfy { $0 >= 1 << 14 && $0 < 1 << 14 + 1_000 })
        #expect(given.reduce(0, +) > (size - 20) * pages - 1 << 14)
    }

    @Test func littleCreditIsGivenBackAtOnce() throws {
        // What is left after a small page might not be enough for the next one.
        let server = try EmbeddedServer(views: [1], creditBytes: ClientSession.largestPageFrame)
        try server.sayPage(1, first: 0, rows: 1)
        let size = EmbeddedServer.page(1, first: 0, rows: 1)[0].readableBytes
        #expect(try server.heard() == .credit(Credit(byteCount: size)))
    }

    @Test func aLateSubscriberLearnsThatTheServerGoesAway() throws {
        let server = try EmbeddedServer(views: [])
        try server.say(GoingAway(reason: "maintenance", seconds: 5))
        var reasons: [String] = []
        server.handler.onGoingAway { reasons.append($0) }
        #expect(reasons == ["maintenance"])
    }

    @Test func figuresOfALaterServerAreKeptAndMissingOnesAreNil() throws {
        let server = try EmbeddedServer(views: [])
        var told: [Result<Reply, ValetError>] = []
        server.handler.ask(Asking.statistics) { told.append($0) }
        let asked = try #require(try server.heard()?.request)
        let entries = [
            ServerStatistics.Entry(name: "moonPhase", value: 4), .init(name: "views", value: 3),
        ]
        let answer = StatisticsAnswer(
            request: asked, statistics: ServerStatistics(entries: entries))
        try server.say(answer)
        #expect(try told.map { try $0.get() } == [.statistics(answer.statistics)])
        #expect(answer.statistics[.views] == 3 && answer.statistics[.lists] == nil)
        #expect(answer.statistics.entries.first?.name == "moonPhase")
    }

    @Test func aServerThatDoesNotKnowTheQuerySaysSo() throws {
        let server = try EmbeddedServer(views: [])
        var told: [ErrorCode?] = []
        server.handler.ask(Asking.statistics) { told.append($0.code) }
        let error = ValetError(.unknownKind, "frame kind 27 is not known here")
        try server.say(ErrorAnswer(request: 0, error: error))
        #expect(told == [.unknownKind])
    }
}
