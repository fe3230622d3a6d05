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

/// `refresh` in a catalog.
@Suite struct SourceCatalogTests {
    private let folder = TemporaryFolder()
    private static let albums = "CREATE TABLE albums (id TEXT, title TEXT, year INTEGER)"

    private func database(_ refresh: String, _ sql: String = albums) throws -> Database {
        try folder.database(sql, catalog: "lists:\n  - name: albums\n    refresh: \(refresh)\n")
    }

    @Test func aFileStandsBesideTheCatalog() throws {
        let database = try database("{from: feeds/albums.xml}")
        let source = try #require(database.listSources.first ?? nil)
        #expect(source.address == folder.path + "/feeds/albums.xml")
        #expect(source.folder == folder.path + "/" && source.shownName == "albums.xml")
        #expect(source.key == 0 && source.fields == nil && source.kind == nil)
        #expect(database.catalog.lists[0].isRefreshable)
    }

    /// It would take rows out of the table that are not in the list.
    @Test func aLoadedListHasNoConditions() throws {
        let refresh = "{from: albums.csv, key: id}\n    conditions: ["
        #expect(throws: Never.self) { try database(refresh + "]") }
        let error = try #require(failure { try database(refresh + "year > 1]") })
        #expect(error.message.contains("line 4"))
        #expect(error.message.contains("has all rows of its table, and no conditions"))
    }

    @Test func clientsSeeTheHostOfAURL() throws {
        let database = try database("{from: 'https://me:secret@x.org/feed?token=secret'}")
        #expect(database.listSources[0]?.shownName == "x.org")
        #expect(database.listSources[0]?.address == "https://me:secret@x.org/feed?token=secret")
    }

    @Test(arguments: [
        ("{kind: rss}", "needs “from”"), ("{from: ''}", "must be a file"),
        ("{from: 'ftp://x/y'}", "http or https"), ("{from: 'file:///etc/passwd'}", "http"),
        ("{from: ../../etc/passwd, kind: csv, key: id}", "beside the catalog"),
        ("{from: feeds/.., key: id}", "beside the catalog"),
        ("{from: a.csv}", "needs “key”"), ("{from: a.xml, kind: html}", "csv"),
        ("{from: a.xml, key: nothing}", "no column “nothing”"),
        ("{from: a.xml, columns: {title: title}}", "needs “key”"),
        ("{from: a.xml, key: id, columns: {title: title}}", "must be one of the columns"),
        ("{from: a.xml, columns: {}}", "must name from 1"),
        ("{from: a.xml, columns: {id: id, ID: guid}}", "filled more than once"),
        ("{from: a.xml, kind: rss, every: 5}", "is not a known key"),
        ("albums.xml", "keys and values"),
    ]) func mistakesAreNamedWithTheirLine(_ refresh: String, _ reason: String) throws {
        let error = try #require(failure { try database(refresh) })
        let words = error.message + error.alternatives.joined()
        #expect(error.message.contains("line 3") && words.contains(reason), "\(words)")
    }

    @Test func theKeyAndWhatIsFilledMustBeSettable() throws {
        let sql = "CREATE TABLE albums (id INTEGER PRIMARY KEY, link TEXT, up AS (upper(link)))"
        #expect(try database("{from: a.xml}", sql).listSources[0]?.key == 1)
        for refresh in ["{from: a.csv, key: id}", "{from: a.xml, columns: {link: link, up: x}}"] {
            expectFailure(saying: "can't be set") { try database(refresh, sql) }
        }
        let view = "CREATE TABLE t (id TEXT); CREATE VIEW albums AS SELECT * FROM t"
        expectFailure(saying: "is read-only") { try database("{from: a.xml}", view) }
    }

    @Test func aPrintedValueIsTakenBack() throws {
        for refresh in [
            "{from: albums.xml}", "{from: a.csv, kind: csv, key: title}",
            "{from: 'http://x/y?z=1#2', kind: atom, columns: {id: guid, title: 'dc:title'}}",
        ] {
            let first = try database(refresh)
            let text = CatalogText.yaml(
                of: first.catalog.lists, tables: first.tableNames, sources: first.listSources)
            let again = try Database(
                path: first.path, catalogPath: folder.write(text, to: "printed.yaml"))
            #expect(again.listSources == first.listSources, "\(text)")
            #expect(again.catalog == first.catalog)
        }
    }

    // MARK: Making the table

    private func make(_ entry: String, in path: String) throws -> Database {
        let catalog = folder.write("lists:\n  - \(entry)\n", to: "catalog.yaml")
        try SourceTables.make(in: path, catalogPath: catalog, address: "test")
        return try Database(path: path, catalogPath: catalog)
    }

    @Test func aTableThatIsNotThereIsMade() throws {
        let path = try folder.database(Self.albums)
        let database = try make(
            """
            name: songs
                columns: {year: {type: integer}, heard: {type: boolean}, rating: {type: real}}
                refresh: {from: a.xml, columns: {guid: id, title: title, year: 'x:year'}}
            """, in: path)
        let made = database.schema.tables.first { $0.name == "songs" }
        #expect(made?.columns.map(\.name) == ["guid", "title", "year", "heard", "rating"])
        #expect(
            made?.columns.map(\.declaredType) == ["TEXT", "TEXT", "INTEGER", "BOOLEAN", "REAL"])
        #expect(database.listSources[0]?.key == 0)
        // Made once.
        _ = try make("{name: songs, refresh: {from: a.xml, key: title}}", in: path)
    }

    /// It was dropped while this process owned the file, which it opens anew.
    @Test func aTableIsMadeInAFileThatThisProcessOwns() throws {
        let path = try folder.database(Self.albums)
        let catalog = folder.write(
            "lists: [{name: songs, refresh: {from: a.xml}}]", to: "catalog.yaml")
        let ownership = try Ownership(of: path, address: "valet://127.0.0.1:7425")
        expectFailure(saying: "which owns") {
            try SourceTables.make(in: path, catalogPath: catalog, address: "valet://127.0.0.1:1")
        }
        try SourceTables.make(in: path, catalogPath: catalog, address: "valet://127.0.0.1:7425")
        #expect(throws: Never.self) { try Database(path: path, catalogPath: catalog).list("songs") }
        withExtendedLifetime(ownership) {}
    }

    @Test func aFeedsTableHasWhatFeedsHave() throws {
        let database = try make(
            "{name: news, refresh: {from: 'http://x/y'}}", in: try folder.database(Self.albums))
        #expect(database.catalog.lists[0].columns.map(\.name) == SourceEntry.usualFields)
        #expect(database.catalog.lists[0].columns[4].type == .date)
    }

    @Test func aTableThatCannotBeMadeIsNamed() throws {
        let path = try folder.database(Self.albums)
        expectFailure(saying: "needs “columns”") {
            try make("{name: x, refresh: {from: a.csv}}", in: path)
        }
        expectFailure(saying: "can't be called") {
            try make("{name: _valet_x, refresh: {from: a.xml}}", in: path)
        }
        expectFailure(saying: "served to be changed") {
            try folder.database(Self.albums, catalog: "lists: [{name: x, refresh: {from: a.xml}}]")
        }
    }
}
