import Dispatch
import NIOCore
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer

/// How far a query is that waits for its answer.
@Suite struct BuildProgressTests {
    /// Asks the view's next query; what it is told collects.
    private func ask(_ server: EmbeddedServer, stream: UInt16 = 1) throws -> (UInt32, Told) {
        let told = Told()
        server.handler.rearrange(
            EmbeddedServer.view(stream), Query(), progress: { told.figures.append($0) }
        ) { _ in told.isAnswered = true }
        return (try server.heard(RearrangeView.self).request, told)
    }

    private final class Told {
        var figures: [Int] = []
        var isAnswered = false
    }

    private func say(
        _ server: EmbeddedServer, _ request: UInt32, _ thousandths: UInt32, stream: UInt16 = 1
    ) throws {
        try server.say(
            BuildProgress(request: request, generation: 1, thousandths: thousandths),
            stream: stream)
    }

    @Test func theNewestQueryGetsProgress() throws {
        let server = try EmbeddedServer(views: [1, 2])
        let (first, told) = try ask(server)
        let (other, toldOther) = try ask(server, stream: 2)
        try say(server, first, 10)
        try say(server, other, 20, stream: 2)
        try say(server, first, 30)
        #expect(told.figures == [10, 30] && toldOther.figures == [20])
        let (second, toldSecond) = try ask(server)
        try say(server, first, 40)
        try say(server, second, 50)
        #expect(told.figures == [10, 30] && toldSecond.figures == [50])
    }

    @Test(arguments: [true, false]) func nothingIsDeliveredAfterTheAnswer(_ succeeds: Bool) throws {
        let server = try EmbeddedServer(views: [1])
        let (request, told) = try ask(server)
        if succeeds {
            try server.say(Cars.opened(request, generation: 2), stream: 1)
        } else {
            let error = ValetError(.storageFailed, "locked")
            try server.say(ErrorAnswer(request: request, error: error), stream: 1)
        }
        #expect(told.isAnswered)
        try say(server, request, 1)
        #expect(told.figures.isEmpty)
    }

    @Test func unrequestedProgressIsIgnored() throws {
        let server = try EmbeddedServer(views: [1])
        let (request, told) = try ask(server)
        try say(server, request + 1, 10)
        try say(server, request, 10, stream: 9)
        try say(server, 0, 10, stream: 0)
        #expect(told.figures.isEmpty && server.handler.failure == nil)
    }

    @Test func beforeTheWelcomeItEndsTheConnection() throws {
        let server = try EmbeddedServer()
        try say(server, 1, 1)
        #expect(server.handler.failure?.code == .unexpected)
    }

    /// From the thread that builds to the client that waits.
    @Test(.timeLimit(.minutes(5))) func aViewThatTakesLongSaysHowFarItIs() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(
            folder.database("CREATE TABLE cars (make TEXT); INSERT INTO cars VALUES ('BMW');")
        ) { $0.builderThreads = 1 }
        let gate = DispatchSemaphore(value: 0)
        local.server.shared.builders.submit { _ in gate.wait() }
        let connection = try await local.connect()
        let (told, ears) = AsyncStream<Int>.makeStream()
        async let opening = connection.openView(list: "cars") { ears.yield($0) }
        var figures = told.makeAsyncIterator()
        #expect(await figures.next() == 0)
        let list = local.server.shared.lists[0]
        for specification in list.keeper.waiting.keys {
            let work = list.publisher.ask { list.state.withLock { $0.work(for: specification) } }
            work?.progress.store(420, ordering: .relaxed)
        }
        #expect(await figures.next() == 420)
        gate.signal()
        #expect(try await opening.summary.totalRows == 1)
        ears.finish()
        var last = 420
        while let next = await figures.next() {
            #expect(next > last)
            last = next
        }
        await connection.close()
        await local.server.stop()
    }
}
