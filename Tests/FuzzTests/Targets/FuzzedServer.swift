import NIOCore
import TestSupport
import ValetModel
import ValetProtocol

@testable import ValetServer

/// A server that goes on for all inputs: each is a connection.
enum FuzzedServer {
    /// The first input starts it and waits for it, since libFuzzer's callback can't be async.
    private static let server: Result<TestServer, any Error> = {
        let started = Reply<Result<TestServer, any Error>>()
        Task {
            do {
                started.give(.success(try await TestServer(cars: 300)))
            } catch {
                started.give(.failure(error))
            }
        }
        return started.wait()
    }()

    /// Says hello and the bytes, and reads until the server hangs up.
    static func hear(_ bytes: [UInt8]) throws {
        let socket = try BlockingSocket(port: server.get().port)
        var hello = ByteBuffer()
        let station = Station(name: "fuzz", id: StationID(high: 1, low: 2))
        Hello(creditBytes: 1 << 20, station: station).encode(into: &hello)
        socket.send(Array(hello.readableBytesView) + bytes)
        socket.closeWriting()
        while try !socket.read().isEmpty {}
    }
}
