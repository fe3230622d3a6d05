import TestSupport
import ValetModel
import ValetServer

@testable import ValetClient
@testable import ValetStore

/// A list of cars, served behind a proxy, with a look into its file.
final class ProxiedList: Sendable {
    let log: LogFile
    private let folder = TemporaryFolder()
    private let path: String
    private let server: TestServer
    private let proxy: FrameProxy

    init(_ sql: String, _ mischief: Mischief) async throws {
        path = try folder.database(sql)
        log = try LogFile(path)
        let server = try await TestServer(path)
        self.server = server
        proxy = try await FrameProxy(before: server.port) { MischievousFilter(mischief) }
    }

    func stop() async {
        await proxy.stop()
        await server.server.stop()
    }

    /// A station that connects again at once, each time with other credit.
    func station(
        _ number: Int, seed: UInt64, hasLittleCredit: Bool
    ) async throws(ValetError) -> ValetStation {
        let numbers = Mutex(SeededNumbers(seed: seed, index: 100 + number))
        let station = Station(
            name: "station \(number)", id: StationID(high: 9, low: UInt64(number)))
        let port = proxy.port
        return try await ValetStation.connect(backOff: BackOff(first: 0.001)) {
            () throws(ValetError) in
            let credits = hasLittleCredit ? [3_000, 8_000, 30_000, 1 << 20] : [1 << 20]
            let credit = numbers.withLock { credits[$0.below(credits.count)] }
            return try await ValetConnection.connect(
                host: "127.0.0.1", port: port, station: station, creditBytes: credit)
        }
    }

    func rows() -> EditModel.Rows { Self.rows(in: path) }

    static func rows(in path: String) -> EditModel.Rows {
        guard let connection = try? Connection(path: path),
            let statement = try? connection.prepare("SELECT rowid, make, model, year FROM cars")
        else { return [:] }
        var rows: EditModel.Rows = [:]
        while (try? statement.step()) == true {
            rows[statement.integer(0)] = (1...3).map {
                statement.cell($0, limit: Limits.bytesPerValue)
            }
        }
        return rows
    }
}

/// The log in the file, as another program reads it.
final class LogFile: Sendable {
    private final class Reader {
        let connection: Connection
        var statement: Statement?

        init(_ path: String) throws(ValetError) {
            connection = try Connection(path: path)
        }

        func has(_ revision: UInt64) throws(ValetError) -> Bool {
            // The table is there from the first command on.
            if statement == nil {
                statement = try connection.prepare("SELECT 1 FROM _valet_log WHERE revision = ?")
            }
            guard let statement else { return false }
            defer { statement.reset() }
            statement.bind(Int64(bitPattern: revision), at: 0)
            return try statement.step()
        }
    }

    private let reader: Mutex<Reader>

    init(_ path: String) throws(ValetError) {
        reader = Mutex(try Reader(path))
    }

    func has(_ revision: UInt64) -> Bool {
        reader.withLock { (try? $0.has(revision)) ?? false }
    }
}
