import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// A catalog that is printed and read again.
@Suite struct CatalogTextTests {
    private let folder = TemporaryFolder()

    /// What the catalog file makes of the database is what its printed form makes of it.
    private func expectSame(
        _ path: String, _ yaml: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let given = yaml.map { folder.write($0, to: "given.yaml") }
        let database = try Database(path: path, catalogPath: given)
        let text = CatalogText.yaml(
            of: database.catalog.lists, tables: database.tableNames,
            onlyThese: database.hasHiddenTables)
        let again = try Database(path: path, catalogPath: folder.write(text, to: "printed.yaml"))
        #expect(again.catalog == database.catalog, "\(text)", sourceLocation: sourceLocation)
        #expect(again.tableNames == database.tableNames, sourceLocation: sourceLocation)
        for list in database.catalog.lists.indices {
            let one = CatalogText.yaml(
                of: [database.catalog.lists[list]], tables: [database.tableNames[list]],
                onlyThese: true)
            let alone = try Database(path: path, catalogPath: folder.write(one, to: "one.yaml"))
            #expect(
                alone.catalog.lists == [database.catalog.lists[list]], "\(one)",
                sourceLocation: sourceLocation)
        }
    }

    private static let cars = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT NOT NULL, model TEXT, year INT,
            fuel REAL, parked DATETIME, washed BOOLEAN, colour TEXT, place REAL);
        CREATE INDEX cars_by_place ON cars (place);
        INSERT INTO cars VALUES (1, 'BMW', 'i4', 2024, 1, '2024-02-03', 1, '#ff0000', 1);
        CREATE TABLE owners (name TEXT);
        CREATE VIEW makes AS SELECT DISTINCT make FROM cars;
        """

    @Test func theCatalogTextHasWhatIsInferred() throws {
        try expectSame(try folder.database(Self.cars))
    }

    @Test func allThatACatalogSaysIsWrittenDown() throws {
        try expectSame(
            try folder.database(Self.cars),
            """
            onlyThese: true
            lists:
              - name: fleet
                table: cars
                title: "Cars: all of #1"
                timeZone: America/New_York
                titleColumn: model
                position: place
                columns:
                  make: {label: Make & co, choices: [BMW, "null", "~", "", "12", "a: b"]}
                  model: {default: none, maxLength: 20, required: true}
                  year: {min: 1908, max: 2100, unit: "", format: {grouped: yes},
                         choices: [1999, 2000]}
                  fuel: {unit: l, min: -0.5, format: {decimals: 2}, choices: [0.1, 1e300]}
                  parked: {type: date, choices: [2024-02-03], min: 2020-01-01, max: 2030-12-31,
                           format: monthYear}
                  washed: {editor: switch, placeholder: "clean?"}
                editing: {add: no, delete: no, move: no, readOnlyRows: washed}
                detail:
                  - {title: Car, fields: [model, make]}
                  - {fields: []}
                cell:
                  style: custom
                  title: "{year} {make}"
                  detail: "{parked}"
                  lines: [{field: colour}, "in {place}"]
                  image: {symbol: ☺, selected: ☻}
                  tint: colour
                  indent: year
                  emphasis: {column: washed}
                  height: {column: year}
                  accessory: {check: washed}
                  selectable: washed
                  selected: {title: "{model}", say: "{make} {model}"}
                actions:
                  - {name: Wash, set: {washed: true}}
                  - {name: Dirty, set: {washed: no}}
                  - {name: Forget, set: {model: ~}}
                  - {name: Year, set: {year: 1999}}
                  - {name: Tell, say: "{make} & {model}"}
                  - {name: Copy, copy: "{make}"}
                  - {name: Owners, open: people}
                groupings:
                  - {name: Hand, order: manual}
                  - {name: Colour, column: colour, order: manual, title: "in “{}”"}
                  - {name: Year, column: year, section: {ranges: [1980, 2000.5]}, descending: true}
                  - {name: Hour, column: parked, section: hourOfDay, order: [-year, model]}
                  - {name: "12", column: parked, section: hourOfDay, hours: 12}
                  - {name: Month, column: parked, section: month, descending: true}
                  - {name: None, section: none, order: []}
                scopes:
                  - {name: Here, columns: grouping, match: beginsWith}
                  - {name: Short, columns: make, lengths: [1, 5], flat: yes}
              - {name: people, table: owners, editable: false, scopes: []}
              - {name: again, table: owners, cell: {image: {box: "{name}"}, emphasis: bold}}
              - {name: more, table: owners, cell: {image: {swatch: name}, lines: [a], height: 4}}
              - {name: last, table: owners, cell: {style: subtitle, accessory: detailButton}}
              - name: edited
                table: cars
                columns:
                  make: {editor: {wheels: [make, model]}, choices: [a, b]}
                  model: {editor: text, choices: [c, d]}
                  year: {editor: {range: [1908, nextYear], descending: true}}
                  fuel: {editor: duration, max: "9:30", min: "0:05", interval: 5}
                  parked: {editor: date, max: 2030-12-31, min: 2020-01-01}
                  colour:
                    editor:
                      column: make
                      kinds:
                        a: number
                        "b c": {choices: [red, blue]}
                        d: {list: edited, value: make}
                        e: {list: edited}
                        f: {range: [thisYear, 2100]}
                        "": {wheels: [model]}
            """)
    }

    /// Names that YAML would take for something else, and ones that steer a terminal.
    @Test(arguments: [
        "null", "~", "", "true", "1", "a: b", "a #b", "- a", "&a", "a &b", "*a", "!a", "%a", "@a",
        "\u{1B}[31m", "\u{85}", "\u{2028}", "a\u{FEFF}", "\u{301}x", "a\"b\\c", "'a'", "tab\there",
        "line\nfeed", "漢字", "{", "}", "[x]", "x,y", " x ", "?", "\u{FFFF}", "👩‍👩‍👧",
    ])
    func anyNameIsWrittenDown(name: String) throws {
        let quoted = name.replacing("\"", with: "\"\"")
        let path = try folder.database(
            """
            CREATE TABLE "\(quoted)" ("a\(quoted)" TEXT, "b\(quoted)" INT);
            INSERT INTO "\(quoted)" VALUES ('x', 1)
            """)
        try expectSame(path)
        let list = try #require(try Database(path: path).catalog.lists.first)
        let text = CatalogText.yaml(of: [list], tables: [nil])
        #expect(
            !text.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
            })
    }

    @Test func theTextIsWhatAPersonWouldWrite() throws {
        let path = try folder.database("CREATE TABLE cars (make TEXT, baujahr INT)")
        let database = try Database(path: path)
        let text = CatalogText.yaml(of: database.catalog.lists, tables: database.tableNames)
        #expect(
            text == """
                lists:
                  - name: cars
                    title: cars
                    titleColumn: make
                    columns:
                      make: {type: text}
                      baujahr: {type: integer}
                    cell: {style: columns}
                    groupings:
                      - {name: "A–Z", column: make, section: firstLetter, order: [make], \
                index: firstLetter}
                      - {name: None, section: none, order: [], index: none}
                    scopes:
                      - {name: Any, columns: [make, baujahr], match: words}
                      - {name: make, columns: [make], match: words}

                """)
    }
}
