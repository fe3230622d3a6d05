import ValetClient
import ValetCommands
import ValetModel
import ValetSecurity

/// A server that a run measures: a process of its own, or for tests one inside this process.
package protocol LoadServer: Sendable {
    /// On 127.0.0.1.
    var port: Int { get }
    func stop() async
}

/// Starts a server for a database file.
package typealias ServerStarter = @Sendable (_ file: String) async throws -> any LoadServer

extension LoadServer {
    var address: ServerAddress { ServerAddress(port: port) }
}

extension ServerAddress {
    /// Connects as the station with this number, with an empty page cache.
    /// - Parameters:
    ///   - high: the first half of the station's id, which sets those of each command apart.
    ///   - credential: nil for what is kept for the server.
    func connect(
        as number: UInt64, _ kind: String = "load", high: UInt64 = 0,
        credential: Credential? = nil
    ) async throws(ValetError) -> ValetConnection {
        let id = StationID(high: high, low: number)
        let known = credential == nil ? try Credentials().credential(for: self) : credential
        return try await ValetConnection.connect(
            host: host, port: port, station: Station(name: "\(kind) \(number)", id: id),
            trust: isEncrypted ? KnownServers().trust(at: self) : nil,
            credential: known)
    }
}

extension ValetConnection {
    /// - Parameter name: nil for the only one.
    func list(named name: String?) async throws(ValetError) -> ListDescription {
        let catalog = try await catalog(countingRows: false).catalog
        if let name { return try catalog.list(named: name) }
        guard let first = catalog.lists.first, catalog.lists.count == 1 else {
            throw ValetError(
                .unknownList, "name a list with --list", alternatives: catalog.lists.map(\.name))
        }
        return first
    }
}

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
