import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct TableWriterTests {
    private let folder = TemporaryFolder()

    private static let columns = [
        NewColumn("name", .text), NewColumn("n", .integer), NewColumn("x", .real),
        NewColumn("at", .datetime), NewColumn("picture", .blob), NewColumn("any", .any),
    ]

    private func write(rows: Int, keep: Bool) throws -> String {
        let path = folder.file("made.db")
        let connection = try Connection(path: path, access: .create)
        let writer = try TableWriter(on: connection, table: "made", columns: Self.columns)
        for row in 0..<rows {
            writer.row.bind("row \(row)", at: 0)
            writer.row.bind(Int64(row), at: 1)
            writer.row.bind(0.5, at: 2)
            writer.row.bindNull(at: 3)
            [1, 2].withUnsafeBytes { writer.row.bind(blob: $0, at: 4) }
            writer.row.bind(text: UnsafeRawBufferPointer(start: nil, count: 0), at: 5)
            try writer.insertRow()
        }
        if keep { try writer.commit() }
        return path
    }

    @Test func rowsAreThereAfterTheCommit() throws {
        let database = try Database(path: try write(rows: 3, keep: true))
        #expect(
            database.catalog.lists[0].columns.map(\.type) == [
                .text, .integer, .real, .date, .blob, .text,
            ])
        #expect(
            try database.makeReader().detail(list: 0, id: 3) == [
                .text("row 2"), .integer(2), .real(0.5), .null,
                .blob(bytes: [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0], byteCount: 16),
                .text(""),
            ])
    }

    @Test func aWriterThatGoesWithoutCommitLeavesNothing() throws {
        let database = try Database(path: try write(rows: 1_000, keep: false))
        #expect(database.catalog.lists.isEmpty)
    }

    @Test func aTableThatIsThereIsNotMadeAgain() throws {
        let path = try write(rows: 1, keep: true)
        let connection = try Connection(path: path, access: .write)
        expectFailure(saying: "already exists") {
            try TableWriter(on: connection, table: "made", columns: Self.columns)
        }
        try TableWriter(on: connection, table: "other", columns: Self.columns).commit()
    }
}

/// Values are bound and names are quoted: no text is ever taken for SQL.
struct HostileTextTests {
    private let folder = TemporaryFolder()

    private static func hostileTexts(seed: UInt64, count: Int) -> [String] {
        var generator = SeededNumbers(seed: seed)
        let parts = [
            "'", "\"", "`", ";", "--", "/*", "*/", "[", "]", "\\", "%", "_", "?", ":a", "@b", "$c",
            " OR 1=1", "DROP TABLE t", "UNION SELECT", "\u{1B}[2J", "\u{202E}", "é", "e\u{301}",
            "🚗", "\u{FEFF}", "\n", "\r", "\t", "x", "1", "\u{FFFD}", "ﬁ", "İ", "\u{7F}",
        ]
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
        }
    }

    @Test func twoThousandTextsComeBackAsTheyWent() throws {
        let texts = Self.hostileTexts(seed: 2_000, count: 2_000)
        let path = folder.file("hostile.db")
        let connection = try Connection(path: path, access: .create)
        let writer = try TableWriter(
            on: connection, table: "'; DROP TABLE t; --", columns: [NewColumn("\"a'", .text)])
        for text in texts {
            writer.row.bind(text, at: 0)
            try writer.insertRow()
        }
        try writer.commit()
        let reader = try Database(path: path).makeReader()
        #expect(try reader.everything(list: 0).map(\.cells) == texts.map { [.text($0)] })
    }

    @Test func namesComeBackAsTheyWent() throws {
        let names = Set(Self.hostileTexts(seed: 7, count: 200).map(SQL.caseFolded)).sorted()
        let connection = try Connection(path: folder.file("hostile.db"), access: .create)
        let columns = names.map { NewColumn($0, .text) }
        for name in names.prefix(20) {
            try TableWriter(on: connection, table: "t" + name, columns: columns).commit()
        }
        let lists = try Database(path: folder.file("hostile.db")).catalog.lists
        #expect(lists.map(\.name) == names.prefix(20).map { "t" + $0 })
        #expect(lists.allSatisfy { $0.columns.map(\.name) == names })
    }

    @Test func theWidestTableIsServed() throws {
        let count = Limits.columnsPerList
        let path = folder.file("wide.db")
        let connection = try Connection(path: path, access: .create)
        let columns = (0..<count).map { NewColumn("column \($0)", .text) }
        let writer = try TableWriter(on: connection, table: "wide", columns: columns)
        for column in 0..<count { writer.row.bind("value \(column)", at: column) }
        try writer.insertRow()
        try writer.commit()
        let database = try Database(path: path)
        #expect(database.catalog.lists[0].columns.count == count)
        let reader = try database.makeReader()
        let cells = (0..<count).map { Cell.text("value \($0)") }
        #expect(try reader.everything(list: 0) == [ReadRow(id: 1, cells: cells)])
        #expect(try reader.detail(list: 0, id: 1) == cells)
        let all = Array(0..<count)
        var row: [ReadRow] = []
        try reader.rows(list: 0, ids: [1], columns: all) { _, stored in
            row.append(ReadRow(id: stored.id, cells: all.map { Cell(stored[$0]) }))
        }
        #expect(row == [ReadRow(id: 1, cells: cells)])
    }

    @Test func aTableOfMoreColumnsThanCanBeReadIsLeftOut() throws {
        let count = Limits.columnsPerList + 1
        let columns = (0..<count).map { "c\($0)" }.joined(separator: ",")
        let database = try Database(
            path: try folder.database("CREATE TABLE t (a); CREATE TABLE wide (\(columns))"))
        #expect(database.catalog.lists.map(\.name) == ["t"])
        #expect(
            database.leftOut == [
                LeftOut(
                    name: "wide",
                    reason: "table “wide” has \(count) columns, and a list is limited to "
                        + "\(Limits.columnsPerList) (columnsPerList)")
            ])
    }
}

/// Many threads, each with a reader of its own.
struct ConcurrencyTests {
    private let folder = TemporaryFolder()

    @Test func readersOfManyThreadsShareTheCopies() async throws {
        let path = try folder.database(
            """
            CREATE TABLE plain (a TEXT);
            \(numbers(to: 5_000)) INSERT INTO plain SELECT 'row ' || i FROM n;
            CREATE TABLE keyed (k PRIMARY KEY, v) WITHOUT ROWID;
            INSERT INTO keyed SELECT a, rowid FROM plain;
            CREATE VIEW seen AS SELECT v FROM keyed
            """)
        let database = try Database(path: path)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let reader = try database.makeReader()
                    var count = 0
                    for list in 0..<3 {
                        try reader.scan(list: list, columns: [0]) { _ in count += 1 }
                        count += try reader.detail(list: list, id: 5_000)?.count ?? 0
                    }
                    return count
                }
            }
            for try await count in group { #expect(count == 3 * 5_000 + 4) }
        }
    }
}
