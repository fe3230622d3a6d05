import Foundation
import Testing

/// A server that has used up what the system gives it.
@Suite(.runsPrograms) struct FullServerTests {
    private let scratch = Scratch()

    /// - Returns: the descriptor of a connection that says nothing.
    private func connect(_ port: String) throws -> CInt {
        let descriptor = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = try #require(in_port_t(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        #expect(isConnected)
        return descriptor
    }

    #if canImport(Glibc)
        private static let stream = CInt(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    @Test func aServerWithFewDescriptorsSaysSoAndGoesOn() throws {
        let cars = try scratch.cars(in: ["Bern", "Basel"])
        let command = "ulimit -n 128; exec \"$0\" \"$@\""
        let server = try RunningProcess(
            "/bin/sh",
            ["-c", command, Program.valetd.path, "serve", cars, "--listen", "127.0.0.1:0"],
            in: scratch)
        defer { server.end() }
        let address = try server.address
        let log = String(decoding: try server.words, as: UTF8.self)
        #expect(log.contains("few clients can connect") && log.contains("clients=32"), "\(log)")
        let port = String(address.split(separator: ":").last ?? "")
        // It has descriptors left to say why, and for its file. Those that say nothing are cut off
        // after ten seconds, which a busy machine may take to start a program.
        try eventually("the server is full") {
            let connections = try (0..<40).map { _ in try connect(port) }
            defer { for connection in connections { close(connection) } }
            let done = try Program.valet.run(["count", address], in: scratch)
            return done.code == 6 && done.message.contains("limit of 32 clients")
        }
        try eventually("the others are gone") {
            try Program.valet.run(["count", address], in: scratch).code == 0
        }
        try scratch.valet(["set", address, "1", "town=Chur"], expecting: 0)
    }
}
