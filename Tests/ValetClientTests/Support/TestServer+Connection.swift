import TestSupport
import ValetClient
import ValetModel

extension TestServer {
    static let station = Station(name: "test", id: StationID(high: 1, low: 2))

    func connect(creditBytes: Int = 1 << 20) async throws -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: port, station: Self.station, creditBytes: creditBytes)
    }

    /// Runs `body` with a server and a connection, and ends both.
    static func run(
        _ path: String, creditBytes: Int = 1 << 20,
        _ body: (ValetConnection) async throws -> Void
    ) async throws {
        let local = try await TestServer(path)
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
