import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Columns of titles: which there are, what they are called, and how they are read.
@Suite struct TitleTests {
    private let folder = TemporaryFolder()

    private func list(_ name: String, _ sql: String, catalog: String? = nil) throws
        -> ListDescription
    {
        let database =
            if let catalog {
                try folder.database(sql, catalog: catalog)
            } else {
                try Database(path: folder.database(sql))
            }
        return try database.catalog.list(named: name)
    }

    private func titles(of list: ListDescription) -> [String] {
        list.columns.filter { $0.keyColumn != nil }.map(\.name)
    }

    private static let music = """
        PRAGMA foreign_keys = OFF;
        CREATE TABLE artists (id INTEGER PRIMARY KEY, born INTEGER, name TEXT);
        INSERT INTO artists VALUES (1, 1955, 'AC/DC'), (2, NULL, 'Accept'), (3, 1990, NULL);
        CREATE TABLE labels (code TEXT PRIMARY KEY, number INTEGER UNIQUE, name TEXT);
        INSERT INTO labels VALUES ('emi', 7, 'EMI');
        CREATE TABLE albums (
            id INTEGER PRIMARY KEY, title TEXT, artist_id INT REFERENCES artists,
            LabelID VARCHAR REFERENCES labels (code), label_no INTEGER REFERENCES labels (number),
            follows INTEGER REFERENCES albums (id));
        INSERT INTO albums VALUES
            (1, 'Back in Black', 1, 'emi', 7, NULL), (2, 'Balls to the Wall', 2, 'EMI', 8, 1),
            (3, 'None', 3, NULL, NULL, 9);
        """

    @Test func aForeignKeyHasTheTitlesOfItsRows() throws {
        let list = try list("albums", Self.music)
        #expect(titles(of: list) == ["artist", "Label", "label_no code", "follows title"])
        let columns = list.columns
        #expect(columns[6...].map(\.label) == ["artist", "Label", "label_no", "follows"])
        #expect(columns[6...].map(\.keyColumn) == [2, 3, 4, 5])
        #expect(columns[6...].allSatisfy { !$0.isEditable && $0.type == .text })
        #expect(
            columns[2..<6].map(\.reference) == [
                RowReference(list: "artists", column: nil),
                RowReference(list: "labels", column: "code"),
                RowReference(list: "labels", column: "number"),
                RowReference(list: "albums", column: nil),
            ])
        #expect(columns[2].editor == .list(name: "artists", valueColumn: nil))
        #expect(columns[4].editor == .list(name: "labels", valueColumn: "number"))
        // Searched by what is shown.
        #expect(list.scopes[0].columns == .columns([0, 1, 6, 7, 8, 9]))
        #expect(columns.shownInTables == [0, 1, 6, 7, 8, 9])
        #expect(list.orderedColumns == [0, 1, 2, 6, 3, 7, 4, 8, 5, 9])
    }

    @Test func titlesAreGroupedByInPlaceOfKeys() throws {
        let list = try list(
            "tracks",
            """
            CREATE TABLE genres (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO genres VALUES (1, 'Rock'), (2, 'Jazz');
            CREATE TABLE tracks (name TEXT, genre_id INTEGER REFERENCES genres);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO tracks SELECT 'track ' || i, i % 2 + 1 FROM n;
            """)
        #expect(list.groupings.map(\.name) == ["A–Z", "genre", "None"])
        #expect(list.groupings[1].column == 2 && list.groupings[1].indexTitles == .firstLetter)
    }

    /// It would be told as another one's. A person's name is two columns, of which each repeats.
    @Test func whatManyRowsHaveNamesNone() throws {
        let sql = """
            CREATE TABLE invoices (id INTEGER PRIMARY KEY, address TEXT, note TEXT);
            INSERT INTO invoices VALUES (1, 'Bern', 'a'), (2, 'Basel', 'b'), (3, 'bern', 'c'),
                (4, 'Basel', 'd');
            CREATE TABLE people (id INTEGER PRIMARY KEY, surname TEXT, forename TEXT);
            INSERT INTO people VALUES (1, 'Ito', 'Aki'), (2, 'Ito', 'Bo'), (3, 'Sato', 'Aki'),
                (4, 'Sato', 'Bo');
            CREATE TABLE lines (
                invoice_id INTEGER REFERENCES invoices, person_id INTEGER REFERENCES people);
            """
        let inferred = try list("lines", sql)
        #expect(titles(of: inferred) == ["person"])
        #expect(inferred.columns[0].reference == RowReference(list: "invoices", column: nil))
        let chosen = try list(
            "lines", sql,
            catalog: """
                lists:
                  - {name: invoices, titleColumn: address}
                """)
        #expect(titles(of: chosen) == ["invoice", "person"], "as the catalog says")
    }

    @Test func aRowIsReadWithItsTitles() throws {
        let reader = try folder.reader(Self.music)
        let number = try #require(
            reader.database.catalog.lists.firstIndex { $0.name == "albums" })
        let expected: [[Cell]] = [
            [.text("AC/DC"), .text("EMI"), .text("emi"), .null],
            [.text("Accept"), .null, .null, .text("Back in Black")],
            [.null, .null, .null, .null],
        ]
        for (place, titles) in expected.enumerated() {
            let detail = try reader.detail(list: number, id: Int64(place + 1))
            #expect(detail?.suffix(4) == titles[...])
        }
        var rows: [Int64: [Cell]] = [:]
        try reader.rows(list: number, ids: [3, 1, 2], columns: [9, 6, 1]) { _, row in
            rows[row.id] = (0..<3).map { row[$0].cell }
        }
        #expect(rows[2] == [.text("Back in Black"), .text("Accept"), .text("Balls to the Wall")])
        var scanned: [Cell] = []
        try reader.scan(list: number, columns: [7]) { row in scanned.append(row[0].cell) }
        #expect(scanned == [.text("EMI"), .null, .null])
        let piece = try reader.piece(list: number, id: 1, column: 6, offset: 3, count: 9)
        #expect(piece?.bytes == Array("DC".utf8) && piece?.byteCount == 5)
        #expect(try reader.rowCount(list: number) == 3)
    }

    /// What would read more than one row, or rows that are not found by what keys store.
    @Test(
        arguments: [
            "b INTEGER REFERENCES missing", "b INTEGER REFERENCES others (plain)",
            "b INTEGER REFERENCES others (part)", "b TEXT REFERENCES others (folded)",
            "b TEXT REFERENCES others (id)", "b REFERENCES others (id)",
            "b REAL REFERENCES others (id)", "b INTEGER REFERENCES others (word)",
            "b INTEGER REFERENCES seen (id)", "b INTEGER REFERENCES pairs (one)",
            "b INTEGER, c INTEGER, FOREIGN KEY (b, c) REFERENCES pairs (one, two)",
            "b INTEGER REFERENCES others (gone)", "b INTEGER REFERENCES bare",
        ])
    func whatIsNoKeyHasNoTitles(_ column: String) throws {
        let list = try list(
            "a",
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE others (
                id INTEGER PRIMARY KEY, name TEXT, plain INTEGER, part INTEGER,
                folded TEXT COLLATE NOCASE UNIQUE, word TEXT UNIQUE);
            CREATE UNIQUE INDEX some ON others (part) WHERE part > 0;
            CREATE INDEX all_plain ON others (plain);
            CREATE TABLE pairs (one INTEGER, two INTEGER, name TEXT, PRIMARY KEY (one, two));
            CREATE TABLE bare (name TEXT);
            CREATE VIEW seen AS SELECT id, name FROM others;
            CREATE TABLE a (id INTEGER PRIMARY KEY, \(column))
            """)
        #expect(titles(of: list) == [])
        #expect(list.columns.allSatisfy { $0.reference == nil })
    }

    @Test func whatNamesItselfNeedsNoTitle() throws {
        let list = try list(
            "a",
            """
            CREATE TABLE countries (name TEXT PRIMARY KEY, people INTEGER);
            CREATE TABLE numbers (id INTEGER PRIMARY KEY);
            CREATE TABLE a (country TEXT REFERENCES countries, number INTEGER REFERENCES numbers);
            """)
        #expect(titles(of: list) == [])
        #expect(list.columns.map { $0.reference?.list } == ["countries", "numbers"])
    }

    @Test func aListOfNothingButKeysIsNamedByATitle() throws {
        let list = try list(
            "pairs",
            """
            \(Self.music)
            CREATE TABLE pairs (album INTEGER REFERENCES albums, artist INTEGER REFERENCES artists);
            """)
        #expect(titles(of: list) == ["album title", "artist name"] && list.titleColumn == 2)
        #expect(list.groupings[0].expression == .firstLetter)
    }

    /// Those of one first name are not one section.
    @Test func aPersonHasAWholeName() throws {
        let sql = """
            CREATE TABLE people (id INTEGER PRIMARY KEY, LastName TEXT, town TEXT, FirstName TEXT);
            INSERT INTO people VALUES (1, 'Harris', 'x', 'Frank'), (2, 'Ralston', 'x', 'Frank'),
                (3, NULL, 'y', 'Ada'), (4, '', NULL, NULL), (5, x'41', 'x', 7);
            CREATE TABLE bills (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people);
            INSERT INTO bills SELECT id, id FROM people; INSERT INTO bills VALUES (6, NULL);
            """
        let list = try list("bills", sql)
        #expect(titles(of: list) == ["person"] && list.columns[2].type == .text)
        let reader = try folder.reader(sql)
        let shown = try (1...6).map { try reader.detail(list: 1, id: $0)?.last }
        let names: [Cell] = [
            .text("Harris Frank"), .text("Ralston Frank"), .text("Ada"), .null, .text("A 7"), .null,
        ]
        #expect(shown == names)
        // One that is told for itself stays alone.
        let catalog = "lists: [{name: people, titleColumn: town}]"
        let towns = try folder.database(sql, catalog: catalog).catalog.list(named: "bills")
        #expect(titles(of: towns) == ["person"] && towns.columns[2].label == "person")
    }

    @Test func thereAreOnlySoMany() throws {
        let keys = (0..<40).map { "k\($0)Id INTEGER REFERENCES b" }.joined(separator: ", ")
        let sql = "CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE a (\(keys));"
        let made = try list("a", sql)
        #expect(titles(of: made).count == Limits.titlesPerList)
        #expect(made.columns[39].reference?.list == "b")
        let reader = try folder.reader(
            sql + "INSERT INTO b VALUES (1, 'x'); INSERT INTO a (k31Id) VALUES (1)")
        #expect(try reader.detail(list: 1, id: 1)?.last == .text("x"))
    }

    // MARK: Catalogs

    @Test func aCatalogSaysOtherwise() throws {
        let catalog = """
            onlyThese: true
            lists:
              - name: albums
                columns:
                  artist_id: {refers: people, label: Band id}
                  LabelID: {refers: false}
                  label_no: {refers: {list: labels, value: number}, editor: number}
                groupings: [{column: artist}]
                cell: {style: value1, title: "{title}", detail: "{artist} {label_no code}"}
                scopes: [{name: Bands, columns: [artist], conditions: [artist present]}]
              - {name: people, table: artists, titleColumn: born}
              - {name: labels, title: Labels}
            """
        let list = try list("albums", Self.music, catalog: catalog)
        #expect(titles(of: list) == ["artist", "label_no code", "follows title"])
        let columns = list.columns
        #expect(columns[2].reference == RowReference(list: "people", column: nil))
        #expect(columns[6].label == "Band" && columns[6].type == .integer)
        #expect(columns[3].reference == nil && columns[3].editor == .automatic)
        #expect(columns[4].editor == .number)
        #expect(list.groupings[0].column == 6)
        #expect(list.scopes.map(\.name) == ["Any", "Bands"])
        #expect(list.scopes[0].columns == .columns([1, 6, 7]))
        // What it prints is the same list again.
        let database = try folder.database(Self.music, catalog: catalog)
        let printed = CatalogText.yaml(
            of: database.catalog.lists, tables: database.tableNames, onlyThese: true)
        let again = try self.list("albums", Self.music, catalog: printed)
        #expect(again.columns[2...].map(\.keyColumn) != [])
        #expect(again.columns[6] == columns[6] && again.groupings == list.groupings)
    }

    /// A title of a row that no list has is not told.
    @Test func aPartOfATableGivesNoTitles() throws {
        let list = try list(
            "albums", Self.music,
            catalog: """
                lists:
                  - {name: artists, conditions: [born > 1960]}
                """)
        #expect(titles(of: list) == ["Label", "label_no code", "follows title"])
        #expect(list.columns[2].reference?.list == "artists")
    }

    @Test(
        arguments: [
            ("{artist_id: {refers: nobody}}", "no list “nobody”. There are: albums, artists,"),
            ("{artist_id: {refers: labels}}", "“labels” has no integer primary key"),
            ("{artist_id: {refers: {value: x}}}", "needs a list, or “false”"),
            ("{artist_id: {refers: {list: artists, value: x}}}", "“artists” has no column “x”"),
            ("{artist_id: {refers: {list: labels, value: code}}}", "needs a column with a UNIQUE"),
            ("{artist_id: {refers: {list: artists, value: born}}}", "needs a column with a UNIQUE"),
            ("{artist_id: {refers: [1]}}", "must be a text"),
            ("{artist: {label: x}}", "there is no column “artist”"),
        ])
    func aMistakeIsNamed(_ columns: String, message: String) {
        let catalog = "lists:\n  - {name: albums, columns: \(columns)}\n"
        let error = failure { try list("albums", Self.music, catalog: catalog) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    /// The table has no such columns to test, to set or to order by.
    @Test(
        arguments: [
            "conditions: [artist = x]", "position: artist", "editing: {readOnlyRows: artist}",
            "actions: [{name: a, set: {artist: x}}]",
        ])
    func aTitleIsNotStored(_ entry: String) {
        let catalog = "lists:\n  - name: albums\n    \(entry)\n"
        #expect(throws: ValetError.self) { try list("albums", Self.music, catalog: catalog) }
    }

    @Test func aListCantBeChosenByTitles() throws {
        var list = try list("albums", Self.music)
        list.conditions = [Condition(column: "artist", .isOneOf, [.text("x")])]
        let error = failure { try AllowedList(list, .all, conditions: list.conditions) }
        #expect(error?.code == .invalidCondition)
    }
}

extension BorrowedValue {
    /// Numbers and texts.
    fileprivate var cell: Cell {
        switch self {
        case .null, .blob: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
