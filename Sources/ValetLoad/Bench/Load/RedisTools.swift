import Foundation
import NIOCore
import NIOPosix
import ValetModel

/// Redis as it is installed on this machine, to put a full load beside.
struct RedisTools: Hashable, Sendable {
    let server: String
    let benchmark: String

    /// nil when a program of it is missing.
    static func installed(
        path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) -> RedisTools? {
        func find(_ program: String) -> String? {
            path.split(separator: ":").map { "\($0)/\(program)" }.first {
                FileManager.default.isExecutableFile(atPath: $0)
            }
        }
        guard let server = find("redis-server"), let benchmark = find("redis-benchmark") else {
            return nil
        }
        return RedisTools(server: server, benchmark: benchmark)
    }
}

/// A Redis server of our own that keeps nothing: a child process, as long as it is held.
final class RedisServer {
    private let tools: RedisTools
    private let process: ChildProcess
    private let scratch: ScratchDirectory
    let port: Int

    static let key = "window"
    /// Attempts to find a port: another process may take a free one before the server does.
    private static let attempts = 5

    static func start(_ tools: RedisTools) async throws -> RedisServer {
        for _ in 1..<attempts {
            if let server = try? RedisServer(tools, port: await freePort()) { return server }
        }
        return try RedisServer(tools, port: await freePort())
    }

    /// A port that the system would give now, since Redis can't ask for one.
    private static func freePort() async throws -> Int {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = listener.localAddress?.port ?? 0
        try await listener.close()
        return port
    }

    private init(_ tools: RedisTools, port: Int) throws {
        self.tools = tools
        self.port = port
        scratch = try ScratchDirectory()
        let arguments = [
            "--bind", "127.0.0.1", "--port", "\(port)", "--unixsocket", "", "--save", "",
            "--appendonly", "no", "--daemonize", "no", "--dir", scratch.path,
        ]
        process = try ChildProcess(tools.server, arguments, isQuiet: true)
        guard Self.isReady(process.output) else {
            throw ValetError(.shuttingDown, "redis-server did not start on port \(port)")
        }
    }

    /// Reads the log until the server is ready, or has ended.
    private static func isReady(_ log: FileHandle) -> Bool {
        var text = ""
        while let bytes = try? log.read(upToCount: 1), !bytes.isEmpty {
            text += String(decoding: bytes, as: UTF8.self)
            if text.hasSuffix("Ready to accept connections") { return true }
        }
        return false
    }

    /// Stores a value of so many bytes.
    func store(byteCount: Int) throws {
        let value = String(repeating: "v", count: byteCount)
        _ = try benchmark(["-c", "1", "-n", "1", "SET", Self.key, value])
    }

    /// Reads the value `count` times over so many connections, each with so many requests at once.
    func get(_ count: Int, clients: Int, inFlight: Int) throws -> RedisFigures {
        let arguments = [
            "-c", "\(clients)", "-n", "\(count)", "-P", "\(inFlight)", "GET", Self.key,
        ]
        let output = try benchmark(arguments)
        guard let figures = RedisFigures(csv: output) else {
            throw ValetError(.malformed, "redis-benchmark printed no figures: \(output)")
        }
        return figures
    }

    private func benchmark(_ arguments: [String]) throws -> String {
        let arguments = ["-h", "127.0.0.1", "-p", "\(port)", "--csv"] + arguments
        let process = try ChildProcess(tools.benchmark, arguments, isQuiet: true)
        guard let output = process.finish() else {
            throw ValetError(.shuttingDown, "redis-benchmark failed")
        }
        return output
    }
}

/// What redis-benchmark prints with `--csv`: a line of names, a line of values, all in quotes.
struct RedisFigures: Hashable {
    var perSecond: Double
    var p50Microseconds: Double
    var p99Microseconds: Double

    init?(csv: String) {
        let lines = csv.split(separator: "\n").suffix(2).map { line in
            line.split(separator: "\",\"").map { $0.filter { $0 != "\"" && $0 != "\r" } }
        }
        guard lines.count == 2, lines[0].count == lines[1].count else { return nil }
        func value(_ name: String) -> Double? {
            lines[0].firstIndex(of: name).flatMap { Double(lines[1][$0]) }
        }
        guard let rate = value("rps"), let p50 = value("p50_latency_ms"),
            let p99 = value("p99_latency_ms")
        else { return nil }
        (perSecond, p50Microseconds, p99Microseconds) = (rate, p50 * 1_000, p99 * 1_000)
    }
}
