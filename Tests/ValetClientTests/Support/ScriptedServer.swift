import NIOCore
import NIOPosix
import TestSupport
import ValetClient
import ValetModel
import ValetProtocol

/// A server on a socket that says what the test lets it say.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ClientMessage) -> [ServerMessage]

    let port: Int
    private let listener: any Channel

    init(_ script: @escaping Script) async throws {
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Player(script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = listener.localAddress?.port ?? 0
    }

    /// Runs `body` with a connection to a server that follows the script.
    static func run(
        _ script: @escaping Script, _ body: (ValetConnection) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer(script)
        do {
            let connection = try await server.connect()
            try await body(connection)
            await connection.close()
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    func connect() async throws(ValetError) -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: port, station: TestServer.station)
    }

    func stop() async { try? await listener.close().get() }
}

private final class Player: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let script: ScriptedServer.Script
    private var received = ByteBuffer()
    /// After an error for no request, on stream 0.
    private var hasEnded = false

    init(_ script: @escaping ScriptedServer.Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        var answers = ByteBuffer()
        while !hasEnded,
            let frame = try? Frame(takingFrom: &received, payloadLimit: Limits.bytesPerClientFrame),
            let message = try? ClientMessage(frame: frame)
        {
            for answer in script(message) where !hasEnded {
                answer.encode(stream: frame.stream, into: &answers)
                if case .error(let error) = answer {
                    hasEnded = error.request == 0 && frame.stream == 0
                }
            }
        }
        context.writeAndFlush(wrapOutboundOut(answers), promise: nil)
        if hasEnded { context.close(promise: nil) }
    }
}
