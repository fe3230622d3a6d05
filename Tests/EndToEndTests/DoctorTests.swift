import Foundation
import TestSupport
import Testing

@Suite(.runsPrograms) struct DoctorTests {
    @Test func aTargetIsLookedAt() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "t", csv: "a\nx\n")
            let alone = try Program.valet.run(["doctor", database], in: scratch)
            #expect(alone.code == 0)
            #expect(alone.text.contains("ok     integrity  PRAGMA quick_check found no damage\n"))
            #expect(alone.text.contains("ok     owner      nobody"))
            // As a shell takes it.
            #expect(alone.text.contains("sqlite3 '\(database)' 'PRAGMA journal_mode=WAL' changes"))
            let daemon = try Daemon(database, in: scratch)
            // Who has changed a file owns it.
            _ = try Program.valet.run(["add", daemon.address, "a=y"], in: scratch)
            let owned = try Program.valet.run(["doctor", database], in: scratch)
            #expect(owned.code == 0)
            #expect(
                owned.text.contains(
                    "note   owner      another process: open “\(daemon.address)”"))
            let served = try Program.valet.run(
                ["doctor", daemon.address, "--format", "jsonl"], in: scratch)
            let server = try served.objects.first { $0["check"] as? String == "server" }
            #expect(server?["state"] as? String == "ok" && served.code == 0)
            #expect(try served.objects.contains { $0["check"] as? String == "round trip" })
            try daemon.end()
            let gone = try Program.valet.run(["doctor", daemon.address], in: scratch)
            #expect(gone.code == 1 && gone.text.contains("wrong  server     no Valet server"))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func aShellCanCompleteTheCommands(shell: String) throws {
        try Scratch.with { scratch in
            let script = try Program.valet.run(["completions", shell], in: scratch)
            #expect(script.code == 0)
            for word in ["snapshot", "catalog", "always"] {
                #expect(script.text.contains(word), "\(word)")
            }
            let path = "/bin/\(shell)"
            guard FileManager.default.isExecutableFile(atPath: path) else { return }
            let file = try scratch.write(script.text, to: "script")
            let check = try RunningProcess(
                path: path, arguments: ["-n", file], environment: scratch.environment,
                output: scratch.path("out"), words: scratch.path("err"))
            #expect(try check.waitForEnd() == 0)
        }
    }
}
