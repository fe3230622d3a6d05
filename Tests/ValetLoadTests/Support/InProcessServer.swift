import Logging
import NIOPosix
import ValetServer

@testable import ValetLoad

/// The server that a bench starts, without a process of its own: its memory is not known apart.
struct InProcessServer: LoadServer {
    let server: ValetServer
    let port: Int

    init(serving file: String) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try await ValetServer(
            ServerOptions(path: file, epoch: 1),
            group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        port = try await server.listen(host: "127.0.0.1", port: 0).port ?? 0
    }

    func memory() -> ServerMemory? { nil }

    func stop() async {
        await server.stop()
    }
}
