import Foundation
import TestSupport
import Testing

/// What a person is told about a target, or without one.
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
        #expect(try RunningProcess(path, ["-n", file], in: scratch).waitForEnd() == 0)
    }

    private static let articles = [
        "Terminal", "Scripts", "Conditions", "Catalog", "Dates", "Refresh", "Configuration",
        "Operations", "Architecture",
    ]

    @Test(arguments: articles)
    func aTopicIsTheArticle(name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/ValetCommands/Valet.docc/\(name).md")
        let done = try scratch.valet(["help", name.lowercased()], expecting: 0)
        #expect(try done.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test func aSubcommandHasItsOwn() throws {
        try scratch.valet(["help", "count"], expecting: 0, shows: "USAGE: valet count")
        try scratch.valet(["help"], shows: "SUBCOMMANDS:")
    }

    @Test func aNameThatIsNeitherIsAnsweredWithTheTopics() throws {
        let done = try scratch.valet(["help", "nonsense"], expecting: 2)
        #expect(done.message.contains("“nonsense” is neither a subcommand nor a topic"))
    }
}
