import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct VirtualTableTests {
    private let folder = TemporaryFolder()

    static let tables = [
        "CREATE VIRTUAL TABLE f USING fts5(title); INSERT INTO f (rowid, title)",
        "CREATE VIRTUAL TABLE f USING fts4(title); INSERT INTO f (docid, title)",
        "CREATE VIRTUAL TABLE F_2 USING fts5(title); INSERT INTO f_2 (rowid, title)",
    ]

    @Test(arguments: tables) func rowsOfFullTextTablesHaveTheirOwnIDs(sql: String) throws {
        let reader = try folder.reader(
            sql + " VALUES (70, 'seventy'), (3, 'three'), (-2, 'below')")
        #expect(reader.database.sources[0] != nil)
        #expect(try reader.rowCount(list: 0) == 3)
        #expect(try reader.rowIDBounds(list: 0) == -2...70)
        let rows = [(-2, "below"), (3, "three"), (70, "seventy")].map {
            ReadRow(id: $0, cells: [.text($1)])
        }
        #expect(try reader.everything(list: 0, columns: [0]) == rows)
        var found: [Int: ReadRow] = [:]
        try reader.rows(list: 0, ids: [70, 4, -2], columns: [0]) { position, row in
            found[position] = ReadRow(id: row.id, cells: [Cell(row[0])])
        }
        #expect(found == [0: rows[2], 2: rows[0]])
        #expect(try reader.detail(list: 0, id: 70) == [.text("seventy")])
        #expect(try reader.detail(list: 0, id: 4) == nil)
        let piece = try reader.piece(list: 0, id: 70, column: 0, offset: 1, count: 3)
        #expect(piece?.bytes == Array("eve".utf8) && piece?.byteCount == 7)
    }

    @Test func boxesOfAnRTreeHaveTheirOwnIDs() throws {
        let reader = try folder.reader(
            """
            CREATE VIRTUAL TABLE boxes USING rtree(id, left, right);
            INSERT INTO boxes VALUES (40, 1, 2), (-5, 3, 4)
            """)
        let rows = try reader.everything(list: 0, columns: [1, 0])
        #expect(
            rows == [
                ReadRow(id: -5, cells: [.real(3), .integer(-5)]),
                ReadRow(id: 40, cells: [.real(1), .integer(40)]),
            ])
    }

    @Test func aVirtualTableThatKeepsNoRowsIsCopied() throws {
        let reader = try folder.reader(
            """
            CREATE VIRTUAL TABLE f USING fts5(title); INSERT INTO f VALUES ('b a'), ('c');
            CREATE VIRTUAL TABLE words USING fts5vocab(f, row)
            """)
        let words = try reader.database.list("words")
        #expect(reader.database.sources[words] == nil)
        let rows = try reader.everything(list: words, columns: [0])
        #expect(rows.map(\.cells) == [[.text("a")], [.text("b")], [.text("c")]])
    }

    /// A file with a table and an FTS5 table, and 0xFF where the root page of `inner` begins.
    private func broken(_ inner: String) throws -> Database {
        let path = try folder.database(
            """
            CREATE TABLE plain (a TEXT); INSERT INTO plain VALUES ('x');
            CREATE VIRTUAL TABLE f USING fts5(title); INSERT INTO f VALUES ('one')
            """)
        let connection = try Connection(path: path)
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = '\(inner)'"
        let start =
            Int(try connection.integer(sql) - 1)
            * Int(try connection.integer("PRAGMA page_size"))
        var raw = bytes(of: path)
        raw.replaceSubrange(start..<start + 100, with: repeatElement(0xFF, count: 100))
        return try Database(path: folder.write(raw, to: "broken.db"))
    }

    @Test(arguments: ["f_data", "f_config"])
    func aFullTextTableThatIsDamagedInsideIsLeftOutAndTheRestIsServed(inner: String) throws {
        let database = try broken(inner)
        #expect(database.catalog.lists.map(\.name) == ["plain"])
        #expect(database.leftOut.map(\.name) == ["f"])
        #expect(database.leftOut[0].reason.hasPrefix("table “f” of"))
        #expect(
            try database.makeReader().everything(list: 0, columns: [0])
                == [ReadRow(id: 1, cells: [.text("x")])])
    }

    @Test func aFullTextTableWhoseRowsAreDamagedIsAnErrorOfItsOwn() throws {
        let database = try broken("f_content")
        #expect(database.catalog.lists.map(\.name) == ["plain", "f"])
        let reader = try database.makeReader()
        let error = failure { _ = try reader.everything(list: 1, columns: [0]) }
        #expect(error?.message.hasPrefix("table “f” of") == true)
        #expect(try reader.rowCount(list: 0) == 1)
    }
}
