import Dispatch
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetServer

@Suite(.timeLimit(.minutes(5))) struct StoppingTests {
    @Test func beyondItsLimitTheServerRefusesWithAReason() async throws {
        let server = try await TestServer(cars: 1_000) { $0.connectionLimit = 2 }
        let (first, second) = try await (server.client(), server.client())
        #expect(await first.open() != nil)
        for _ in 0..<10 {
            let third = try await RawClient.connect(port: server.port)
            third.send(RawClient.hello())
            #expect(await third.cutOff() == .tooManyClients)
        }
        try await server.expectsToServe(first)
        #expect(await second.untilPong().isEmpty)
        try await second.channel.close().get()
        try await server.waitUntilWelcoming()
        await server.server.stop()
    }

    /// Nothing makes the thread come back, as when SQLite works through one endless step.
    @Test func aThreadThatDoesNotComeBackIsNotWaitedFor() async throws {
        let server = try await TestServer(cars: 3) { $0.timeouts.drain = .milliseconds(200) }
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        server.server.shared.builders.submit { _ in gate.wait() }
        let client = try await server.client()
        let opening = client.askToOpen(stream: 1)
        _ = await client.untilPong()
        async let stopped: Void = server.server.stop()
        for message in await client.untilClosed() {
            if case .error(let answer) = message {
                #expect(answer.request == opening || answer.request == 0)
            }
        }
        await stopped
    }

    @Test func stoppingAnswersWhatIsUnderWayAndSaysGoodbye() async throws {
        let server = try await TestServer(cars: 3_000)
        let (busy, idle) = try await (server.client(), server.client())
        let silent = try await RawClient.connect(port: server.port)
        #expect(await busy.open() != nil)
        // All this is under way when the server is told to stop.
        let window = busy.askWindow(rows: 1_000)
        let opening = busy.askToOpen(stream: 2, Query(grouping: "year"))
        let catalog = busy.ask { CatalogRequest(request: $0, countsRows: true) }
        // The server has got all of it.
        let before = await busy.untilPong()
        async let stopped: Void = server.server.stop()
        var (pages, isTold, answered) = (0, false, Set<UInt32>())
        for message in await before + busy.untilClosed() {
            switch message {
            case .page: pages += 1
            case .goingAway: isTold = true
            case .windowAnswer(let answer): answered.insert(answer.request)
            case .viewOpened(let answer): answered.insert(answer.request)
            case .catalogAnswer(let answer): answered.insert(answer.request)
            case .error(let answer): answered.insert(answer.request)
            default: Issue.record("\(message)")
            }
        }
        #expect(isTold)
        #expect(answered == [window, opening, catalog])
        #expect(pages >= 1_000 / 64, "all pages of the window went out before the end")
        #expect(
            await idle.untilClosed() == [
                .goingAway(GoingAway(reason: "the server is shutting down", seconds: 2))
            ])
        _ = await silent.untilClosed()
        await stopped
    }

    @Test func aStoppedServerAcceptsNoConnection() async throws {
        let folder = TemporaryFolder()
        let cars = try folder.cars(1)
        let server = try await TestServer(cars)
        await server.server.stop()
        let client = try await server.pair()
        #expect(await client.cutOff() == .shuttingDown)
        // Another test's server may have been given the port meanwhile, but not each time.
        for _ in 1...5 {
            let next = try await TestServer(cars)
            await next.server.stop()
            if (try? await RawClient.connect(port: next.port)) == nil { return }
        }
        Issue.record("it accepts connections")
    }
}
