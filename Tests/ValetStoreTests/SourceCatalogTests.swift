import TestSupport
import Testing
import ValetModel

@testable import ValetStore

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
