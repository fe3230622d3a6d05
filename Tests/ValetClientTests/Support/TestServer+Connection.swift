import TestSupport
import ValetModel

@testable import ValetClient

extension TestServer {
    static let station = Station(name: "test", id: StationID(high: 1, low: 2))

    func connect(creditBytes: Int = 1 << 20) async throws -> ValetConnection {
        try await ValetConnection.connect(
            host: "127.0.0.1", port: port, station: Self.station, creditBytes: creditBytes)
    }

    /// A station that connects again soon.
    func connectStation() async throws -> ValetStation {
        try await Self.connectStation { port }
    }

    /// A station that connects to whatever port is served now, and soon again.
    static func connectStation(
        to port: @escaping @Sendable () -> Int
    ) async throws -> ValetStation {
        try await ValetStation.connect(backOff: BackOff(first: 0.001)) {
            () throws(ValetError) in
            try await ValetConnection.connect(host: "127.0.0.1", port: port(), station: station)
        }
    }

    /// Runs `body` with a server of so many cars and a connection, and ends both.
    static func run(
        cars count: Int, creditBytes: Int = 1 << 20, _ body: (ValetConnection) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        try await run(folder.cars(count), creditBytes: creditBytes, body)
    }

    /// Runs `body` with a server and a connection, and ends both.
    static func run(
        _ path: String, creditBytes: Int = 1 << 20, _ body: (ValetConnection) async throws -> Void
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

extension ValetView {
    /// All rows of a small view.
    func allRows() async throws(ValetError) -> [Row] {
        try await window(at: .ordinal(0), rows: 1_024).rows.compactMap(\.self)
    }
}
