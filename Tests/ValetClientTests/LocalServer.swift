import Foundation
import Logging
import NIOPosix
import Testing
import ValetModel
import ValetServer

@testable import ValetClient

/// A server of its own for one test, on a port that the system chose.
struct LocalServer {
    let server: ValetServer
    let port: Int

    init(_ path: String, _ adjust: (inout ServerOptions) -> Void = { _ in }) async throws {
        var options = ServerOptions(path: path, epoch: 7)
        adjust(&options)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try await ValetServer(
            options, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        port = try await server.listen(host: "127.0.0.1", port: 0).port!
    }

    func connect(creditBytes: Int = 1 << 20) async throws -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: port,
            station: Station(name: "test", id: StationID(high: 1, low: 2)),
            creditBytes: creditBytes)
    }

    /// Runs `body` with a server and a connection, and ends both.
    static func run(
        _ path: String, _ body: (ValetConnection) async throws -> Void
    ) async throws {
        let local = try await LocalServer(path)
        let connection = try await local.connect()
        do {
            try await body(connection)
        } catch {
            await connection.close()
            await local.server.stop()
            throw error
        }
        await connection.close()
        await local.server.stop()
    }
}
