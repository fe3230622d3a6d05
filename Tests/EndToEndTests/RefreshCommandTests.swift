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
        let words = "“albums.csv” has no rows; the 2 rows stay as they were"
        #expect(empty.code == 1 && empty.message.contains(words), "\(empty.message)")
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
        let process = try Program.valet.start(
            ["refresh"] + target + ["--list", "albums"], in: scratch)
        defer { process.end() }
        try eventually("the source is asked") { web.requests > 0 }
        process.send(SIGINT)
        let done = try process.finish()
        #expect(done.code == 130 && done.text == "")
    }

    @Test func aSlowSourceIsWaitedForAsleep() throws {
        let web = try TinyServer { _ in .slow(String(repeating: "a", count: 100)) }
        defer { web.stop() }
        let address = "http://127.0.0.1:\(web.port)/a.csv"
        let done = try scratch.shell(
            "TIMEFORMAT='%U %S'; time '\(Program.fetch.path)' \(address)", "/bin/bash")
        #expect(done.code == 0 && done.output.count == 100)
        let last = try #require(done.message.split(separator: "\n").last)
        let seconds = last.split(separator: " ").compactMap { Double($0) }
        #expect(seconds.count == 2 && seconds.reduce(0, +) < 1, "\(done.message)")
    }
}
