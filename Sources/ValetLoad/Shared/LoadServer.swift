import ValetClient
import ValetModel

/// A server that a run measures: a process of its own, or for tests one inside this process.
package protocol LoadServer: Sendable {
    /// On 127.0.0.1.
    var port: Int { get }
    func stop() async
}

/// Starts a server for a database file.
package typealias ServerStarter = @Sendable (_ file: String) async throws -> any LoadServer

/// Bytes that are in a server's memory now, and the most that ever were.
struct ServerMemory: Hashable, Sendable {
    var resident: Int
    var peak: Int
}

extension ServerMemory {
    /// nil if the server does not know.
    init?(_ statistics: ServerStatistics?) {
        guard let resident = statistics?[.residentBytes],
            let peak = statistics?[.peakResidentBytes]
        else { return nil }
        self.init(resident: resident, peak: peak)
    }
}

extension LoadServer {
    /// Connects as another station, with an empty page cache.
    func connect(as number: UInt64) async throws(ValetError) -> ValetConnection {
        let station = Station(name: "load \(number)", id: StationID(high: 0, low: number))
        return try await ValetConnection.connect(host: "127.0.0.1", port: port, station: station)
    }
}
