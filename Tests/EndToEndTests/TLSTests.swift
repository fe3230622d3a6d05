import Foundation
import Testing

/// A server over TLS as its people would set it up.
@Suite(.runsPrograms) struct TLSTests {
    private let scratch = Scratch()

    /// - Returns: the key, as the program says it.
    private func makeCertificate(_ arguments: [String] = []) throws -> String {
        let done = try Program.valetd.run(
            [
                "certificate", "127.0.0.1", "--certificate", scratch.path("c.pem"), "--key",
                scratch.path("c.key"),
            ] + arguments, in: scratch)
        #expect(done.code == 0, "\(done.message)")
        return try #require(done.text.firstMatch(of: /SHA256:\S{43}/)).output.description
    }

    private func serve() throws -> Daemon {
        try Daemon(
            .valetd,
            [
                "serve", scratch.cars(), "--listen", "127.0.0.1:0", "--certificate",
                scratch.path("c.pem"), "--key", scratch.path("c.key"),
            ], in: scratch)
    }

    @Test func aServerIsTrustedByItsKeyUntilThatChanges() throws {
        let key = try makeCertificate()
        let daemon = try serve()
        #expect(daemon.address.hasPrefix("valets://127.0.0.1:"))
        try eventually("the log has the key") { daemon.logText.contains(key) }
        let count = ["count", daemon.address]
        try scratch.valet(count, expecting: 7, says: "valet trust \(daemon.address)")
        try scratch.valet(
            count + ["--ca", scratch.path("c.pem")], expecting: 0, prints: "300\n")
        // Nobody can be asked.
        try scratch.valet(["trust", daemon.address], expecting: 2, says: "name the key")
        let other = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
        try scratch.valet(["trust", daemon.address, other], expecting: 7, says: key)
        try scratch.valet(count, expecting: 7)
        try scratch.valet(["trust", daemon.address, key], expecting: 0)
        try scratch.valet(count, expecting: 0, prints: "300\n")

        // The same key in another certificate is the same server.
        #expect(try makeCertificate(["--renew"]) == key)
        daemon.hangUp()
        try eventually("it is read again") {
            daemon.logText.components(separatedBy: key).count > 2
        }
        try scratch.valet(count, expecting: 0, prints: "300\n")

        try FileManager.default.removeItem(atPath: scratch.path("c.key"))
        let later = try makeCertificate(["--renew"])
        #expect(later != key)
        daemon.hangUp()
        try eventually("the new key is used") { daemon.logText.contains(later) }
        try scratch.valet(count, expecting: 7, says: "its key is another now")
        try scratch.valet(["trust", daemon.address, later], expecting: 0)
        try scratch.valet(count, expecting: 0, prints: "300\n")

        // What can't be used is said, and changes nothing.
        try scratch.write("x", to: "c.pem")
        daemon.hangUp()
        try eventually("the log says so") { daemon.logText.contains("stays the one of before") }
        try scratch.valet(count, expecting: 0, prints: "300\n")
        #expect(try daemon.end() == 0)
    }

    @Test func aCertificateIsNotReplacedUnasked() throws {
        _ = try makeCertificate()
        let before = scratch.bytes(of: "c.pem")
        let done = try Program.valetd.run(
            ["certificate", "a", "--certificate", scratch.path("c.pem")], in: scratch)
        #expect(done.code == 2)
        #expect(done.message.contains("--renew"))
        #expect(scratch.bytes(of: "c.pem") == before)
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path("c.key"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(.needsTmux) func aPersonIsAskedAtTheFirstVisit() throws {
        _ = try makeCertificate()
        let daemon = try serve()
        let window = try TerminalWindow(valet: daemon.address, columns: 100, in: scratch)
        try window.wait(for: "Trust this one from now on? [y/N]")
        try window.press(.text("n"), .key("Enter"), shows: "code 130")
        let second = try TerminalWindow(valet: daemon.address, columns: 100, in: scratch)
        try second.wait(for: "Trust this one from now on? [y/N]")
        try second.press(.text("y"), .key("Enter"), shows: "● live")
        let third = try TerminalWindow(valet: daemon.address, in: scratch)
        try third.wait(for: "● live")
    }
}
