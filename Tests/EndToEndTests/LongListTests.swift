import Foundation
import TestSupport
import Testing

/// Lists that are too long to be held, or to be looked through.
@Suite(.runsPrograms) struct LongListTests {
    private let scratch = Scratch()
    private let folder = TemporaryFolder()

    /// Rows of 900 bytes.
    private static func database(_ rows: [(table: String, count: Int)]) -> String {
        rows.map { table, count in
            """
            CREATE TABLE \(table) (id INTEGER PRIMARY KEY, note TEXT);
            WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < \(count))
                INSERT INTO \(table) SELECT i, printf('%08d', i) || hex(zeroblob(446)) FROM s;
            """
        }.joined()
    }

    #if SANITIZED
        /// A sanitizer keeps for a while what is freed.
        private static let saysPeaks = false
    #else
        private static let saysPeaks = FileManager.default.fileExists(atPath: "/proc/self/status")
    #endif

    /// 36 MB against 9 MB. The server is another process, so that the peak is the command's own.
    @Test(.enabled(if: saysPeaks, "needs /proc, and no sanitizer"), arguments: ["rows", "export"])
    func aLongListTakesNoMoreMemoryThanAShortOne(command: String) throws {
        let path = try folder.database(Self.database([("few", 10_000), ("many", 40_000)]))
        let daemon = try Daemon(path, in: scratch)
        func peak(_ list: String, _ rows: Int) throws -> Int {
            let program = try PipedProgram(
                .valet, [command, daemon.address, "--list", list, "--group", "None"],
                in: scratch)
            // What is left is more than a pipe holds, so the program has not ended.
            #expect(program.readLines(rows - 500) >= rows - 500)
            let peak = try #require(program.process.peakResidentBytes)
            #expect(program.readLines(.max) > 0)
            #expect(try program.close().code == 0)
            return peak
        }
        let (few, many) = (try peak("few", 10_000), try peak("many", 40_000))
        #expect(many < few + (16 << 20), "\(few) and \(many) bytes")
    }

    @Test(arguments: ["rows", "export"])
    func aReaderThatHasEnoughEndsTheCommandQuietly(command: String) throws {
        let path = try folder.database(Self.database([("many", 5_000)]))
        let program = try PipedProgram(.valet, [command, path, "--list", "many"], in: scratch)
        #expect(program.readLines(1) > 0)
        let end = try program.close()
        #expect(end.code == 0 && end.message == "")
    }

    #if DEBUG
        /// A million takes too long here without optimization.
        private static let sections = 200_000
    #else
        private static let sections = 1_000_000
    #endif

    @Test func sectionsOfOneRowAreFoundWhereverTheyStand() throws {
        let last = Self.sections - 1
        let server = try Daemon(
            .valet,
            ["demo", "--listen", "127.0.0.1:0", "--sections", "\(Self.sections)x1"],
            in: scratch)
        func run(_ command: String, _ arguments: String...) throws -> Finished {
            try scratch.valet(
                [command, server.address, "--list", "sections", "--format", "jsonl"] + arguments,
                expecting: 0)
        }
        var sections = try run("sections")
        #expect(sections.lines.count == Self.sections)
        // Not all are read, which takes long.
        sections.output = Data(sections.lines.suffix(2).joined(separator: "\n").utf8)
        let end = try sections.objects
        #expect(end.map { $0["section"] as? Int } == [last - 1, last])
        #expect(end.last?["title"] as? String == "Section: \(last)")
        #expect(end.allSatisfy { $0["count"] as? Int == 1 })
        let row = try run("rows", "--section", "Section: \(last)").objects
        #expect(row.count == 1 && row[0]["at"] as? Int == last)
        #expect(row[0]["path"] as? [Int] == [last, 0])
        let middle = try run("rows", "--at", "\(last / 2)", "--count", "3").objects
        #expect(middle.map { $0["at"] as? Int } == (0..<3).map { last / 2 + $0 })
        let index = try run("index", "--group", "section").objects
        #expect(index.first?["section"] as? Int == 0 && index.count <= 1_024)
        #expect(index.last?["section"] as? Int == last)
        #expect(try server.end() == 0)
    }
}
