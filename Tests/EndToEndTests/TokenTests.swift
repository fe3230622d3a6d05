import Foundation
import Testing

/// A server that knows who may connect, as its people would set it up.
@Suite(.runsPrograms) struct TokenTests {
    private let scratch = Scratch()

    /// - Returns: what the program prints.
    @discardableResult
    private func token(
        _ arguments: [String], expecting code: Int32 = 0, says words: String = ""
    ) throws -> String {
        let done = try Program.valetd.run(
            ["token"] + arguments + ["--tokens", scratch.path("tokens")], in: scratch)
        #expect(done.code == code, "\(done.message)")
        if words != "" { #expect(done.message.contains(words), "\(done.message)") }
        return done.text.trimmingCharacters(in: .newlines)
    }

    private func serve(_ arguments: [String] = []) throws -> Daemon {
        try Daemon(
            .valetd,
            [
                "serve", scratch.cars(in: ["Bern", "Basel"]), "--listen", "127.0.0.1:0", "--tokens",
                scratch.path("tokens"),
            ] + arguments, in: scratch)
    }

    private func login(_ daemon: Daemon, _ token: String) throws -> Finished {
        try scratch.shell(
            "printf '%s\\n' '\(token)' | '\(Program.valet.path)' login '\(daemon.address)'")
    }

    @Test func aStationLogsInAndIsRevoked() throws {
        let text = try token(["add", "gate-a", "--rights", "reader"])
        #expect(text.wholeMatch(of: /valet-[A-Za-z0-9_-]{43}/) != nil)
        let daemon = try serve()
        let count = ["count", daemon.address]
        try scratch.valet(count, expecting: 7, says: "doesn't know this station")
        #expect(try login(daemon, "valet-x").code == 5)
        let other = "valet-" + String(repeating: "A", count: 43)
        #expect(try login(daemon, other).code == 7)
        try scratch.valet(count, expecting: 7)
        let done = try login(daemon, text)
        #expect(done.code == 0, "\(done.message)")
        try scratch.valet(count, expecting: 0, prints: "300\n")
        let file = scratch.path(".config/valet/credentials")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // A reader changes nothing.
        try scratch.valet(
            ["add", daemon.address, "name=Zonda"], expecting: 7, says: "may not change anything")
        try scratch.valet(["stats", daemon.address], expecting: 7, says: "statistics")
        // Others could read it.
        chmod(file, 0o644)
        try scratch.valet(count, expecting: 7, says: "chmod 600")
        chmod(file, 0o600)

        let listed = try token(["list"])
        #expect(listed.hasPrefix("gate-a\treader\ttoken:"))
        try token(["revoke", "gate-b"], expecting: 3, says: "no such token or key")
        #expect(try token(["revoke", "gate-a"]) == "revoked 1 token or key")
        try eventually("the token is refused") {
            (try? scratch.valet(count).code) == 7
        }
        #expect(!daemon.logText.contains(text.dropFirst(6)))
        #expect(daemon.logText.contains("turned away"))
        try scratch.valet(["logout", daemon.address], expecting: 0)
        try scratch.valet(["logout", daemon.address], expecting: 3)
        #expect(try daemon.end() == 0)
    }

    @Test func aStationShowsACertificate() throws {
        func pair(_ name: String) -> [String] {
            ["--certificate", scratch.path(name + ".pem"), "--key", scratch.path(name + ".key")]
        }
        // A path with a space.
        for (host, name) in [("127.0.0.1", "server"), ("gate-a", "gate a")] {
            let done = try Program.valetd.run(["certificate", host] + pair(name), in: scratch)
            #expect(done.code == 0, "\(done.message)")
        }
        let certificate = scratch.path("gate a.pem")
        let key = try token(["add", "gate-a", "--certificate", certificate])
        #expect(key.wholeMatch(of: /SHA256:\S{43}/) != nil)
        try token(["add", "gate-b", "--certificate", key], expecting: 7, says: "of “gate-a”")
        let daemon = try serve(pair("server"))
        try eventually("the log has its key") { daemon.logText.contains("SHA256:") }
        let shown = try #require(daemon.logText.firstMatch(of: /SHA256:[\w+\/]{43}/)).output
        try scratch.valet(["trust", daemon.address, String(shown)], expecting: 0)
        let count = ["count", daemon.address]
        try scratch.valet(count, expecting: 7, says: "doesn't know this station")
        let login = ["login", daemon.address] + pair("gate a")
        try scratch.valet(Array(login.dropLast(2)), expecting: 2, says: "belong together")
        let plain = daemon.address.replacing("valets:", with: "valet:")
        try scratch.valet(["login", plain] + pair("gate a"), expecting: 2, says: "over TLS only")
        try scratch.valet(["login", daemon.address] + pair("server"), expecting: 7)
        try scratch.valet(login, expecting: 0, says: "where the certificate is")
        try scratch.valet(count, expecting: 0, prints: "300\n")
        #expect(try token(["revoke", "gate-a", key]) == "revoked 1 token or key")
        try eventually("the key is refused") { (try? scratch.valet(count).code) == 7 }
        try FileManager.default.removeItem(atPath: scratch.path("gate a.key"))
        try scratch.valet(count, expecting: 7, says: "gate a.key")
        #expect(try daemon.end() == 0)
    }

    @Test func whatAStationSeesIsInAFile() throws {
        let text = try token(["add", "Bern", "--rights", "attendant"])
        let access = try scratch.write(
            """
            roles:
              attendant:
                cars:
                  may: [see, edit]
                  rows: ["town = {principal}"]
                  hidden: town
            """, to: "access.yaml")
        let daemon = try serve(["--access", access])
        func valet(_ command: String, _ more: String = "") throws -> Finished {
            let program = "VALET_TOKEN=\(text) '\(Program.valet.path)'"
            return try scratch.shell("\(program) \(command) '\(daemon.address)' \(more)")
        }
        #expect(try valet("count").text == "150\n")
        let shown = try valet("export", "--format csv").text
        #expect(shown.hasPrefix("name\n") || shown.hasPrefix("name\r\n"), "\(shown.prefix(40))")
        #expect(!shown.contains("Bern"))
        let refused = try valet("count", "--where 'town = Bern'")
        #expect(refused.code != 0 && refused.message.contains("“town”"), "\(refused.message)")
        #expect(try daemon.end() == 0)
        let slip = try scratch.write("roles: {a: {boats: {may: [see]}}}", to: "access.yaml")
        let done = try Program.valetd.run(
            [
                "serve", scratch.path("test.sqlite"), "--tokens", scratch.path("tokens"),
                "--access", slip,
            ],
            in: scratch)
        #expect(done.code == 3 && done.message.contains("line 1"), "\(done.message)")
    }

    @Test func tokensNeedTLSWhereOthersListen() throws {
        try token(["add", "a"])
        let file = try scratch.cars()
        for arguments in [
            ["--listen", "0.0.0.0:0", "--insecure", "--tokens", scratch.path("tokens")],
            ["--access", scratch.path("tokens")],
        ] {
            let done = try Program.valetd.run(
                ["serve", file] + arguments, in: scratch)
            #expect(done.code == 2, "\(done.message)")
        }
    }

    @Test(.needsTmux) func aPersonWithoutATokenIsToldWhatToDo() throws {
        let text = try token(["add", "gate-a"])
        let daemon = try serve()
        let window = try TerminalWindow(valet: daemon.address, columns: 100, in: scratch)
        try window.wait(for: "ask for a token")
        #expect(try login(daemon, text).code == 0)
        let second = try TerminalWindow(valet: daemon.address, columns: 100, in: scratch)
        try second.wait(for: "● live")
        try token(["revoke", "gate-a"])
        try second.wait(for: "ask for a token")
        // It looks at what is stored at each attempt.
        #expect(try login(daemon, token(["add", "gate-a"])).code == 0)
        try second.wait(for: "● live")
    }
}
