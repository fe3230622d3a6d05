import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct InferenceTests {
    private let folder = TemporaryFolder()

    private func list(_ sql: String) throws -> ListDescription {
        try #require(try Database(path: try folder.database(sql)).catalog.lists.first)
    }

    /// A table `t` with these columns and a thousand rows of `values`, where `i` counts from 1.
    private func table(_ columns: String, _ values: String, rows: Int = 1_000) -> String {
        """
        CREATE TABLE t (\(columns)); \(numbers(to: rows)) INSERT INTO t SELECT \(values) FROM n
        """
    }

    @Test func aListHasItsGroupingsAndScopes() throws {
        let list = try list(
            table(
                "id INTEGER PRIMARY KEY, name VARCHAR(40), make TEXT, year INT, sold DATE",
                "i, 'name ' || i, 'Make ' || (i % 9), 1990 + i % 30, "
                    + "date(0, 'unixepoch', i || ' days')"))
        #expect(list.name == "t" && list.title == "t" && list.titleColumn == 1)
        #expect(list.columns.map(\.type) == [.integer, .text, .text, .integer, .date])
        let order = [SortKey(column: 1)]
        #expect(
            list.groupings == [
                Grouping(
                    name: "A–Z", column: 1, expression: .firstLetter, rowOrder: order,
                    indexTitles: .firstLetter),
                Grouping(
                    name: "make", column: 2, expression: .wholeValue, rowOrder: order,
                    indexTitles: .firstLetter),
                Grouping(
                    name: "year", column: 3, expression: .wholeValue, rowOrder: order,
                    indexTitles: .wholeValue),
                Grouping(
                    name: "sold", column: 4, expression: .year, rowOrder: order,
                    indexTitles: .wholeValue),
                Grouping(name: "None", column: nil, expression: .none, indexTitles: .none),
            ])
        #expect(
            list.scopes == [
                Scope(name: "Any", columns: .columns([0, 1, 2, 3, 4]), match: .words),
                Scope(name: "name", columns: .columns([1]), match: .words),
                Scope(name: "make", columns: .columns([2]), match: .words),
            ])
        #expect(list.cell == .columns && list.isEditable)
    }

    @Test func withoutTextTheDefaultIsNone() throws {
        let list = try list(table("id INTEGER PRIMARY KEY, kind INT", "i, i % 3"))
        #expect(list.titleColumn == nil)
        #expect(list.groupings.map(\.name) == ["None", "kind"])
        #expect(list.groupings[1].rowOrder.isEmpty)
        #expect(list.scopes == [Scope(name: "Any", columns: .columns([0, 1]), match: .words)])
    }

    @Test func anEmptyTableIsAListByItsDeclaredTypes() throws {
        let list = try list("CREATE TABLE t (a, b INT, c DATE, d BOOLEAN, e BLOB, f REAL)")
        #expect(list.columns.map(\.type) == [.text, .integer, .date, .boolean, .blob, .real])
        #expect(list.groupings.map(\.name) == ["A–Z", "c", "None"])
    }

    @Test func datesWithinAYearAreCutByDay() throws {
        let list = try list(table("at TIMESTAMP, text TEXT", "1700000000 + 3600 * i, i"))
        #expect(list.columns[0].type == .date)
        #expect(list.groupings.first { $0.name == "at" }?.expression == .day)
    }

    @Test func aColumnOfManyValuesIsNotSuggested() throws {
        let list = try list(
            table(
                "many TEXT, few TEXT, constant TEXT, half TEXT, picture BLOB",
                "i % 257, i % 256, 'x', i % 2 + 2 * (i / 500), x'00'"))
        #expect(list.groupings.map(\.name) == ["A–Z", "few", "half", "None"])
    }

    @Test func valuesThatFoldAlikeAreOne() throws {
        let list = try list(
            table("a TEXT", "CASE i % 3 WHEN 0 THEN 'x' WHEN 1 THEN 'X' ELSE 'y' END", rows: 5))
        #expect(list.groupings.map(\.name) == ["A–Z", "a", "None"])
    }

    @Test func columnsNamedLikeAGroupingOrScopeGiveWay() throws {
        let list = try list(table("\"none\" TEXT, \"any\" TEXT", "i % 3, i % 3"))
        #expect(list.groupings.map(\.name) == ["A–Z", "any", "None"])
        #expect(list.scopes.map(\.name) == ["Any", "none"])
    }

    @Test(arguments: [
        ("INT", "'x'", ColumnType.integer), ("CHARINT", "'x'", .integer),
        ("FLOATING POINT", "1", .integer),
        ("VARCHAR(3)", "1", .text), ("CLOB", "1", .text), ("DOUBLE", "1", .real),
        ("NUMERIC", "1", .integer), ("DECIMAL(10,2)", "1.5", .real), ("NUMERIC", "NULL", .real),
        ("STRING", "'x'", .text), ("JSON", "'{}'", .text), ("STRING", "'1'", .integer),
        ("", "'x'", .text), ("", "1", .integer), ("", "1.5", .real), ("", "x'00'", .blob),
        ("", "NULL", .text), ("BLOB", "NULL", .blob), ("BLOB", "x'00'", .blob),
        ("BLOB", "'x'", .text),
        ("BOOLEAN", "1", .boolean), ("BOOL", "0", .boolean), ("BOOLEAN", "2", .integer),
        ("DATE", "'2024-02-29'", .date), ("DATETIME", "'2024-02-29 18:30:00'", .date),
        ("TIMESTAMP", "1700000000", .date), ("DATE", "'29.2.2024'", .text),
        ("DATETIME", "1700000000000", .integer), ("DATE", "''", .date),
        ("TIMESTAMP WITH TIME ZONE", "'2024-02-29T18:30:00.5+01:00'", .date),
    ])
    func theTypeIsReadOffTheDeclarationAndTheSample(
        declared: String, value: String, type: ColumnType
    ) throws {
        let list = try list(
            "CREATE TABLE t (a \(declared)); INSERT INTO t VALUES (\(value)), (NULL)")
        #expect(list.columns[0].type == type)
    }

    /// Dates keep their conditions beside a slip, and what is mostly something else is no date.
    @Test(arguments: [
        ("'2024-01-05', '2024-02-30', '2023-03-03'", ColumnType.date),
        ("'2024-01-05', 'soon', 1700000000, NULL", .date),
        ("'2024-01-05', x'00', '2023-03-03'", .date),
        ("'2024-01-05', 'soon'", .text), ("'2024-01-05', 'soon', '5.3.2024', NULL", .text),
    ])
    func aDateIsWhatMostValuesAre(values: String, type: ColumnType) throws {
        let rows = values.split(separator: ", ").map { "(\($0))" }.joined(separator: ", ")
        let list = try list("CREATE TABLE t (a DATETIME); INSERT INTO t VALUES \(rows)")
        #expect(list.columns[0].type == type)
    }

    @Test func theColumnsOfAViewHaveTypesToo() throws {
        let path = try folder.database(
            table("name TEXT, n INT", "'x' || i, i")
                + ";CREATE VIEW v AS SELECT name, n, n / 2.0 AS half, upper(name) AS loud FROM t")
        let list = try Database(path: path).catalog.list(named: "v")
        #expect(list.columns.map(\.type) == [.text, .integer, .real, .text])
    }
}

struct SamplerTests {
    private let folder = TemporaryFolder()

    private func samples(_ sql: String) throws -> [ColumnSample] {
        try samples(ofFile: folder.database(sql))
    }

    private func samples(ofFile path: String) throws -> [ColumnSample] {
        let connection = try Connection(path: path)
        let tables = try Schema(of: connection).tables
        return Sampler(connection, time: .seconds(1_000)).samples(of: tables)[0]
    }

    @Test func aSmallTableIsReadWhole() throws {
        let sample = try samples(
            """
            CREATE TABLE t (a);
            \(numbers(to: 4_096)) INSERT INTO t (rowid, a) SELECT i * i, i FROM n
            """)
        #expect(sample[0].integers == 4_096)
    }

    @Test func aLargeTableIsReadEvenly() throws {
        let sample = try samples(
            """
            CREATE TABLE t (a DATE);
            \(numbers(to: 40_960)) INSERT INTO t SELECT date(0, 'unixepoch', i || ' days') FROM n
            """)
        #expect(sample[0].texts == 4_096)
        #expect(sample[0].days == 1...40_951)
    }

    @Test func oneFarRowIDTakesNothingFromTheRest() throws {
        let sample = try samples(
            """
            CREATE TABLE t (a); \(numbers(to: 10_000)) INSERT INTO t SELECT i FROM n;
            INSERT INTO t (rowid, a) VALUES (9223372036854775807, 0.5), (-9223372036854775808, 0.5)
            """)
        #expect(sample[0].integers > 4_000)
    }

    @Test func theSampleIsTheSameEachTime() throws {
        let path = try folder.database(
            """
            CREATE TABLE t (a); \(numbers(to: 50_000)) INSERT INTO t (rowid, a)
            SELECT i * (i % 97 + 1), i % 1000 FROM n WHERE true ON CONFLICT DO NOTHING
            """)
        let (one, other) = try (samples(ofFile: path)[0], samples(ofFile: path)[0])
        #expect(one.rows == other.rows && one.integers == other.integers && one.days == other.days)
        #expect(one.rows > 2_000)
    }

    @Test func aTableWithoutRowIDIsReadEvenlyToo() throws {
        let sample = try samples(
            """
            CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID;
            \(numbers(to: 100_000)) INSERT INTO t SELECT i FROM n
            """)
        #expect(sample[0].rows == 4_000)
    }
}
