import Foundation
import Testing

/// Backups as one makes them, and needs them; and what tells whether they are made.
@Suite(.runsPrograms) struct BackupTests {
    private let scratch = Scratch()

    private func serve(_ arguments: [String] = []) throws -> Daemon {
        try Daemon(
            .valetd, ["serve", scratch.cars(), "--listen", "127.0.0.1:0"] + arguments, in: scratch)
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
    }

    @Test func aBackupIsMadeBroughtUpToDateAndRestored() throws {
        let daemon = try serve()
        let copy = scratch.path("copy.sqlite")
        let backup = ["backup", daemon.address, copy]
        try scratch.valet(backup, expecting: 0)
        try scratch.valet(["add", daemon.address, "name=Zonda"], expecting: 0)
        try scratch.valet(backup, expecting: 2, says: "--replace")
        let done = try scratch.valet(backup + ["--replace"])
        #expect(done.code == 0 && done.text.contains("revision 1"), "\(done.text)\(done.message)")
        #expect(!FileManager.default.fileExists(atPath: copy + ".partial"))
        try scratch.valet(["count", copy], expecting: 0, prints: "301\n")

        try scratch.valet(["add", daemon.address, "name=Lada"], expecting: 0)
        try scratch.valet(["count", daemon.address], expecting: 0, prints: "302\n")
        let file = scratch.path("test.sqlite")
        let restore = ["restore", copy, file]
        let asked = try Program.valetd.run(restore, in: scratch)
        #expect(asked.code == 2 && asked.message.contains("--yes"))
        let served = try Program.valetd.run(restore + ["--yes"], in: scratch)
        #expect(served.code == 7 && served.message.contains("owns"), "\(served.message)")
        // Who follows the list hears of it.
        let watch = try Program.valet.start(["watch", daemon.address], in: scratch)
        func heard(_ words: String) throws -> Bool {
            String(decoding: try watch.words, as: UTF8.self).contains(words)
        }
        try eventually("it watches") { try heard("watching") }
        let address = daemon.address
        #expect(try daemon.end() == 0)
        let restored = try Program.valetd.run(restore + ["--yes"], in: scratch)
        #expect(restored.code == 0 && restored.text.contains("revision 1"), "\(restored.message)")
        let next = try Daemon(
            .valetd, ["serve", file, "--listen", "127.0.0.1:\(daemon.port)"], in: scratch)
        #expect(next.address == address)
        try scratch.valet(["count", address], expecting: 0, prints: "301\n")
        #expect(try watch.waitForEnd() == 1)
        #expect(try heard("start again"))
        try scratch.valet(["add", address, "name=Fiat"], expecting: 0)
        let kept = try #require(try names(in: "").first { $0.contains("-before-") })
        try scratch.valet(["count", scratch.path(kept)], expecting: 0, prints: "302\n")
        #expect(try next.end() == 0)
    }

    @Test func anInterruptedBackupGoesOn() throws {
        let daemon = try serve()
        let copy = scratch.path("copy.sqlite")
        try scratch.valet(["backup", daemon.address, copy], expecting: 0)
        // As if it had been interrupted in the last block.
        let whole = try #require(scratch.bytes(of: "copy.sqlite"))
        try whole.dropLast(5_000).write(to: URL(filePath: copy + ".partial"))
        try FileManager.default.removeItem(atPath: copy)
        let done = try scratch.valet(["backup", daemon.address, copy])
        let last = whole.count % (32 << 10)
        #expect(done.code == 0, "\(done.message)")
        #expect(
            done.text.contains(
                "bytes, \(last.formatted(.number.locale(.init(identifier: "en")))) of"))
        #expect(scratch.bytes(of: "copy.sqlite") == whole)
        // There is no room.
        try scratch.valet(
            ["backup", daemon.address, scratch.path("none/copy.sqlite")], expecting: 1,
            says: "no file")
        #expect(try daemon.end() == 0)
    }

    @Test func backupsComeByThemselvesAndTheOldestGo() throws {
        let folder = scratch.path("backups")
        let arguments = ["--backups", folder, "--every", "1s", "--keep", "2"]
        let file = try scratch.cars()
        for wrong in [["--every", "1h"], ["--keep", "0"], ["--every", "1x"]] {
            let done = try Program.valetd.run(
                ["serve", file] + (wrong[0] == "--every" ? [] : ["--backups", "."])
                    + wrong,
                in: scratch)
            #expect(done.code == 2, "\(done.message)")
        }
        let missing = try Program.valetd.run(["serve", file] + arguments, in: scratch)
        #expect(missing.code != 0 && missing.message.contains("no folder"), "\(missing.message)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let daemon = try Daemon(
            .valetd, ["serve", file, "--listen", "127.0.0.1:0"] + arguments, in: scratch)
        try eventually("three were made") {
            daemon.logText.components(separatedBy: "backup made").count > 3
        }
        #expect(try daemon.end() == 0)
        let names = try names(in: "backups").filter { !$0.hasPrefix(".") }
        #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("test-20") }, "\(names)")
        try scratch.valet(["count", folder + "/" + names[1]], expecting: 0, prints: "300\n")
    }

    @Test func aServerSaysHowItIs() throws {
        let file = try scratch.cars()
        let daemon = try Daemon(
            .valetd,
            [
                "serve", file, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0",
                "--log-format", "json",
            ], in: scratch)
        let wrong = try Program.valetd.run(["serve", file, "--metrics", "7425"], in: scratch)
        #expect(wrong.code == 2 && wrong.message.contains("--metrics takes"), "\(wrong.message)")
        let address = try eventually("the log has the address") {
            try daemon.logText.split(separator: "\n").compactMap { line in
                line.hasPrefix("{")
                    ? try JSONDecoder().decode([String: String].self, from: Data(line.utf8)) : nil
            }.first { $0["message"] == "saying how the server is" }?["address"]
        }
        try scratch.valet(["count", daemon.address], expecting: 0)
        let port = try #require(address.split(separator: ":").last)
        let metrics = try scratch.shell(
            "exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET /metrics HTTP/1.1\\r\\n\\r\\n' >&3; "
                + "cat <&3", "/bin/bash"
        ).text
        #expect(metrics.contains("\nvalet_connections_admitted_total 1\n"), "\(metrics)")
        #expect(metrics.hasSuffix("# EOF\n"))
        let stats = try scratch.valet(["stats", daemon.address])
        #expect(stats.text.contains("connectionsAdmitted\t2\n"), "\(stats.text)")
        #expect(try daemon.end() == 0)
    }
}
