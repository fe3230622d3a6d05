import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct SchemaTests {
    private let folder = TemporaryFolder()

    private func database(_ sql: String) throws -> Database {
        try Database(path: try folder.database(sql))
    }

    @Test func tablesAndViewsAreListsInTheOrderInWhichTheyWereMade() throws {
        let database = try database(
            """
            CREATE TABLE zebras (a INTEGER PRIMARY KEY AUTOINCREMENT);
            CREATE TABLE apes (k PRIMARY KEY) WITHOUT ROWID;
            CREATE VIEW both AS SELECT a FROM zebras UNION SELECT k FROM apes;
            CREATE INDEX i ON zebras (a);
            CREATE TABLE _valet_log (a); CREATE TABLE _VALET_Rows (a);
            INSERT INTO zebras VALUES (1); ANALYZE
            """)
        #expect(database.catalog.lists.map(\.name) == ["zebras", "apes", "both"])
        #expect(database.leftOut.isEmpty)
    }

    static let names = [
        "", " ", "a b", "\"", "\"\"", "'", "`", "[x]", "];DROP TABLE t;--", "select", "naïve ☕️",
        "100%", "?", ":a", "a.b", "s", "rowid", "tab\tnew\nline", "\\", "ｘ", "🚗🚙",
    ]

    @Test(arguments: names) func anyLegalNameIsReadBack(name: String) throws {
        let quoted = SQL.quoted(name)
        let database = try database(
            """
            CREATE TABLE \(quoted) (\(quoted) TEXT, other BLOB);
            INSERT INTO \(quoted) VALUES ('value', x'00');
            CREATE VIEW \(SQL.quoted("view " + name)) AS SELECT * FROM \(quoted)
            """)
        let lists = database.catalog.lists
        #expect(lists.map(\.name) == [name, "view " + name])
        #expect(lists[0].columns.map(\.name) == [name, "other"])
        for list in 0..<2 {
            let reader = try database.makeReader()
            let rows = try reader.everything(list: list, columns: [0])
            #expect(rows.map(\.cells) == [[.text("value")]])
            #expect(try reader.detail(list: list, id: 1)?.first == .text("value"))
            let piece = try reader.piece(list: list, id: 1, column: 0, offset: 1, count: 2)
            #expect(piece?.bytes == Array("al".utf8))
        }
    }

    @Test func aNameThatIsNotUTF8IsLeftOutWithItsReason() throws {
        // A name that is valid, then made wrong in the file itself.
        let path = try folder.database("CREATE TABLE good (a); CREATE TABLE tXYZZYt (b)")
        var raw = bytes(of: path)
        raw.replace(Array("XYZZY".utf8), with: [0x58, 0xFF, 0x5A, 0x5A, 0x59])
        let database = try Database(path: folder.write(raw, to: "wrong.db"))
        #expect(database.catalog.lists.map(\.name) == ["good"])
        #expect(database.leftOut.map(\.reason) == ["its name is too long, or not UTF-8"])
    }

    @Test func listsAreLimitedAndTheRestIsNamed() throws {
        let tables = (0..<Limits.lists + 5).map { "CREATE TABLE t\($0) (a);" }.joined()
        let database = try database(tables)
        #expect(database.catalog.lists.count == Limits.lists)
        #expect(database.catalog.leftOutCount == 5)
        #expect(database.catalog.leftOut.first?.reason.contains("limited to 1000") == true)
    }

    @Test(
        arguments: [
            (
                "CREATE TABLE gone (b); CREATE VIEW v AS SELECT b FROM gone;"
                    + "CREATE VIEW ok AS SELECT a FROM t; DROP TABLE gone", ["t", "ok"]
            ),
            // What a schema may not call.
            ("CREATE VIEW v AS SELECT load_extension('/tmp/x.so') AS a", ["t"]),
        ])
    func aViewThatCannotBeReadIsLeftOutAndTheRestIsServed(sql: String, lists: [String]) throws {
        let database = try database("CREATE TABLE t (a); " + sql)
        #expect(database.catalog.lists.map(\.name) == lists)
        #expect(database.leftOut.map(\.name) == ["v"])
    }

    @Test func generatedColumnsAreColumnsAndHiddenOnesAreNot() throws {
        let database = try database(
            """
            CREATE TABLE t (a TEXT, b TEXT AS (a) VIRTUAL, c INT AS (length(a)) STORED);
            CREATE VIRTUAL TABLE f USING fts5(title, body);
            INSERT INTO f VALUES ('one', 'two')
            """)
        #expect(database.catalog.lists[0].columns.map(\.name) == ["a", "b", "c"])
        let text = try database.list("f")
        #expect(database.catalog.lists[text].columns.map(\.name) == ["title", "body"])
        // Shadow tables are internal.
        #expect(database.catalog.lists.count == 2)
        let rows = try database.makeReader().everything(list: text, columns: [0, 1])
        #expect(rows == [ReadRow(id: 1, cells: [.text("one"), .text("two")])])
    }
}

struct RowIDTests {
    private let folder = TemporaryFolder()

    @Test(
        arguments: [
            // An integer primary key is the row id.
            ("CREATE TABLE t (k INTEGER PRIMARY KEY); INSERT INTO t VALUES (5), (-2)", [-2, 5]),
            // A column that is called like it is not.
            (
                "CREATE TABLE t (RowID TEXT, _rowid_); INSERT INTO t (oid, RowID) VALUES (8, 'x')",
                [8]
            ),
            // When all its names are shadowed, the integer primary key helps.
            (
                "CREATE TABLE t (rowid, _rowid_, oid, k INTEGER PRIMARY KEY);"
                    + "INSERT INTO t VALUES (1, 2, 3, 40)", [40]
            ),
        ] as [(String, [Int64])])
    func rowsHaveTheirIDs(sql: String, ids: [Int64]) throws {
        #expect(try folder.reader(sql).everything(list: 0).map(\.id) == ids)
    }

    @Test(arguments: ["k", "k INTEGER PRIMARY KEY DESC", "k INT PRIMARY KEY"])
    func withoutThatTheTableIsCopied(column: String) throws {
        let reader = try folder.reader(
            "CREATE TABLE t (rowid, _rowid_, oid, \(column)); INSERT INTO t VALUES (7, 8, 9, 40)")
        #expect(reader.database.sources[0] == nil)
        let cells = [7, 8, 9, 40].map(Cell.integer)
        #expect(try reader.everything(list: 0) == [ReadRow(id: 1, cells: cells)])
        #expect(try reader.detail(list: 0, id: 1) == cells)
    }

    /// SQLite compares bytes: a combining mark is not part of its letter.
    @Test func namesAndTypesAreReadByBytes() {
        #expect(Schema.isInternal("_valet_\u{301}log") && Schema.isInternal("SQLITE_\u{301}x"))
        #expect(!Schema.isInternal("valet_log"))
        #expect(Affinity(declaredType: "int\u{301}") == .integer)
        #expect(Affinity(declaredType: "VARCHAR\u{301}(9)") == .text)
        #expect(Affinity(declaredType: "decimal") == .numeric)
    }
}
