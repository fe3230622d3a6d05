import Foundation
import TestSupport
import Testing
import ValetStore
import ValetTerminal

@testable import ValetCommands

struct FindingTests {
    @Test func aPathIsOneWordOfAShell() {
        #expect(Finding.shellWord("/tmp/it's $HOME.db") == #"'/tmp/it'\''s $HOME.db'"#)
    }

    private let folder = TemporaryFolder()

    private func settings(_ environment: [String: String]) throws -> Settings {
        try Settings(environment: environment.merging(["HOME": folder.path]) { $1 })
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], "ok", "xterm-256color, 80x24, 256 colours, UTF-8, mouse"),
            (["TERM": "xterm", "NO_COLOR": "1"], "ok", "xterm, 80x24, no colours, UTF-8, mouse"),
            (
                ["TERM": "xterm", "COLORTERM": "truecolor", "VALET_MOUSE": "0"], "ok",
                "xterm, 80x24, all colours, UTF-8, no mouse"
            ),
            (["TERM": "vt100", "LANG": "C"], "note", "vt100, 80x24, 6 colours, ASCII, mouse"),
            (["TERM": "dumb"], "wrong", "dumb, 80x24, no colours, UTF-8, mouse"),
            ([:], "wrong", "TERM is not set, 80x24, 6 colours, UTF-8, mouse"),
        ] as [([String: String], String, String)])
    func aTerminalIsDescribed(environment: [String: String], state: String, found: String) throws {
        let finding = Finding.terminal(try settings(environment), Size(columns: 80, rows: 24))
        #expect(finding.state.rawValue == state && finding.found == found)
        #expect((finding.advice == nil) == (state == "ok"))
    }

    @Test func aFolderThatCannotBeMadeIsWrong() throws {
        let ok = Finding.folder(.cache, "files", ["XDG_CACHE_HOME": folder.path + "/a/b"])
        #expect(ok.state == .ok && !FileManager.default.fileExists(atPath: folder.path + "/a"))
        folder.write("", to: "file")
        let wrong = Finding.folder(.cache, "files", ["XDG_CACHE_HOME": folder.path + "/file"])
        #expect(wrong.state == .wrong && wrong.advice?.contains("XDG_CACHE_HOME") == true)
    }

    @Test func aMistakeInTheConfigurationIsFound() throws {
        folder.write("colour: no", to: "valet/config.yaml")
        let findings = Finding.ofMachine(["XDG_CONFIG_HOME": folder.path, "HOME": folder.path])
        let config = try #require(findings.first { $0.check == "config" })
        #expect(config.state == .wrong && config.found.contains("line 1: colour"))
    }

    private func states(_ path: String, catalog: String? = nil) async throws -> [String: Finding] {
        let findings = try await Finding.ofTarget(path, catalog: catalog)
        return Dictionary(findings.map { ($0.check, $0) }) { first, _ in first }
    }

    @Test func aFileIsLookedAt() async throws {
        let path = try folder.database(
            "CREATE TABLE t (a); CREATE TABLE w (a PRIMARY KEY) WITHOUT ROWID")
        let first = try await states(path)
        #expect(first["integrity"]?.state == .ok && first["owner"]?.state == .ok)
        #expect(first["journal"]?.state == .note && first["triggers"]?.state == .note)
        #expect(first["lists"]?.found == "2 lists")
        try TemporaryFolder.addTriggers(path)
        try TemporaryFolder.change(path, "PRAGMA journal_mode=WAL")
        let second = try await states(path)
        #expect(second["journal"]?.state == .ok)
        #expect(second["triggers"]?.found == "on 1 of 2 tables and views")
        let catalog = folder.write("lists: 1", to: "catalog.yaml")
        #expect(try await states(path, catalog: catalog)["lists"]?.state == .wrong)
    }

    @Test func aLogThatLacksATableIsFound() async throws {
        let path = try folder.database("CREATE TABLE t (a); CREATE TABLE _valet_log (revision)")
        let owner = try #require(try await states(path)["owner"])
        #expect(owner.state == .wrong && owner.found.hasSuffix("it can't be changed"))
        #expect(owner.advice?.contains("valetd log remove '\(path)'") == true)
    }

    private func table(rows: Int) throws -> String {
        try folder.database(
            """
            CREATE TABLE t (a TEXT);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
                INSERT INTO t SELECT 'row ' || i FROM n
            """)
    }

    @Test func damageIsFound() async throws {
        let path = try table(rows: 2_000)
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.seek(toOffset: 3 * 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        let found = try await states(path)
        #expect(found["integrity"]?.state == .wrong)
        #expect(found["integrity"]?.advice?.contains(".recover") == true)
        let noDatabase = folder.write("no database, and long enough to be one", to: "text.db")
        #expect(try await states(noDatabase)["file"]?.state == .wrong)
        #expect(try await states(folder.file("missing"))["target"]?.state == .wrong)
    }

    /// However large the file is.
    @Test func lookingForDamageEndsInTime() throws {
        let path = try table(rows: 20_000)
        #expect(try FileCheck(path: path, time: .zero).integrity == .unfinished)
        #expect(try FileCheck(path: path, time: .seconds(60)).integrity == .sound)
    }
}
