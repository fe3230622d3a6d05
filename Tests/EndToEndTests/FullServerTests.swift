import Foundation
import TestSupport
import Testing

/// A server that has used up what the system gives it.
@Suite(.runsPrograms) struct FullServerTests {
    private let scratch = Scratch()

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
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        // It has descriptors left to say why, and for its file. Those that say nothing are cut off
        // after ten seconds, which a busy machine may take to start a program.
        try eventually("the server is full") {
            let silent = try (0..<40).map { _ in try BlockingSocket(port: port) }
            let done = try Program.valet.run(["count", address], in: scratch)
            return withExtendedLifetime(silent) {
                done.code == 6 && done.message.contains("limit of 32 clients")
            }
        }
        try eventually("the others are gone") {
            try Program.valet.run(["count", address], in: scratch).code == 0
        }
        try scratch.valet(["set", address, "1", "town=Chur"], expecting: 0)
    }
}
