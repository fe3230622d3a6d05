import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct CSVImportTests {
    private let folder = TemporaryFolder()

    private var database: String { folder.file("out.db") }

    private func run(_ csv: String, table: String = "t", appending: Bool = false) throws -> Int {
        let path = folder.write(csv, to: "in.csv")
        return try CSVImport.run(
            csvPath: path, databasePath: database, table: table, appending: appending)
    }

    /// Every row of a table, as SQLite shows it.
    private func rows(_ table: String = "t") throws -> [[Cell]] {
        let database = try Database(path: database)
        return try database.makeReader().everything(list: database.list(table)).map(\.cells)
    }

    private func schema() throws -> String? {
        let statement = try Connection(path: database).prepare("SELECT sql FROM sqlite_schema")
        return try statement.step() ? statement.text(0) : nil
    }

    @Test func typesComeFromAllCells() throws {
        let csv = """
            name,year,fuel,code,empty,big
            i4,2024,12.5,007,,1
            X5,,3,8,,9223372036854775808
            "",-1908,0.5,9,,2

            """
        #expect(try run(csv) == 3)
        #expect(
            try schema()
                == "CREATE TABLE \"t\" (\"name\" TEXT, \"year\" INTEGER, \"fuel\" REAL, \"code\" "
                + "TEXT, \"empty\" TEXT, \"big\" TEXT)")
        #expect(
            try rows() == [
                [.text("i4"), .integer(2024), .real(12.5), .text("007"), .null, .text("1")],
                [.text("X5"), .null, .real(3), .text("8"), .null, .text("9223372036854775808")],
                [.null, .integer(-1908), .real(0.5), .text("9"), .null, .text("2")],
            ])
    }

    @Test func aHeaderAloneMakesAnEmptyTable() throws {
        #expect(try run("a,b\n") == 0)
        #expect(try rows().isEmpty)
    }

    @Test func blankLinesCountOnlyWhereRowsHaveOneCell() throws {
        #expect(try run("a,b\n1,2\n\n3,4\n\n") == 2)
        #expect(try run("a\n1\n\n3\n", table: "u") == 3)
        #expect(try rows("u") == [[.integer(1)], [.null], [.integer(3)]])
    }

    @Test func asManyColumnsAsAListHasAreImportedAndReadBack() throws {
        let names = (0..<Limits.columnsPerCSV).map { "c\($0)" }
        let cells = names.indices.map { Int64($0) }
        let csv =
            names.joined(separator: ",") + "\n" + cells.map(String.init).joined(separator: ",")
        #expect(try run(csv) == 1)
        #expect(try rows() == [cells.map { .integer($0) }])
        #expect(failure { _ = try run("x," + csv, table: "u") }?.code == .limitExceeded)
    }

    @Test func anyNameCanBeImported() throws {
        let table = "a\"b; DROP TABLE t;--"
        #expect(try run("\"x\"\"y\",\"a,b\",rowid,\" \"\n1,2,3,4\n", table: table) == 1)
        let list = try #require(try Database(path: database).catalog.lists.first)
        #expect(list.name == table)
        #expect(list.columns.map(\.name) == ["x\"y", "a,b", "rowid", " "])
    }

    static let mistakes: [(csv: String, message: String)] = [
        ("", "“IN” is empty: its first line must name the columns"),
        ("\na,b\n", "“IN”, line 1: a blank line instead of the header"),
        ("a,,c\n", "“IN”, line 1: column 2 of the header has no name"),
        ("a,b,A\n", "“IN”, line 1: columns 1 and 3 have the same name"),
        ("a\0\n", "“IN”, line 1: column 1 of the header has a zero in its name"),
        ("a,b\n1,2\n\n1\n", "“IN”, line 4: 1 field, but the header has 2"),
        ("a,b\n\"x\ny\",2\n1,2,3", "“IN”, line 4: 3 fields, but the header has 2"),
        ("a\n\"x\n", "“IN”, line 2, column 1: a quote that is opened here is never closed"),
    ]

    @Test(arguments: mistakes) func aMistakeLeavesNoFileBehind(
        csv: String, message: String
    ) throws {
        let error = failure { _ = try run(csv) }
        let path = folder.file("in.csv")
        #expect(error?.message == message.replacing("IN", with: path))
        #expect(!FilePath.exists(database))
    }

    @Test func aMistakeLeavesADatabaseAsItWas() throws {
        _ = try run("a,b\n1,2\n")
        let before = bytes(of: database)
        #expect(failure { _ = try run("a,b\n1\n", table: "u") } != nil)
        #expect(failure { _ = try run("a,b\n3,4\n1\n", appending: true) } != nil)
        #expect(bytes(of: database) == before)
    }

    @Test func anExistingTableIsAnErrorUnlessAppending() throws {
        _ = try run("a,b\n1,x\n")
        #expect(
            failure { _ = try run("a,b\n1,x\n", table: "T") }?.message
                == "“\(database)” already has “T”: add to it with --append, or name "
                + "another table")
        #expect(try run("B,a\ny,2\n", appending: true) == 1)
        #expect(try rows() == [[.integer(1), .text("x")], [.integer(2), .text("y")]])
    }

    @Test func appendingToNothingIsAnErrorAndMakesNothing() throws {
        let expected = ValetError(
            .unknownList, "“\(database)” has no table “t” to add to: leave out --append to make it")
        #expect(failure { try run("a\n1\n", appending: true) } == expected)
        #expect(!FilePath.exists(database))
        _ = try run("a\n1\n", table: "other")
        #expect(failure { try run("a\n1\n", appending: true) } == expected)
        #expect(try rows("other") == [[.integer(1)]])
    }

    @Test func columnsOfAnotherNameAreRefused() throws {
        _ = try run("a,b\n1,2\n")
        let extra = ValetError(
            .unknownColumn, "table “t” has no column “c” to fill", alternatives: ["a", "b"])
        #expect(failure { try run("a,b,c\n1,2,3\n", appending: true) } == extra)
        let missing = failure { try run("a\n1\n", appending: true) }
        #expect(missing?.message == "the file has no column “b” for table “t”")
        #expect(try rows().count == 1)
    }

    @Test func appendingKeepsWhatATextColumnIsGiven() throws {
        try Connection(path: database, access: .create).run(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, price TEXT, n INT, any, twice AS (n * 2));
            CREATE VIEW v AS SELECT * FROM t
            """)
        #expect(try run("price,n,any\n1.50,7,1.50\n", appending: true) == 1)
        #expect(
            try rows() == [[.integer(1), .text("1.50"), .integer(7), .real(1.5), .integer(14)]])
        #expect(
            failure { _ = try run("a\n1\n", table: "v", appending: true) }?.message
                == "“v” is not a table that rows can be added to: name a table")
    }

    @Test func digitsThatNoNumberKeepsMakeTheColumnText() throws {
        let csv = """
            long,mixed,pi,real
            123456789012345678901,9007199254740993,3.14159265358979323846,1.50
            1,0.5,3,1e3

            """
        _ = try run(csv)
        #expect(
            try rows() == [
                [
                    .text("123456789012345678901"), .text("9007199254740993"),
                    .text("3.14159265358979323846"), .real(1.5),
                ],
                [.text("1"), .text("0.5"), .text("3"), .real(1_000)],
            ])
    }

    static let cellsThatWouldChange = [
        ("INTEGER", "007"), ("INTEGER", "+5"), ("INTEGER", " 5"), ("INTEGER", "5."),
        ("INTEGER", "123456789012345678901"), ("REAL", "9007199254740993"), ("REAL", "05"),
        ("DATE", "007"), ("NUMERIC", "0.1234567890123456789"), ("REAL", "1e999"),
    ]

    @Test(arguments: cellsThatWouldChange)
    func aCellThatAnExistingColumnWouldChangeIsAnError(type: String, cell: String) throws {
        try Connection(path: database, access: .create).run(
            "CREATE TABLE t (x TEXT, n \(type)); INSERT INTO t VALUES ('old', NULL)")
        #expect(
            failure { try run("x,n\na,1\nb,\(cell)\n", appending: true) }?.message
                == "“\(folder.file("in.csv"))”, line 3: column “n” stores numbers and would "
                + "not keep “\(cell)” as it is written: correct the cell, or declare "
                + "the column TEXT")
        #expect(try rows() == [[.text("old"), .null]])
    }

    @Test func aColumnThatKeepsTheCellTakesIt() throws {
        try Connection(path: database, access: .create).run(
            """
            CREATE TABLE t (i INTEGER, r REAL, n NUMERIC, d DATE, x TEXT, any ANY);
            CREATE TABLE s (x TEXT, y ANY) STRICT
            """)
        let csv = "i,r,n,d,x,any\n9007199254740993,0.5,1e3,2024-02-30,007,-1\n5.0,7,a 7,1.50,+1,x\n"
        _ = try run(csv, appending: true)
        #expect(
            try rows() == [
                [
                    .integer(9_007_199_254_740_993), .real(0.5), .integer(1_000),
                    .text("2024-02-30"), .text("007"), .integer(-1),
                ],
                [.integer(5), .real(7), .text("a 7"), .real(1.5), .text("+1"), .text("x")],
            ])
        _ = try run("x,y\n007,007\n", table: "s", appending: true)
        #expect(try rows("s") == [[.text("007"), .text("007")]])
    }

    @Test func aRowThatTheTableRefusesIsNamed() throws {
        try Connection(path: database, access: .create).run("CREATE TABLE t (a UNIQUE)")
        #expect(
            failure { try run("a\n1\n2\n1\n", appending: true) }?.message
                == "“\(folder.file("in.csv"))”, line 4: table “t” of “\(database)” refuses the "
                + "row: UNIQUE constraint failed: t.a")
        #expect(try rows().isEmpty)
    }

    @Test(arguments: ["sqlite_x", "_valet_log", "_VALET_", "a\0b"])
    func reservedNamesAreRefused(name: String) {
        #expect(failure { _ = try run("a\n1\n", table: name) } != nil)
        #expect(!FilePath.exists(database))
    }

    @Test func progressGoesUpToItsTotalAndACancelledImportLeavesNothing() throws {
        let line = "some text,12345\n"
        let csv = "a,b\n" + String(repeating: line, count: 40_000)
        let path = folder.write(csv, to: "large.csv")
        var heard: [(done: Int, total: Int, rows: Int)] = []
        let count = try CSVImport.run(
            csvPath: path, databasePath: database, table: "t",
            progress: { heard.append(($0, $1, $2)) })
        #expect(count == 40_000)
        #expect(
            zip(heard, heard.dropFirst()).allSatisfy { $0.done <= $1.done && $0.rows <= $1.rows })
        let last = try #require(heard.last)
        #expect(last == (2 * csv.utf8.count, 2 * csv.utf8.count, 40_000))

        for stop in [1, heard.count / 2, heard.count - 3] {
            func error(in databasePath: String, table: String) -> ValetError? {
                failure {
                    try CSVImport.run(
                        csvPath: path, databasePath: databasePath, table: table,
                        cancelled: cancelled(after: stop))
                }
            }
            let (other, before) = (folder.file("cancelled.db"), bytes(of: database))
            let expected = ValetError(.superseded, "the import of “\(path)” was cancelled")
            #expect(error(in: other, table: "t") == expected)
            #expect(!FilePath.exists(other) && !FilePath.exists(other + "-journal"))
            #expect(error(in: database, table: "more") == expected)
            #expect(bytes(of: database) == before && !FilePath.exists(database + "-journal"))
        }
    }

    @Test func aPipeIsReadTwiceAllTheSame() throws {
        let path = folder.file("pipe")
        mkfifo(path, 0o600)
        let csv = "a,b\n" + String(repeating: "1,x\n", count: 50_000)
        // From a thread of its own, since opening a pipe waits for its reader.
        Task.detached {
            let descriptor = open(path, O_WRONLY)
            try? FilePath.write(Array(csv.utf8)[...], to: descriptor, for: path)
            close(descriptor)
        }
        #expect(try CSVImport.run(csvPath: path, databasePath: database, table: "t") == 50_000)
        #expect(try rows().count == 50_000)
    }

    @Test func aFileThatCannotBeReadIsNamed() {
        func message(_ csv: String, into path: String) -> String? {
            failure { try CSVImport.run(csvPath: csv, databasePath: path, table: "t") }?.message
        }
        let missing = folder.file("none.csv")
        #expect(
            message(missing, into: database) == "there is no file “\(missing)”: check the path")
        #expect(
            message(folder.path, into: database)
                == "“\(folder.path)” is a folder: name a file in it")
        let text = folder.write("x,y\n1,2", to: "text.db")
        let noDatabase = message(folder.write("a\n1\n", to: "in.csv"), into: text)
        #expect(noDatabase?.contains("is not a SQLite database") == true)
        #expect(bytes(of: text) == Array("x,y\n1,2".utf8))
    }
}

/// Real files, where they are.
struct SampleDataTests {
    private let folder = TemporaryFolder()

    static let data: String? = {
        // Beside the repository: this file is three folders deep in it.
        let repository = #filePath.split(separator: "/").dropLast(3)
        let roots = (0..<3).map { "/" + repository.dropLast($0).joined(separator: "/") }
        return roots.map { $0 + "/../shared/data" }.first { FilePath.exists($0) }
    }()

    /// A database made of one of the files.
    private func imported(_ name: String) throws -> (Database, count: Int) {
        let (csv, path) = (try #require(Self.data) + "/" + name, folder.file("data.db"))
        let count = try CSVImport.run(csvPath: csv, databasePath: path, table: "t")
        return (try Database(path: path), count)
    }

    @Test(
        .enabled(if: data != nil),
        arguments: [
            ("vehicles.csv", 40_149), ("cities.csv", 34_006), ("countries.csv", 252),
            ("names.csv", 4_074), ("crayons.csv", 120),
        ])
    func csvFilesAreImported(name: String, count: Int) throws {
        let (database, imported) = try imported(name)
        #expect(imported == count)
        #expect(try database.makeReader().rowCount(list: 0) == count)
    }

    @Test(.enabled(if: data != nil)) func vehiclesHaveTheirTypesAndGroupings() throws {
        let list = try #require(try imported("vehicles.csv").0.catalog.lists.first)
        #expect(
            list.columns.map(\.type) == [
                .text, .text, .integer, .text, .text, .text, .integer, .real, .text, .integer,
                .integer,
            ])
        #expect(
            list.groupings.map(\.name) == [
                "A–Z", "make", "year", "class", "transmission", "drive", "cylinders",
                "displacement_l", "fuel", "highway_mpg", "city_mpg", "None",
            ])
    }

    @Test(.enabled(if: data != nil)) func aDatabaseNotMadeForValetIsServed() throws {
        let data = try #require(Self.data)
        let database = try Database(path: data + "/chinook.sqlite")
        #expect(database.catalog.lists.count == 11)
        let track = try database.list("Track")
        let list = database.catalog.lists[track]
        #expect(list.columns.map(\.name).prefix(2) == ["TrackId", "Name"])
        #expect(list.titleColumn == 1)
        let reader = try database.makeReader()
        #expect(try reader.rowCount(list: track) == 3_503)
        #expect(
            try reader.detail(list: track, id: 1)?[1]
                == .text("For Those About To Rock (We Salute You)"))
        let employee = database.catalog.lists[try database.list("Employee")]
        #expect(employee.columns.first { $0.name == "BirthDate" }?.type == .date)
    }
}
