import Foundation
import TestSupport
import Testing
import ValetStore

/// What spreadsheets open has the values that the list shows.
@Suite(.runsPrograms) struct SpreadsheetTests {
    private let scratch = Scratch()

    private func part(_ name: String, of file: String) throws -> String {
        try scratch.shell("unzip -p '\(file)' '\(name)'").text
    }

    /// By their references, as they are in the XML of the sheet.
    private func cells(of file: String) throws -> [String: String] {
        let sheet = try part("xl/worksheets/sheet1.xml", of: file)
        var cells: [String: String] = [:]
        for match in sheet.matches(of: /<c r="([A-Z]+[0-9]+)"([^>]*)>(.*?)<\/c>/) {
            let kind =
                if match.2.contains("inlineStr") {
                    " text"
                } else if match.2.contains(#"t="b""#) {
                    " truth"
                } else {
                    ""
                }
            let value = match.3.replacing(/<\/?(v|is|t)( [^>]*)?>/, with: "")
            cells[String(match.1)] = value + kind
        }
        return cells
    }

    @Test func cellsAreWhatTheyAreThere() throws {
        let path = scratch.path("odd.sqlite")
        try Connection(path: path, access: .create).run(
            """
            CREATE TABLE t (
                name TEXT, n INTEGER, r REAL, day DATE, at DATETIME, done BOOLEAN, raw BLOB);
            INSERT INTO t VALUES
            ('=1+1', 1, 1.5, '2026-03-09', 1772323215, 1, x'00FF'),
            (NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            ('a' || char(0) || 'b<&', 9007199254740993, -0.25, '2026-03-09 08:30', 0, 0, NULL),
            ('007', -9007199254740992, 9e999, '2026-03-09 08:30:45', NULL, NULL, NULL),
            ('ä漢', 0, 1e300, '1850-01-01', 1772323216, 1, NULL);
            """)
        let file = scratch.path("out.xlsx")
        try scratch.valet(["export", path, "--group", "None", "-o", file], expecting: 0)
        let cells = try cells(of: file)
        let header = ["A1", "B1", "C1", "D1", "E1", "F1", "G1"].map { cells[$0] }
        #expect(header == ["name", "n", "r", "day", "at", "done", "raw"].map { $0 + " text" })
        #expect(cells["A2"] == "=1+1 text" && cells["G2"] == "(2 bytes) text")
        #expect(cells["B2"] == "1" && cells["C2"] == "1.5" && cells["F2"] == "1 truth")
        #expect(cells["D2"] == "46090")
        #expect(!cells.keys.contains { $0.hasSuffix("3") }, "NULL is no cell")
        #expect(cells["A4"] == "a_x0000_b&lt;&amp; text" && cells["F4"] == "0 truth")
        #expect(cells["B4"] == "9007199254740993 text", "which no spreadsheet can count to")
        #expect(cells["A5"] == "007 text" && cells["B5"] == "-9007199254740992")
        #expect(cells["C5"] == "inf text")
        let seconds = try #require(cells["E2"].flatMap(Double.init))
        #expect(abs((seconds - 25_569) * 86_400 - 1_772_323_215) < 0.001)
        let half = try #require(cells["D4"].flatMap(Double.init))
        #expect(abs(half - (46_090 + 8.5 / 24)) < 1e-9)
        #expect(cells["A6"] == "ä漢 text")
        #expect(cells["D6"] == "1850-01-01 text", "before spreadsheets begin to count")
        let last = try #require(cells["D5"].flatMap(Double.init))
        #expect(abs(last - (46_090 + 30_645.0 / 86_400)) < 1e-9)
        #expect(try part("xl/styles.xml", of: file).contains("yyyy-mm-dd hh:mm:ss"))
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let path = scratch.path("long.sqlite")
        try Connection(path: path, access: .create).run(
            "CREATE TABLE t (name TEXT); INSERT INTO t VALUES (printf('%.*c', 32768, 'z'))")
        let file = try scratch.write("mine", to: "out.xlsx")
        try scratch.valet(
            ["export", path, "-o", file, "--replace"], expecting: 1,
            says: "32,768 characters in “name” don't fit in .xlsx, which has at most")
        #expect(scratch.bytes(of: "out.xlsx") == Data("mine".utf8))
        try Connection(path: path, access: .write).run("UPDATE t SET name = substr(name, 2)")
        try scratch.valet(["export", path, "-o", file, "--replace"], expecting: 0)
        #expect(try cells(of: file)["A2"]?.count == 32_767 + 5)
        try scratch.valet(["export", path, "--format", "xlsx"], expecting: 2, says: "--output")
    }
}
