import NIOCore
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

/// How far a query is that waits for its answer.
@Suite struct BuildProgressTests {
    /// Asks the view's next query; what it is told collects.
    private func ask(_ server: EmbeddedServer, stream: UInt16 = 1) throws -> (UInt32, Told) {
        let told = Told()
        server.handler.rearrange(
            EmbeddedServer.view(stream), Query(), progress: { told.figures.append($0) }
        ) { _ in told.isAnswered = true }
        guard case .rearrangeView(let asked) = try server.heard() else {
            throw ValetError(.unexpected, "no query was asked")
        }
        return (asked.request, told)
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

    @Test func moreThanAllEndsTheConnection() throws {
        let server = try EmbeddedServer(views: [1])
        let (request, told) = try ask(server)
        try say(server, request, 1_001)
        #expect(server.handler.failure?.code == .malformed)
        #expect(told.figures.isEmpty && told.isAnswered, "whatever waits is told why")
    }
}
