import Foundation
import TestSupport
import ValetCluster
import ValetModel

@testable import ValetClient
@testable import ValetServer
@testable import ValetStore

/// Three servers of one list, each with its own file, and the log that they share.
final class ServedNodes: Sendable {
    struct Served: Sendable {
        let name: String
        let path: String
        let server: TestServer
        let log: MemoryLog.Node

        var status: NodeStatus? { server.server.shared.writer?.node?.status }
    }

    static let names = ["ana", "bob", "cyd"]
    let log = MemoryLog()
    private let starts = Mutex<UInt64>(0)
    private let news = News()
    private let served = Mutex<[String: Served]>([:])
    /// Each node's own.
    private let folders: [String: TemporaryFolder]
    let disks: [String: FaultyDisk]

    private let placesPerMark: UInt64

    /// - Parameter placesPerMark: of the log, between two at which files are compared.
    init(
        _ sql: String, placesPerMark: UInt64 = Limits.placesPerContentMark
    ) async throws {
        self.placesPerMark = placesPerMark
        let first = TemporaryFolder()
        let file = try first.database(sql)
        try MemoryLog.join(file)
        var folders = [Self.names[0]: first]
        for name in Self.names.dropFirst() {
            let folder = TemporaryFolder()
            try FileManager.default.copyItem(atPath: file, toPath: folder.file("test.db"))
            folders[name] = folder
        }
        self.folders = folders
        disks = folders.mapValues { FaultyDisk($0) }
        for name in Self.names { try await start(name) }
    }

    func start(_ name: String) async throws {
        let start = starts.withLock { starts in
            defer { starts += 1 }
            return starts
        }
        guard let path = path(of: name) else {
            throw Unexpected("no node is called \(name)")
        }
        let node = log.connection()
        let server = try await TestServer(path) {
            $0.epoch += start * 1_000
            $0.membership = ClusterMembership(name: name, log: node)
            $0.membership?.placesPerMark = placesPerMark
            $0.membership?.times.silence = 200
            $0.membership?.times.betweenHeartbeats = 50
            $0.membership?.times.forLoss = 1_000
            $0.membership?.changed = { [news] _ in news.come() }
        }
        let now = Served(name: name, path: path, server: server, log: node)
        served.withLock { $0[name] = now }
    }

    /// As when its process ends: others hear nothing of it.
    func stop(_ name: String) async {
        let stopped = served.withLock { $0.removeValue(forKey: name) }
        stopped?.log.cut(true)
        await stopped?.server.server.stop()
    }

    func stop() async {
        for name in Self.names { await stop(name) }
    }

    subscript(name: String) -> Served? { served.withLock { $0[name] } }

    /// Also of one that is stopped.
    func path(of name: String) -> String? { folders[name]?.file("test.db") }

    var all: [Served] { Self.names.compactMap { self[$0] } }

    /// The one that leads, as it says itself, once there is one.
    func leader() async -> Served {
        await wait(for: { all.first { $0.status?.role == .leading(nil) } })
    }

    /// The first value that there is, looked for whenever a node has another status.
    func wait<Value>(for value: () -> Value?) async -> Value {
        while true {
            let seen = news.count
            if let value = value() { return value }
            await news.wait(after: seen)
        }
    }

    func station(_ number: UInt64, at name: String) async throws -> ValetStation {
        let station = Station(name: "station \(number)", id: StationID(high: 9, low: number))
        return try await ValetStation.connect(backOff: BackOff(first: 0.01)) {
            [self] () throws(ValetError) in
            guard let node = self[name] else { throw ValetError(.shuttingDown, "it is stopped") }
            return try await ValetConnection.connect(
                host: "127.0.0.1", port: node.server.port, station: station)
        }
    }

    /// When all nodes have the same.
    func settle() async {
        _ = await wait {
            let places = Set(all.map { $0.status?.place })
            return places.count == 1 && places != [0] ? places : nil
        }
    }
}

/// Counts what happens, for those who wait for the next.
private final class News: Sendable {
    private let state = Mutex<(count: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

    var count: Int { state.withLock(\.count) }

    func come() {
        let waiting = state.withLock { state in
            defer { state = (state.count + 1, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func wait(after seen: Int) async {
        await withCheckedContinuation { continuation in
            let isPast = state.withLock { state in
                if state.count == seen { state.waiting.append(continuation) }
                return state.count != seen
            }
            if isPast { continuation.resume() }
        }
    }
}
