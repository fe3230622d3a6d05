import Foundation
import TestSupport
import Testing
import ValetModel
import ValetProtocol
import ValetStore

/// What is exported is what SQLite finds, value by value.
@Suite(.runsPrograms) struct ExportTests {
    private let scratch = Scratch()

    /// Values that text formats, or types of columns, might change.
    private func oddRows() throws -> String {
        let path = scratch.path("odd.sqlite")
        let connection = try Connection(path: path, access: .create)
        try connection.run(
            """
            CREATE TABLE t (name TEXT, n INTEGER, r REAL, at DATETIME, any, "a,b" TEXT);
            INSERT INTO t VALUES
            ('plain', 1, 1.5, '2026-03-09', 'x', 'y'), (NULL, NULL, NULL, NULL, NULL, NULL),
            ('', '', '', '', '', ''), ('tab	and "quote"', -5, 1e300, 1772323200, 7, 'a,b'),
            ('line' || char(10) || 'break', 9223372036854775807, -0.0, 'soon', 2.0, ' x '),
            (x'00FF', 'no number', x'', '12:30', x'010203', '=1+1'),
            ('long ' || printf('%.*c', 3000, 'z'), 3, 0.1, '', '3', 'ä漢');
            INSERT INTO t (name, n) WITH RECURSIVE k(i) AS
            (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 3000) SELECT 'row ' || i, i FROM k;
            """)
        return path
    }

    /// Columns of a query as SQLite writes values, one line each row.
    private func values(_ path: String, _ columns: [String], _ rest: String) throws -> [String] {
        let line = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ' | ' || ")
        let statement = try Connection(path: path, access: .read).prepare("SELECT \(line) \(rest)")
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0) ?? "") }
        return rows
    }

    private static let columns = ["name", "n", "r", "at", "any", "a,b"]

    private func text(of name: String) throws -> String {
        String(decoding: try #require(scratch.bytes(of: name)), as: UTF8.self)
    }

    @Test(arguments: [
        ([], "1"),
        (["--where", "n > 10"], "n > 10 AND typeof(n) = 'integer'"),
        (["--where", "name missing"], "name IS NULL OR name = ''"),
    ])
    func aSQLiteFileHasTheSameValues(options: [String], test: String) throws {
        let path = try oddRows()
        let file = scratch.path("out.sqlite")
        try scratch.valet(
            ["export", path, "--group", "None", "--output", file] + options, expecting: 0)
        #expect(
            try values(file, Self.columns, "FROM t ORDER BY rowid")
                == values(path, Self.columns, "FROM t WHERE \(test) ORDER BY rowid"))
        // Whoever opens it sees columns of the same types, where these change nothing.
        let types = try scratch.valet(["schema", file, "--format", "jsonl"]).lines
        #expect(types.contains { $0.contains(#""column": "n", "label": "n", "type": "integer""#) })
    }

    @Test func rowsComeInTheOrderOfTheQuery() throws {
        let path = try oddRows()
        let file = scratch.path("out.tsv")
        try scratch.valet(
            [
                "export", path, "--where", "n >= 2990", "--sort", "-n", "--group", "None",
                "--column", "n", "--column", "name", "-o", file,
            ], expecting: 0)
        let lines = try text(of: "out.tsv").split(separator: "\n").map(String.init)
        let numbers = (2_990...3_000).reversed()
        #expect(lines[0] == "n\tname" && lines[1].hasPrefix("9223372036854775807\t\"line"))
        #expect(lines.suffix(11) == numbers.map { "\($0)\trow \($0)" }[...])
    }

    @Test(arguments: ["csv", "sqlite"]) func onlyTheFirstRowsAreExported(as format: String) throws {
        let path = try oddRows()
        let options = ["--sort", "-n", "--group", "None", "--where", "name ^ row", "--column", "n"]
        for (asked, expected) in [(0, 0), (3, 3), (600, 600), (9_999, 3_000)] {
            let file = scratch.path("first\(asked).\(format)")
            try scratch.valet(
                ["export", path, "--count", "\(asked)", "-o", file] + options, expecting: 0)
            let rows = try scratch.valet(["export", file, "--group", "None"]).lines.dropFirst()
            #expect(rows.map { Int($0) } == (0..<expected).map { 3_000 - $0 }, "\(asked)")
        }
        try scratch.valet(
            ["export", path, "--count", "-1"], expecting: 2, says: "must not be negative")
    }

    @Test(arguments: ["csv", "tsv"]) func textIsReadBackByImport(format: String) throws {
        let path = try scratch.database(
            table: "t", csv: "name,n\n\"tab\tand \"\"quote\"\", comma\",1\n\"two\nlines\",2\n,3\n")
        let file = scratch.path("out.\(format)")
        try scratch.valet(["export", path, "--group", "None", "-o", file], expecting: 0)
        let again = scratch.path("again.sqlite")
        try scratch.valet(["import", file, again, "--table", "t"], expecting: 0)
        let rows = try values(again, ["name", "n"], "FROM t ORDER BY n")
        #expect(try rows == values(path, ["name", "n"], "FROM t ORDER BY n") && rows.count == 3)
    }

    /// A column whose name begins with a sign, and the file by another name.
    @Test func namesAreTakenAsTheyAre() throws {
        let path = try scratch.database(table: "t", csv: "-n,n\n1,2\n2,1\n")
        func first(_ sort: String) throws -> String? {
            try scratch.valet(["export", path, "--group", "None", "--sort", sort]).lines[1]
        }
        #expect(try first("n") == "2,1" && first("-n") == "1,2" && first("--n") == "2,1")
        let other = scratch.path("other.sqlite")
        _ = try scratch.shell("ln '\(path)' '\(other)'")
        try scratch.valet(
            ["export", path, "-o", other, "--replace"], expecting: 1, says: "the list's own file")
        let csv = try scratch.write("a\n1\n2\n", to: "a.csv")
        try scratch.valet(
            ["export", csv, "--where", "a=1", "-o", csv, "--replace"], expecting: 1,
            says: "the list's own file")
    }

    /// Passes all on but the pages.
    private final class WithoutPages: FrameFilter {
        func fromClient(_ frame: Frame) -> [FramePassage] { [.toServer(frame)] }
        func fromServer(_ frame: Frame) -> [FramePassage] {
            frame.kind == FrameKind.page.rawValue ? [] : [.toClient(frame)]
        }
    }

    /// It does not wait for rows that never come, from a server that is not silent.
    @Test func anExportEndsAsSoonAsItIsAskedTo() async throws {
        let daemon = try Daemon(try oddRows(), in: scratch)
        let proxy = try await FrameProxy(before: try #require(Int(daemon.port))) { WithoutPages() }
        let export = try Program.valet.start(
            ["export", "valet://127.0.0.1:\(proxy.port)", "-o", scratch.path("out.csv")],
            in: scratch)
        defer { export.end() }
        let files = { try FileManager.default.contentsOfDirectory(atPath: scratch.path("")) }
        try eventually("the file is begun") { try files().contains { $0.hasSuffix(".part") } }
        export.send(SIGINT)
        let done = try export.finish()
        #expect(done.code == 128 + SIGINT && done.message == "")
        #expect(try !files().contains { $0.contains("out.csv") })
        await proxy.stop()
    }

    /// Who may not read the file that is replaced may not read the new one.
    @Test func aFileThatIsReplacedKeepsItsMode() throws {
        let path = try oddRows()
        let file = try scratch.write("mine", to: "out.csv")
        try scratch.valet(["export", path, "-o", scratch.path("new.csv")], expecting: 0)
        let done = try scratch.shell(
            "chmod 600 '\(file)'; '\(Program.valet.path)' export '\(path)' -o '\(file)' --replace; "
                + "ls -l '\(file)' | cut -c1-10")
        #expect(done.text == "-rw-------\n")
    }

    @Test func nothingIsReplacedThatNobodyNamed() throws {
        let path = try oddRows()
        let file = try scratch.write("mine", to: "out.csv")
        let before = try scratch.valet(["count", path]).text
        try scratch.valet(
            ["export", path, "-o", file], expecting: 2, says: "--replace replaces it")
        try scratch.valet(
            ["export", path, "-o", path, "--replace"], expecting: 1, says: "the list's own file")
        try scratch.valet(
            ["export", path, "-o", scratch.path("no/out.csv")], expecting: 1, says: "can't write in"
        )
        try scratch.valet(
            ["export", path, "-o", scratch.path("out.doc")], expecting: 2, says: "ends in no format"
        )
        try scratch.valet(["export", path, "--format", "sqlite"], expecting: 2, says: "--output")
        // What fails leaves what was there.
        try scratch.valet(
            ["export", path, "--where", "nix = 1", "-o", file, "--replace"], expecting: 3)
        #expect(try text(of: "out.csv") == "mine")
        #expect(try scratch.valet(["count", path]).text == before)
        try scratch.valet(["export", path, "-o", file, "--replace"], expecting: 0)
        #expect(try text(of: "out.csv").hasPrefix("name,n,r,at,any,\"a,b\"\n"))
    }

    @Test(.needsTmux) func whatIsShownIsWrittenFromTheTerminal() throws {
        let path = try oddRows()
        let window = try TerminalWindow(valet: path, in: scratch)
        try window.wait(for: "3,007")
        try window.press("f", .text("n >= 2991"), "Enter", shows: "11 of 3,007")
        try window.press(
            ":", .text("export \(scratch.path("some.csv"))"), "Enter", shows: "Exported 11 rows")
        let text = try self.text(of: "some.csv")
        #expect(text.split(separator: "\n").count == 13, "one value has two lines")
        try window.press(":", .text("command"), "Enter", shows: "Copied", "--where 'n ≥ 2991'")
    }

    @Test(.needsTmux) func noFileIsReplacedThatAListIsOf() throws {
        let files = try ["a", "b"].map { try scratch.write("\($0)\n1\n", to: "\($0).csv") }
        let window = try TerminalWindow(valet: files[0], "'\(files[1])'", in: scratch)
        try window.wait(for: "2 lists")
        try window.press("Enter", shows: "read only", "row")
        for (name, text) in [("a.csv", "a\n1\n"), ("b.csv", "b\n1\n")] {
            let path = scratch.path(name)
            try window.press(
                ":", .text("export \(path)"), "Enter", shows: "Not exported: “\(path)”")
            #expect(try self.text(of: name) == text)
        }
    }
}
