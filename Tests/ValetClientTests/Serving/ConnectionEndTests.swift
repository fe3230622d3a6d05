import NIOCore
import NIOPosix
import TestSupport
import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient
@testable import ValetServer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

    private var welcome: ByteBuffer {
        var bytes = ByteBuffer()
        Welcome(epoch: 1, server: "by hand").encode(into: &bytes)
        return bytes
    }

    @Test func aListIsServedWithinOneProcess() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(folder.cars(100))
        let (ours, theirs) = pair()
        try await local.server.serve(connectedSocket: theirs)
        let connection = try await ValetConnection.adopt(
            connectedSocket: ours, station: TestServer.station)
        #expect(connection.server.epoch == 7)
        #expect(connection.server.rowsPerWindow == Limits.rowsPerWindow)
        let view = try await connection.openView(list: "cars")
        #expect(try await view.allRows().count == 100)
        #expect(try await connection.roundTrip() > .zero)
        await connection.close()
        await local.server.stop()
    }

    @Test func aRefusedConnectionGivesTheSystemsMessage() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(folder.cars(1))
        await local.server.stop()
        let error = await failure { () throws(ValetError) in
            try await ValetConnection.connect(
                host: "127.0.0.1", port: local.port, station: TestServer.station)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.hasSuffix("Connection refused") == true)
    }

    @Test func aServerThatIsFullSaysSo() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(folder.cars(1)) { $0.connectionLimit = 1 }
        let first = try await local.connect()
        let refused: ErrorCode?
        do {
            _ = try await local.connect()
            refused = nil
        } catch {
            refused = (error as? ValetError)?.code
        }
        #expect(refused == .tooManyClients)
        #expect(try await first.catalog().rowCounts == [1])
        await first.close()
        await local.server.stop()
    }

    @Test func aServerThatClosesInsteadOfWelcomingIsNamed() async throws {
        let (ours, server) = try await handmade(ByteBuffer())
        async let connecting = failure { () throws(ValetError) in
            try await ValetConnection.adopt(connectedSocket: ours, station: TestServer.station)
        }
        try await server.close().get()
        #expect(await connecting?.code == .shuttingDown)
    }

    @Test func somethingElseThanAServerIsNamed() async throws {
        let http = ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n")
        let (ours, server) = try await handmade(http)
        let error = await failure { () throws(ValetError) in
            try await ValetConnection.adopt(connectedSocket: ours, station: TestServer.station)
        }
        #expect(error?.code == .limitExceeded)
        try await server.closeFuture.get()
    }

    @Test func aGreetingThatIsCancelledLeavesNoConnection() async throws {
        let (ours, server) = try await handmade(ByteBuffer())
        let connecting = Task {
            await failure { () throws(ValetError) in
                try await ValetConnection.adopt(
                    connectedSocket: ours, station: TestServer.station)
            }
        }
        connecting.cancel()
        #expect(await connecting.value?.code == .superseded)
        try await server.closeFuture.get()
    }

    @Test func whenTheServerIsKilledEverythingFails() async throws {
        let (ours, server) = try await handmade(welcome)
        let connection = try await ValetConnection.adopt(
            connectedSocket: ours, station: TestServer.station)
        let waiting = [
            Task { await failure { () throws(ValetError) in try await connection.catalog() } },
            Task {
                await failure { () throws(ValetError) in
                    try await connection.openView(list: "cars")
                }
            },
            Task { await failure { () throws(ValetError) in try await connection.roundTrip() } },
            Task {
                await failure { () throws(ValetError) in
                    try await connection.detail(list: "cars", rowID: 1)
                }
            },
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
        let late = await failure { () throws(ValetError) in try await connection.catalog() }
        #expect(late?.code == .shuttingDown)
    }

    @Test func closingEndsWhatWaits() async throws {
        let (ours, server) = try await handmade(welcome)
        let connection = try await ValetConnection.adopt(
            connectedSocket: ours, station: TestServer.station)
        let waiting = Task {
            await failure { () throws(ValetError) in try await connection.catalog() }
        }
        await Task.yield()
        await connection.close()
        #expect(await waiting.value?.message == "the connection was closed")
        try await server.closeFuture.get()
        await connection.close()
    }

    @Test func aCancelledRequestEndsAtOnce() async throws {
        let (ours, server) = try await handmade(welcome)
        let connection = try await ValetConnection.adopt(
            connectedSocket: ours, station: TestServer.station)
        let waiting = Task {
            await failure { () throws(ValetError) in try await connection.catalog() }
        }
        await Task.yield()
        waiting.cancel()
        #expect(await waiting.value?.code == .superseded)
        await connection.close()
        try await server.closeFuture.get()
    }

    @Test func aConnectionWithoutReferencesIsClosed() async throws {
        let (ours, server) = try await handmade(welcome)
        _ = try await ValetConnection.adopt(
            connectedSocket: ours, station: TestServer.station)
        try await server.closeFuture.get()
    }

    @Test func aServerThatStopsSaysGoodbyeAndAnswersFirst() async throws {
        let folder = TemporaryFolder()
        let local = try await TestServer(folder.cars(2_000))
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
        let late = await failure { () throws(ValetError) in
            try await view.window(at: .ordinal(0), rows: 1)
        }
        #expect(late?.code == .shuttingDown)
        await stopped
    }
}
