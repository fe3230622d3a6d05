import Foundation
import TestSupport
import Testing

@Suite(.runsPrograms) struct DoctorTests {
    private let scratch = Scratch()

    @Test func aTargetIsLookedAt() throws {
        let database = try scratch.database(table: "t", csv: "a\nx\n")
        let alone = try scratch.valet(["doctor", database], expecting: 0)
        #expect(alone.text.contains("ok     integrity  PRAGMA quick_check found no damage\n"))
        #expect(alone.text.contains("ok     owner      nobody"))
        // As a shell takes it.
        #expect(alone.text.contains("sqlite3 '\(database)' 'PRAGMA journal_mode=WAL' changes"))
        let daemon = try Daemon(database, in: scratch)
        // Who has changed a file owns it.
        try scratch.valet(["add", daemon.address, "a=y"])
        let owned = try scratch.valet(["doctor", database], expecting: 0)
        #expect(owned.text.contains("note   owner      another process: open “\(daemon.address)”"))
        let served = try scratch.valet(["doctor", daemon.address, "--format", "jsonl"])
        let server = try served.objects.first { $0["check"] as? String == "server" }
        #expect(server?["state"] as? String == "ok" && served.code == 0)
        #expect(try served.objects.contains { $0["check"] as? String == "round trip" })
        try daemon.end()
        let gone = try scratch.valet(["doctor", daemon.address])
        #expect(gone.code == 1 && gone.text.contains("wrong  server     no Valet server"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func aShellCanCompleteTheCommands(shell: String) throws {
        let script = try scratch.valet(["completions", shell], expecting: 0)
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
