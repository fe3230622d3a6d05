import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer

/// However a connection begins or ends, nobody waits for ever and the reason can be read.
@Suite(.timeLimit(.minutes(5))) struct ConnectionEndTests {
    private func pair() -> (CInt, CInt) {
        var ends: [CInt] = [0, 0]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// A server by hand at the other end of a pair of sockets, which has said these bytes.
    private func handmade(_ bytes: ByteBuffer) async throws -> (CInt, any Channel) {
        let (ours, theirs) = pair()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .withConnectedSocket(theirs).get()
        try await channel.writeAndFlush(bytes).get()
        return (ours, channel)
    }

    private func adopt(_ socket: CInt) async throws -> ValetConnection {
        try await ValetConnection.adopt(connectedSocket: socket, station: TestServer.station)
    }

    /// A connection to a server by hand that has said welcome and says no more.
    private func welcomed() async throws -> (ValetConnection, any Channel) {
        var bytes = ByteBuffer()
        Welcome(epoch: 1, server: "by hand").encode(into: &bytes)
        let (ours, server) = try await handmade(bytes)
        return (try await adopt(ours), server)
    }

    @Test func aListIsServedWithinOneProcess() async throws {
        let local = try await TestServer(cars: 100)
        let (ours, theirs) = pair()
        try await local.server.serve(connectedSocket: theirs)
        let connection = try await adopt(ours)
        #expect(connection.server.epoch == 7)
        #expect(connection.server.rowsPerWindow == Limits.rowsPerWindow)
        let view = try await connection.openView(list: "cars")
        #expect(try await view.allRows().count == 100)
        #expect(try await connection.roundTrip() > .zero)
        await connection.close()
        await local.server.stop()
    }

    @Test func aRefusedConnectionGivesTheSystemsMessage() async throws {
        let local = try await TestServer(cars: 1)
        await local.server.stop()
        let error = await failure { try await local.connect() }
        #expect(error?.code == .timedOut)
        #expect(error?.message.hasSuffix("Connection refused") == true)
    }

    @Test func aServerThatIsFullSaysSo() async throws {
        let local = try await TestServer(cars: 1) { $0.connectionLimit = 1 }
        let first = try await local.connect()
        #expect(await failure { try await local.connect() }?.code == .tooManyClients)
        #expect(try await first.catalog().rowCounts == [1])
        await first.close()
        await local.server.stop()
    }

    @Test func aServerThatClosesInsteadOfWelcomingIsNamed() async throws {
        let (ours, server) = try await handmade(ByteBuffer())
        async let connecting = failure { try await adopt(ours) }
        try await server.close().get()
        #expect(await connecting?.code == .shuttingDown)
    }

    @Test func somethingElseThanAServerIsNamed() async throws {
        let http = ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n")
        let (ours, server) = try await handmade(http)
        #expect(await failure { try await adopt(ours) }?.code == .limitExceeded)
        try await server.closeFuture.get()
    }

    @Test func aGreetingThatIsCancelledLeavesNoConnection() async throws {
        let (ours, server) = try await handmade(ByteBuffer())
        let connecting = Task { await failure { try await adopt(ours) } }
        connecting.cancel()
        #expect(await connecting.value?.code == .superseded)
        try await server.closeFuture.get()
    }

    @Test func whenTheServerIsKilledEverythingFails() async throws {
        let (connection, server) = try await welcomed()
        let waiting = [
            Task { await failure { try await connection.catalog() } },
            Task { await failure { try await connection.openView(list: "cars") } },
            Task { await failure { try await connection.roundTrip() } },
            Task { await failure { try await connection.detail(list: "cars", rowID: 1) } },
        ]
        await Task.yield()
        try await server.close().get()
        for task in waiting {
            let error = await task.value
            #expect(error?.code == .shuttingDown)
            // Closed, or reset because it had not read everything.
            #expect(error?.message.contains("connection") == true)
        }
        await connection.closed()
        #expect(await failure { try await connection.catalog() }?.code == .shuttingDown)
    }

    @Test func closingEndsWhatWaits() async throws {
        let (connection, server) = try await welcomed()
        let waiting = Task { await failure { try await connection.catalog() } }
        await Task.yield()
        await connection.close()
        #expect(await waiting.value?.message == "the connection was closed")
        try await server.closeFuture.get()
        await connection.close()
    }

    @Test func aCancelledRequestEndsAtOnce() async throws {
        let (connection, server) = try await welcomed()
        let waiting = Task { await failure { try await connection.catalog() } }
        await Task.yield()
        waiting.cancel()
        #expect(await waiting.value?.code == .superseded)
        await connection.close()
        try await server.closeFuture.get()
    }

    @Test func aConnectionWithoutReferencesIsClosed() async throws {
        let (_, server) = try await welcomed()
        try await server.closeFuture.get()
    }

    @Test func aServerThatStopsSaysGoodbyeAndAnswersFirst() async throws {
        let local = try await TestServer(cars: 2_000)
        let connection = try await local.connect()
        let (reasons, tell) = AsyncStream<String>.makeStream()
        connection.onGoingAway { tell.yield($0) }
        let view = try await connection.openView(list: "cars")
        // Sent before the ping, so the server has it when the pong comes.
        let (windows, tellWindow) = AsyncStream<Result<Window, ValetError>>.makeStream()
        view.requestWindow(at: .ordinal(500), rows: 1_000, wantsParts: false) {
            tellWindow.yield($0)
        }
        _ = try await connection.roundTrip()
        async let stopped: Void = local.server.stop()
        var answers = windows.makeAsyncIterator()
        #expect(try await answers.next()?.get().rows.count == 1_000)
        var iterator = reasons.makeAsyncIterator()
        #expect(await iterator.next() == "the server is shutting down")
        await connection.closed()
        let late = await failure { try await view.window(at: .ordinal(0), rows: 1) }
        #expect(late?.code == .shuttingDown)
        await stopped
    }
}
