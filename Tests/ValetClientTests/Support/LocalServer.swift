import Logging
import NIOPosix
import Testing
import ValetModel

@testable import ValetClient
@testable import ValetServer

/// A server of its own for one test, on a port that the system chose.
struct LocalServer {
    let server: ValetServer
    let port: Int

    static let station = Station(name: "test", id: StationID(high: 1, low: 2))

    init(_ path: String, _ adjust: (inout ServerOptions) -> Void = { _ in }) async throws {
        var options = ServerOptions(path: path, epoch: 7)
        options.patience.toLinger = .seconds(1)
        options.patience.toDrain = .seconds(2)
        adjust(&options)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try await ValetServer(
            options, group: MultiThreadedEventLoopGroup.singleton, logger: logger)
        port = try #require(try await server.listen(host: "127.0.0.1", port: 0).port)
    }

    func connect(creditBytes: Int = 1 << 20) async throws -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: port, station: Self.station, creditBytes: creditBytes)
    }

    /// Runs `body` with a server and a connection, and ends both.
    static func run(
        _ path: String, creditBytes: Int = 1 << 20,
        _ body: (ValetConnection) async throws -> Void
    ) async throws {
        let local = try await LocalServer(path)
        do {
            let connection = try await local.connect(creditBytes: creditBytes)
            try await body(connection)
            await connection.close()
        } catch {
            await local.server.stop()
            throw error
        }
        await local.server.stop()
    }
}

/// The error that `body` throws.
func failure<Value>(_ body: () async throws(ValetError) -> Value) async -> ValetError? {
    do throws(ValetError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
