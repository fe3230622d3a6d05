import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Tables and views of every shape, as a client sees them.
@Suite(.timeLimit(.minutes(5))) struct ListTests {
    private func serve(_ sql: String, _ body: (ValetConnection) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        try await TestServer.run(folder.database(sql), body)
    }

    @Test func theCatalogCountsEveryList() async throws {
        try await serve(
            """
            CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('1'), ('2');
            CREATE TABLE b (x TEXT);
            CREATE VIEW v AS SELECT x FROM a UNION ALL SELECT 'z';
            """
        ) { connection in
            #expect(try await connection.catalog(countingRows: false).rowCounts == [nil, nil, nil])
            for _ in 0..<2 {
                let (catalog, counts) = try await connection.catalog()
                #expect(catalog.lists.map(\.name) == ["a", "b", "v"])
                #expect(counts == [2, 0, 3])
                _ = try await connection.openView(list: "v")
            }
            // What was read in is known.
            #expect(try await connection.catalog(countingRows: false).rowCounts == [nil, nil, 3])
        }
    }

    @Test func aServerSaysHowItIs() async throws {
        try await serve(
            "CREATE TABLE cars (make TEXT); INSERT INTO cars VALUES ('BMW'), ('Fiat');"
        ) { connection in
            let view = try await connection.openView(list: "cars")
            let statistics = try await connection.statistics()
            #expect(statistics[.connections] == 1 && statistics[.views] == 1)
            #expect(statistics[.rowsReadIn] == 2)
            try await view.close()
            #expect(try await connection.statistics()[.views] == 0)
        }
    }

    @Test func aFileWithoutListsHasAnEmptyCatalog() async throws {
        try await serve("PRAGMA user_version = 1") { connection in
            let (catalog, counts) = try await connection.catalog()
            #expect(catalog.lists.isEmpty && counts.isEmpty)
            let error = await failure { try await connection.openView(list: "x") }
            #expect(error?.code == .unknownList)
        }
    }

    @Test func aListWithoutRowsIsEmptyEverywhere() async throws {
        try await serve("CREATE TABLE t (name TEXT, size REAL)") { connection in
            for grouping in [nil, "name", "size", "None"] as [String?] {
                let view = try await connection.openView(
                    list: "t", Query(grouping: grouping, search: .init(text: "x")))
                #expect(view.summary.totalRows == 0)
                #expect(view.summary.totalSections == 0)
                for anchor in [Anchor.ordinal(0), .ordinal(9), .end, .fraction(.max)] {
                    let window = try await view.window(at: anchor, rowsBefore: 5, rows: 10)
                    #expect(window.rows.isEmpty && window.runs.isEmpty)
                }
                #expect(try await view.index(most: 10).isEmpty)
                #expect(try await view.sections(from: 0, count: 10).isEmpty)
                #expect(try await view.locate(1) == nil)
                try await view.close()
            }
        }
    }

    @Test func oneRowIsAWholeList() async throws {
        try await serve("CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('Ada')") { connection in
            let view = try await connection.openView(list: "t")
            let window = try await view.window(at: .end, rowsBefore: 10, rows: 20)
            #expect(window.rows == [Row(id: 1, cells: [.text("Ada")])])
            #expect(window.runs.map(\.title) == ["A"])
            #expect(try await view.section(titled: "a").count == 1)
            #expect(try await view.locate(1)?.path == IndexPath(section: 0, row: 0))
        }
    }

    @Test func aListOfNothingButNullsHasOneUnknownSection() async throws {
        try await serve(
            "CREATE TABLE t (name TEXT, n INTEGER); INSERT INTO t VALUES (NULL,NULL), ('',NULL)"
        ) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "n"))
            #expect(view.summary.totalSections == 1)
            let window = try await view.window(at: .ordinal(0), rows: 5)
            #expect(window.runs.map(\.title) == ["–"])
            #expect(window.rows.map { $0?.cells } == [[.null, .null], [.text(""), .null]])
            let found = try await view.rearrange(Query(search: .init(text: "unkn")))
            #expect(found.totalRows == 0, "a title is no text")
        }
    }

    @Test func twoHundredColumnsTravel() async throws {
        let names = (0..<200).map { "c\($0)" }
        let values = (0..<200).map { "'v\($0)'" }
        try await serve(
            """
            CREATE TABLE wide (\(names.joined(separator: ", ")));
            INSERT INTO wide VALUES (\(values.joined(separator: ", ")));
            """
        ) { connection in
            let view = try await connection.openView(list: "wide")
            let row = try #require(try await view.allRows().first)
            #expect(row.cells == (0..<200).map { .text("v\($0)") })
            let some = try await connection.openView(
                list: "wide", columns: ["C199", "c0"], Query(grouping: "c100"))
            #expect(some.summary.columns == [199, 0])
            #expect(try await some.allRows().first?.cells == [.text("v199"), .text("v0")])
            #expect(try await connection.detail(list: "wide", rowID: 1).cells.count == 200)
        }
    }

    @Test func viewsAndTablesWithoutRowidAreListsToo() async throws {
        try await serve(
            """
            CREATE TABLE codes (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
            INSERT INTO codes VALUES ('b', 'Beta'), ('a', 'Alpha');
            CREATE VIEW loud AS SELECT upper(name) AS name FROM codes;
            """
        ) { connection in
            let codes = try await connection.openView(list: "codes", Query(grouping: "code"))
            #expect(
                try await codes.allRows().map(\.cells)
                    == [[.text("a"), .text("Alpha")], [.text("b"), .text("Beta")]])
            let loud = try await connection.openView(
                list: "loud", Query(sort: [.init(column: "name", isDescending: true)]))
            let rows = try await loud.allRows()
            #expect(Set(rows.map(\.cells)) == [[.text("ALPHA")], [.text("BETA")]])
            let detail = try await connection.detail(list: "loud", rowID: rows[0].id)
            #expect(detail.cells == rows[0].cells)
        }
    }

    @Test func wholeRowsOfAListWithoutViewsAreRead() async throws {
        try await serve(
            "CREATE VIEW v AS SELECT 'x' AS a UNION ALL SELECT 'y'; CREATE TABLE t (b BLOB);"
        ) { connection in
            let detail = try await connection.detail(list: "v", rowID: 2)
            #expect(detail.cells == [.text("y")])
            let bytes = try await connection.wholeCell(list: "v", rowID: 1, column: "A")
            #expect(bytes == [0x78])
            let error = await failure { try await connection.detail(list: "t", rowID: 1) }
            #expect(error?.code == .unknownRow)
        }
    }

    @Test func columnsMayBeCalledAsRowIDsAre() async throws {
        try await serve(
            """
            CREATE TABLE t (rowid TEXT, oid TEXT, name TEXT);
            INSERT INTO t VALUES ('r', 'o', 'one'), ('q', 'p', 'two');
            CREATE TABLE all3 (rowid TEXT, oid TEXT, _rowid_ TEXT);
            INSERT INTO all3 VALUES ('a', 'b', 'c');
            """
        ) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "rowid"))
            let rows = try await view.allRows()
            #expect(rows.map(\.id) == [2, 1])
            #expect(rows[0].cells == [.text("q"), .text("p"), .text("two")])
            #expect(try await connection.detail(list: "t", rowID: 1).cells[0] == .text("r"))
            let all = try await connection.openView(list: "all3")
            #expect(try await all.allRows().map(\.cells) == [[.text("a"), .text("b"), .text("c")]])
        }
    }

    @Test func rowIDsReachBothEndsOfTheirRange() async throws {
        let ids = [Int64.min, -1, 0, 1, .max]
        let values = ids.map { "(\($0 == .min ? "-9223372036854775807 - 1" : "\($0)"), 'x')" }
        try await serve(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO t VALUES \(values.joined(separator: ", "));
            """
        ) { connection in
            let view = try await connection.openView(list: "t", Query(grouping: "None"))
            #expect(try await view.allRows().map(\.id) == ids)
            for (ordinal, id) in ids.enumerated() {
                #expect(try await view.locate(id)?.ordinal == ordinal)
                #expect(try await view.window(at: .rowID(id), rows: 1).rows[0]?.id == id)
                #expect(try await connection.detail(list: "t", rowID: id).cells[0] == .integer(id))
            }
        }
    }
}
