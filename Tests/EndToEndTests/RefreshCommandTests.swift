import Foundation
import TestSupport
import Testing

/// `valet refresh`, by its exit codes.
@Suite(.runsPrograms) struct RefreshCommandTests {
    private let scratch = Scratch()

    private func albums(from source: String) throws -> [String] {
        let database = try scratch.database(table: "albums", csv: "id,title\na,One\nb,Two\n")
        let catalog = try scratch.write(
            """
            lists:
              - name: albums
                refresh: {from: "\(source)", kind: csv, key: id}
              - {name: plain, table: albums}
            """, to: "catalog.yaml")
        return [database, "--catalog", catalog]
    }

    private func refresh(_ target: [String], list: String = "albums") throws -> Finished {
        try scratch.valet(["refresh"] + target + ["--list", list, "--format", "jsonl"])
    }

    @Test func aRefreshEndsWith0OrSaysWhyNot() throws {
        let target = try albums(from: "albums.csv")
        func rows() throws -> [String] {
            try scratch.valet(["export"] + target + ["--list", "albums"]).lines
        }
        let before = try rows()
        let missing = try refresh(target)
        #expect(missing.code == 1 && missing.message.contains("“albums” can't be loaded"))
        try scratch.write("id,title\n", to: "albums.csv")
        let empty = try refresh(target)
        #expect(empty.code == 1)
        #expect(
            empty.message.contains("“albums.csv” has no rows; the 2 rows stay as they were"),
            "\(empty.message)")
        #expect(try rows() == before)
        try scratch.write("id,title\na,One\nc,Three\n", to: "albums.csv")
        let done = try refresh(target)
        #expect(done.code == 0, "\(done.message)")
        #expect(done.lines == [#"{"list": "albums", "added": 1, "changed": 0, "removed": 1}"#])
        #expect(try rows() == [before[0], "a,One", "c,Three"])
        #expect(try refresh(target, list: "plain").code == 7)
        let reading = try Daemon(
            .valetd,
            ["serve"] + target + ["--read-only", "--listen", "127.0.0.1:0"], in: scratch)
        #expect(try refresh([reading.address]).code == 7)
    }

    @Test func anInterruptedRefreshEndsWith130() throws {
        let web = try TinyServer { _ in .silence }
        defer { web.stop() }
        let target = try albums(from: "http://127.0.0.1:\(web.port)/a")
        let (output, words) = (scratch.path("out"), scratch.path("err"))
        let process = try Program.valet.start(
            ["refresh"] + target + ["--list", "albums"], in: scratch, output: output,
            words: words)
        defer { process.end() }
        _ = try eventually("the source is asked") { web.requests > 0 ? true : nil }
        process.send(SIGINT)
        #expect(try process.waitForEnd() == 130)
        #expect(scratch.bytes(of: "out")?.isEmpty == true)
    }

    @Test func aSlowSourceIsWaitedForAsleep() throws {
        let web = try TinyServer { _ in .slow(String(repeating: "a", count: 100)) }
        defer { web.stop() }
        let (output, words) = (scratch.path("out"), scratch.path("err"))
        let address = "http://127.0.0.1:\(web.port)/a.csv"
        let shell = try RunningProcess(
            path: "/bin/bash",
            arguments: [
                "-c", "TIMEFORMAT='%U %S'; time '\(Program.fetch.path)' \(address)",
            ], environment: scratch.environment, output: output, words: words)
        defer { shell.end() }
        #expect(try shell.waitForEnd() == 0)
        let lines = try String(contentsOfFile: words, encoding: .utf8).split(separator: "\n")
        let seconds = try #require(lines.last).split(separator: " ").compactMap { Double($0) }
        #expect(seconds.count == 2 && seconds.reduce(0, +) < 1, "\(lines)")
        #expect(scratch.bytes(of: "out")?.count == 100)
    }
}
