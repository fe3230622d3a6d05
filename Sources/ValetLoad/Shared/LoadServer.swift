import ValetClient
import ValetModel

/// A server that a run measures: a process of its own, or for tests one inside this process.
package protocol LoadServer: Sendable {
    /// On 127.0.0.1.
    var port: Int { get }
    /// Its memory; nil where that is unknown, and for a server inside this process.
    func memory() -> ServerMemory?
    func stop() async
}

/// Starts a server for a database file.
package typealias ServerStarter = @Sendable (_ file: String) async throws -> any LoadServer

package struct ServerMemory: Hashable, Sendable {
    /// Bytes that are in memory now, and the most that ever were.
    package var resident: Int
    package var peak: Int

    package init(resident: Int, peak: Int) {
        self.resident = resident
        self.peak = peak
    }
}

extension LoadServer {
    /// Connects as another station, with an empty page cache.
    func connect(as number: UInt64) async throws(ValetError) -> ValetConnection {
        let station = Station(name: "load \(number)", id: StationID(high: 0, low: number))
        return try await ValetConnection.connect(host: "127.0.0.1", port: port, station: station)
    }
}
