import TestSupport
import Testing

/// Tables that can't be lists are named, with the reason.
@Suite(.runsPrograms) struct LeftOutTests {
    private let scratch = Scratch()

    @Test func listsSaysWhichTablesItLeavesOutAndWhy() throws {
        let database = try scratch.database(table: "small", csv: "id,title\na,One\n")
        let columns = (0..<2_000).map { "c\($0)" }.joined(separator: ", ")
        try TemporaryFolder.change(database, "CREATE TABLE wide (\(columns))")
        let server = try Daemon(
            .valetd, ["serve", database, "--listen", "127.0.0.1:0"], in: scratch)
        for target in [database, server.address] {
            let lists = try scratch.valet(["lists", target, "--format", "jsonl"])
            #expect(lists.code == 0 && lists.lines.count == 1)
            #expect(
                lists.message.contains("“wide” is no list: table “wide” has 2000 columns"),
                "\(lists.message)")
            #expect(lists.message.contains("columnsPerList"))
            let rows = try scratch.valet(["rows", target, "--list", "WIDE"])
            #expect(rows.code == 3 && rows.message.contains("“wide” is no list: table"))
        }
        let catalog = try scratch.write("lists: [{name: wide}]", to: "wide.yaml")
        let named = try scratch.valet(["lists", database, "--catalog", catalog])
        #expect(named.code != 0 && named.message.contains("“wide” is no list: table"))
        try TemporaryFolder.change(database, "DROP TABLE small")
        let rows = try scratch.valet(["rows", database])
        #expect(rows.code != 0 && rows.message.contains("has 2000 columns"))
        #expect(!rows.message.contains("has no tables"))
    }
}
