import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import ValetModel
import ValetProtocol
import ValetServer
import ValetStore

/// A server of a few rows, which goes on for all inputs: each is a connection.
final class FuzzedServer: Sendable {
    static let shared = FuzzedServer()

    private let server: ValetServer
    private let port: Int

    private init() {
        do {
            let path = FuzzTarget.folder + "/server.sqlite"
            try Connection(path: path, access: .create).run(
                """
                CREATE TABLE IF NOT EXISTS cars (id INTEGER PRIMARY KEY, make, model, year INTEGER);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO cars (make, model, year)
                    SELECT 'Make ' || i % 7, 'Model ' || i, 1990 + i % 30 FROM n;
                """)
            (server, port) = try Self.waiting {
                var logger = Logger(label: "fuzz")
                logger.logLevel = .critical
                let server = try await ValetServer(
                    ServerOptions(path: path, epoch: 7),
                    group: MultiThreadedEventLoopGroup.singleton, logger: logger)
                let address = try await server.listen(host: "127.0.0.1", port: 0)
                return (server, address.port ?? 0)
            }
        } catch {
            fatalError("no server: \(error)")
        }
    }

    private static func waiting<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw FuzzTarget.Broken(what: "nothing") }
        return try result.get()
    }

    /// Says hello and the bytes, and reads until the server hangs up.
    func hear(_ bytes: [UInt8]) throws {
        let station = Station(name: "fuzz", id: StationID(high: 1, low: 2))
        var hello = ByteBuffer()
        Hello(creditBytes: 1 << 20, station: station).encode(into: &hello)
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafeBytes(of: &address) { raw in
            connect(
                descriptor, raw.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(raw.count)) == 0
        }
        try FuzzTarget.check(isConnected, "the server takes no connection")
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let all = hello.readableBytesView + bytes
        // The server may have hung up before.
        _ = all.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        shutdown(descriptor, CInt(SHUT_WR))
        var answer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &answer, answer.count, 0)
            if count > 0 { continue }
            try FuzzTarget.check(count == 0 || errno != EAGAIN, "the server does not hang up")
            return
        }
    }
}
