import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What is to be changed so that a table is its source.
@Suite struct SourceRowsTests {
    private let folder = TemporaryFolder()

    private func database(_ sql: String, columns: String = "") throws -> Database {
        let filled = columns.isEmpty ? "" : ", columns: \(columns)"
        return try folder.database(
            sql,
            catalog: """
                lists:
                  - name: albums
                    refresh: {from: albums.csv, key: id\(filled)}
                """)
    }

    private func difference(_ database: Database, _ csv: String) throws -> SourceDifference {
        let source = try #require(database.listSources[0])
        let rows = try SourceRows(for: 0, from: source, in: database)
        try rows.load(csv: Array(csv.utf8))
        return try rows.difference()
    }

    private static let albums = """
        CREATE TABLE albums (id TEXT, title TEXT, year INTEGER, price REAL, heard BOOLEAN);
        INSERT INTO albums VALUES ('a', 'One', 1999, 2.0, 1), ('b', 'Two', NULL, 1.5, 0),
            ('c', '', 5, 0, 0);
        """

    @Test func onlyWhatDiffersIsChanged() throws {
        let database = try database(Self.albums)
        let found = try difference(
            database, "year,id,title,extra,price\n1999,a,One,x,2\n7,b,Two,x,1.5\n3,d,New,x,\n")
        #expect(found.removed == [3])
        #expect(found.changed == [RowEdit(2, 2, .integer(7))])
        #expect(Change.insert(found.added) == .insert([.text("d"), .text("New"), .integer(3)]))
    }

    @Test func aTableThatIsItsSourceIsLeftAlone() throws {
        let database = try database(Self.albums)
        let same = "id,title,year,price\na,One,01999,+2.00\nb,Two,,1.5\nc,,5,0\n"
        // The empty text in the table is not what an empty field makes.
        #expect(try difference(database, same).changed.map(\.rowID) == [3])
        #expect(try difference(database, same).count == 1)
    }

    @Test func ofTwoRowsWithOneKeyTheFirstCounts() throws {
        let database = try database(
            Self.albums + "INSERT INTO albums (id, title) VALUES ('a', 'One again'), (NULL, 'x')")
        let found = try difference(database, "id,title\na,One\na,Two\nb,Two\nc,\nd,D\nd,E\n")
        #expect(found.removed == [4, 5])
        #expect(found.changed.map(\.rowID) == [3])
        #expect(found.added.map { $0.map(\.value) } == [[.text("d"), .text("D")]])
    }

    @Test func keysAreComparedAsTheyAreSpelled() throws {
        let database = try database(
            """
            CREATE TABLE albums (id TEXT COLLATE NOCASE, title TEXT COLLATE NOCASE);
            INSERT INTO albums VALUES ('a', 'one');
            """)
        let found = try difference(database, "id,title\nA,one\n")
        #expect(found.removed == [1] && found.added.count == 1)
        #expect(try difference(database, "id,title\na,ONE\n").changed.map(\.rowID) == [1])
    }

    @Test(arguments: [
        ("", "is empty"), ("title\nx\n", "not name the column “id”"), ("id,title\na\n", "1 fields"),
        ("id,title\n,x\n", "its key"), ("id,id\n", "1 and 2 have the same name"),
        ("id\n\"a", "never closed"),
    ]) func aSourceThatIsNoTableIsRefused(_ csv: String, _ reason: String) throws {
        let database = try database(Self.albums)
        let message = try #require(failure { try difference(database, csv) }).message
        #expect(message.contains(reason) && message.contains("albums.csv"), "\(message)")
        #expect(!message.contains(folder.path))
    }

    @Test func aControlCharacterIsText() throws {
        #expect(try difference(database(Self.albums), "id,title\na,\u{1}x").count == 3)
    }

    @Test func aColumnThatIsNamedMustBeThere() throws {
        let database = try database(Self.albums, columns: "{id: key, title: name}")
        #expect(try difference(database, "key,name\na,One\nb,Two\n").removed == [3])
        expectFailure(saying: "not name the column “name”") {
            try difference(database, "key,title\na,One\n")
        }
    }

    /// Clients see why a source can't be loaded, and not what is in it.
    @Test(arguments: [
        "root:x:0\n", "id,root:x:0,root:x:0\n", "id\n1,root:x:0\n", "id,title\n,root:x:0\n",
        "id,title\n\"root:x:0\"root,1\n", "id,title\n\"root:x:0\n",
    ]) func theErrorQuotesNothingOfASource(_ csv: String) throws {
        let database = try database(Self.albums)
        let message = try #require(failure { try difference(database, csv) }).message
        #expect(!message.contains("root"), "\(message)")
    }

    // MARK: Limits

    @Test func rowsAreLimited() throws {
        let database = try database(Self.albums)
        func csv(_ count: Int) -> String {
            "id\n" + (0..<count).map { "\($0)\n" }.joined()
        }
        let added = try difference(database, csv(Limits.rowsPerSource)).added.count
        #expect(added > Limits.rowsPerSource - 500)
        expectFailure(saying: "rowsPerSource") {
            try difference(database, csv(Limits.rowsPerSource + 1))
        }
    }

    @Test func rowsOfTheListAreLimited() throws {
        let database = try database(
            """
            CREATE TABLE albums (id TEXT);
            \(numbers(to: Limits.rowsPerSource + 1)) INSERT INTO albums SELECT i FROM n;
            """)
        expectFailure(saying: "rowsPerSource") { try difference(database, "id\n1\n") }
    }

    @Test func textsAreLimited() throws {
        let database = try database(Self.albums)
        let text = String(repeating: "x", count: Limits.bytesPerSourceText)
        #expect(try difference(database, "id,title\nd,\(text)\n").added.count == 1)
        #expect(failure { _ = try difference(database, "id,title\nd,\(text)x\n") } != nil)
    }

    // MARK: Property

    /// A random table and a random source: what is changed makes them equal, and rows whose key
    /// stays keep their ids.
    @Test(arguments: runSeeds(16)) func theDifferenceMakesThemEqual(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let before = Self.rows(15, &numbers)
        let after = Self.rows(15, &numbers)
        let file = try WrittenDatabase(
            "CREATE TABLE albums (id TEXT, a TEXT, b INTEGER, c);" + Self.insertions(of: before),
            catalog: """
                lists:
                  - name: albums
                    columns: {b: {type: blob}, c: {type: blob}}
                    refresh: {from: albums.csv, key: id}
                """)
        let csv = Self.csv(of: after)
        let ids = try Self.firstRows(file)
        let change = try difference(file.database, csv)
        if !change.removed.isEmpty {
            try file.send(.delete(change.removed.map { RowDeletion(rowID: $0) }), list: "albums")
        }
        if !change.changed.isEmpty { try file.send(.update(change.changed), list: "albums") }
        if !change.added.isEmpty { try file.send(.insert(change.added), list: "albums") }
        #expect(try difference(file.database, csv).isEmpty, "seed \(seed)")
        let now = try Self.firstRows(file)
        #expect(Set(now.keys) == Set(after.map { $0[0] }), "seed \(seed)")
        for (key, id) in now { #expect(ids[key] == nil || ids[key] == id, "seed \(seed)") }
    }

    private static func rows(_ count: Int, _ numbers: inout SeededNumbers) -> [[String]] {
        let values = ["", "1", "1.0", "01", "x", "X", "a,b", "ü\"q\"", "1e3", "0x10", " 7"]
        return (0..<count).map { _ in
            ["k\(Int.random(in: 0..<20, using: &numbers))"]
                + (0..<3).map { _ in values.randomElement(using: &numbers) ?? "" }
        }
    }

    private static func insertions(of rows: [[String]]) -> String {
        rows.map { row in
            let cells = row.map { $0.isEmpty ? "NULL" : "'\($0)'" }
            return "INSERT INTO albums VALUES (\(cells.joined(separator: ", ")));"
        }.joined()
    }

    private static func csv(of rows: [[String]]) -> String {
        "id,a,b,c\n"
            + rows.map { row in
                let cells = row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
                return cells.joined(separator: ",") + "\n"
            }.joined()
    }

    private static func firstRows(_ file: WrittenDatabase) throws -> [String: String] {
        let rows = try file.query("SELECT id, min(rowid) FROM albums GROUP BY id")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
}
