import TestSupport
import Testing
import ValetModel

@testable import ValetStore

struct CatalogFileTests {
    private let folder = TemporaryFolder()

    private static let tables = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, model TEXT, year INT, fuel NUMERIC,
            parked INT, colour);
        INSERT INTO cars VALUES (1, 'BMW', 'i4', 2024, 1, 1700000000, 'red');
        CREATE TABLE owners (name TEXT);
        CREATE VIEW makes AS SELECT DISTINCT make FROM cars
        """

    private func catalog(_ yaml: String) throws -> Catalog {
        try folder.database(Self.tables, catalog: yaml).catalog
    }

    @Test func everythingThatACatalogSaysIsTaken() throws {
        let catalog = try catalog(
            """
            lists:
              - name: fleet
                table: CARS
                title: The fleet
                titleColumn: model
                columns:
                  fuel: {label: Fuel, type: real, unit: l, default: none}
                  Colour: {type: text}
                cell: {style: value1, title: "{YEAR} {make} {model}", detail: "at {parked}"}
                groupings:
                  - name: Parked
                    column: parked
                    section: hourOfDay
                    descending: true
                    order: [-parked, model]
                    title: "{} o'clock"
                  - {column: make}
                  - {name: Age, column: year, section: {ranges: [1980, 2000.5]}, index: none}
                  - {name: Letter, column: make, section: firstLetter, order: []}
                  - {name: All, section: none}
                  - {name: By year, column: year, section: none}
                scopes:
                  - {name: Any, columns: [make, model]}
                  - {name: Here, columns: grouping, match: beginsWith}
                  - {name: Short, columns: make, lengths: [1, 5], flat: yes}
            """)
        #expect(catalog.lists.map(\.name) == ["fleet", "owners", "makes"])
        let list = catalog.lists[0]
        #expect(list.title == "The fleet" && list.titleColumn == 2)
        #expect(list.columns[4].label == "Fuel" && list.columns[4].unit == "l")
        #expect(list.columns[4].type == .real && list.columns[4].defaultText == "none")
        #expect(list.columns[5].type == .date && list.columns[6].type == .text)
        #expect(
            list.cell
                == CellLayout(
                    style: .value1, title: "{year} {make} {model}", detail: "at {parked}"))
        let byModel = [SortKey(column: 2)]
        #expect(
            list.groupings == [
                Grouping(
                    name: "Parked", column: 5, expression: .hourOfDay, isDescending: true,
                    rowOrder: [SortKey(column: 5, isDescending: true), SortKey(column: 2)],
                    titleTemplate: "{} o'clock", indexTitles: .wholeValue),
                Grouping(
                    name: "make", column: 1, expression: .wholeValue, rowOrder: byModel,
                    indexTitles: .firstLetter),
                Grouping(
                    name: "Age", column: 3, expression: .ranges(bounds: [1980, 2000.5]),
                    rowOrder: byModel, indexTitles: .none),
                Grouping(
                    name: "Letter", column: 1, expression: .firstLetter,
                    indexTitles: .firstLetter),
                Grouping(name: "All", column: nil, expression: .none, indexTitles: .none),
                Grouping(
                    name: "By year", column: nil, expression: .none,
                    rowOrder: [SortKey(column: 3)], indexTitles: .none),
            ])
        #expect(
            list.scopes == [
                Scope(name: "Any", columns: .columns([1, 2])),
                Scope(name: "Here", columns: .currentGrouping, match: .beginsWith),
                Scope(name: "Short", columns: .columns([1]), lengths: 1...5, isFlat: true),
            ])
    }

    @Test(
        arguments: [
            // What a row shows, each column once; without a cell, all.
            (
                "cell: {style: custom, title: '{year} {make}', detail: '{make}', "
                    + "lines: ['{fuel}', {field: colour}], image: {symbol: '{model}'}}",
                "{name: Make, columns: make}", ["Any", "Make"], [3, 1, 2, 4, 6]
            ),
            (
                "title: Cars", "{name: Make, columns: make}", ["Any", "Make"],
                [0, 1, 2, 3, 4, 5, 6]
            ),
            // A catalog's own.
            (
                "cell: {title: '{year}'}",
                "{name: Make, columns: make}, {name: any, columns: model}",
                ["any", "Make"], [2]
            ),
            ("cell: {title: none}", "{name: Make, columns: make}", ["Make"], [1]),
            ("title: Cars", "", [], nil),
        ] as [(String, String, [String], [Int]?)])
    func theFirstScopeFindsWhatARowShows(
        entry: String, scopes: String, names: [String], first: [Int]?
    ) throws {
        let yaml = "lists:\n- name: cars\n  \(entry)\n  scopes: [\(scopes)]"
        let list = try folder.database(Self.tables, catalog: yaml).catalog.lists[0]
        #expect(list.scopes.map(\.name) == names)
        #expect(list.scopes.first?.columns == first.map { .columns($0) })
    }

    @Test func aPositionMakesGroupingsManual() throws {
        let sql = Self.tables + "; CREATE INDEX cars_by_fuel ON cars (fuel, make)"
        func list(_ yaml: String) throws -> ListDescription {
            try folder.database(sql, catalog: "lists:\n  - {name: cars, position: FUEL\(yaml)}")
                .catalog.lists[0]
        }
        let inferred = try Database(path: folder.database(sql)).catalog.lists[0]
        #expect(inferred.positionColumn == nil)
        let plain = try list("")
        #expect(plain.positionColumn == 4)
        #expect(plain.groupings.dropFirst() == inferred.groupings[...])
        #expect(plain.isManual(plain.groupings[0]) && !plain.isManual(plain.groupings[1]))
        let given = try list(
            ", groupings: [{column: make}, {name: Hand, order: manual}, "
                + "{column: colour, section: wholeValue, order: manual}]")
        #expect(given.groupings.map(given.isManual) == [false, true, true])
        #expect(given.groupings[1].expression == .none && given.groupings[2].column == 6)
    }

    @Test(
        arguments: [
            ("{name: cars, position: make}", "needs a column of numbers"),
            ("{name: cars, position: id}", "needs a column that can be set"),
            ("{name: cars, position: year}", "needs an index that begins with the column"),
            ("{name: cars, position: size}", "there is no column “size”"),
            ("{name: cars, groupings: [{name: A, order: manual}]}", "needs “position: COLUMN”"),
            (
                "{name: cars, position: fuel, groupings: [{name: A, order: manul}]}",
                "line 2: lists[0].groupings[0].order: must be “manual” or a list of columns, such "
                    + "as [make, -year], not “manul”"
            ),
            (
                "{name: cars, position: fuel, groupings: [{column: make}]}",
                "needs a grouping with “order: manual”"
            ),
        ])
    func aPositionThatCannotKeepAnOrderIsRefused(entry: String, message: String) throws {
        let sql =
            Self.tables
            + "; CREATE INDEX cars_by_fuel ON cars (fuel); CREATE UNIQUE INDEX u ON cars (year)"
            + "; CREATE INDEX p ON cars (year) WHERE year > 0"
        expectFailure(saying: message) {
            try folder.database(sql, catalog: "lists:\n  - \(entry)")
        }
    }

    @Test func partsThatAreLeftOutAreInferred() throws {
        let inferred = try Database(path: try folder.database(Self.tables, name: "other.db"))
            .catalog
        #expect(try catalog("lists:\n  - name: cars") == inferred)
        #expect(try catalog("") == inferred)
        #expect(try catalog("lists:") == inferred)
        #expect(try catalog("# nothing\nlists: []") == inferred)
    }

    @Test func onlyTheseHidesTheRest() throws {
        let catalog = try catalog("onlyThese: true\nlists:\n  - name: owners")
        #expect(catalog.lists.map(\.name) == ["owners"])
    }

    @Test func severalListsMayShowOneTable() throws {
        let database = try folder.database(
            Self.tables,
            catalog: """
                lists:
                  - {name: one, table: makes}
                  - {name: two, table: makes, columns: {make: {label: Marque}}}
                """)
        #expect(database.catalog.lists.map(\.name) == ["one", "two", "cars", "owners"])
        let reader = try database.makeReader()
        #expect(try reader.detail(list: 0, id: 1) == [.text("BMW")])
        #expect(try reader.detail(list: 1, id: 1) == [.text("BMW")])
        #expect(try reader.detail(list: 2, id: 1)?.count == 7)
    }

    static let mistakes: [(yaml: String, line: Int, rest: String)] = [
        (
            "list:\n", 1,
            "list: is not a known key; perhaps “lists” is meant. There are: onlyThese, lists"
        ),
        ("onlyThese: perhaps", 1, "onlyThese: must be true or false, not “perhaps”"),
        ("lists: cars", 1, "lists: must be a list"),
        ("lists:\n  - cars", 2, "lists[0]: must be keys and values, such as “name: value”"),
        ("lists:\n  - title: x", 2, "lists[0]: needs a name, or the table that it shows"),
        (
            "lists:\n  - name: bikes", 2,
            "lists[0].name: there is no table or view “bikes”. There are: cars, owners, makes"
        ),
        (
            "lists:\n  - {name: cars, titleColumn: modell}", 2,
            "lists[0].titleColumn: there is no column “modell”. There are: id, make, model, year, "
                + "fuel, parked, colour"
        ),
        (
            "lists:\n  - name: cars\n    columns: {year: {type: integer}}\n"
                + "    groupings:\n      - {column: year, section: day}", 5,
            "lists[0].groupings[0].section: needs a column of type date, and “year” is integer"
        ),
        (
            "lists:\n  - name: cars\n  - {name: cars, table: owners}", 3,
            "lists[1]: two lists are called “cars”: give one another name"
        ),
        (
            "lists:\n  - {name: owners, table: cars}", 2,
            "lists[0]: another table is called “owners”: give this list another name, or set "
                + "onlyThese"
        ),
        (
            "lists: [", 2,
            "this is not YAML: while parsing a flow node did not find expected node content"
        ),
        ("a: 1\na: 2", 2, "“a” is given more than once"),
        (
            "lists: []\n---\nlists: []", 2,
            "this is not YAML: there must be one document, and another begins here"
        ),
        ("[1]: 2", 1, "a key must be one word"),
        (
            "a: &a [x]\nb: *a", 1,
            "anchors (&) are not supported: write the value again, or quote a text that begins "
                + "with “&”"
        ),
        ("b: *a", 1, "b: aliases (*) are not supported: write the value again"),
    ]

    @Test(arguments: mistakes) func aMistakeNamesFileLineAndKey(
        yaml: String, line: Int, rest: String
    ) throws {
        let error = failure { _ = try catalog(yaml) }
        #expect(error?.description == "“\(folder.file("catalog.yaml"))”, line \(line): \(rest)")
    }

    static let mistakesInAList: [(entry: String, line: Int, rest: String)] = [
        (
            "colums: {}", 3,
            "colums: is not a known key; perhaps “columns” is meant. There are: name, table, "
                + "title, titleColumn, columns, cell, groupings, scopes, actions, position, "
                + "refresh, editable, editing, detail, conditions, timeZone, heading"
        ),
        ("columns: {nam: {}}", 3, "columns.nam: there is no column “nam”. There are: name"),
        (
            "columns: {name: {type: string}}", 3,
            "columns.name.type: “string” is not a known word. There are: text, "
                + "integer, real, date, boolean, blob"
        ),
        ("cell: {title: '{nam}'}", 3, "cell.title: there is no column “nam”. There are: name"),
        ("cell: {title: '{name'}", 3, "cell.title: has a “{” without its “}”"),
        ("groupings: []", 3, "groupings: needs at least one grouping"),
        ("groupings:\n- section: year", 4, "groupings[0].section: needs a column to read"),
        ("groupings:\n- {name: x}", 4, "groupings[0]: needs a column, or “section: none”"),
        (
            "groupings:\n- {column: name, section: {ranges: [2, 1]}}", 4,
            "groupings[0].section.ranges[1]: bounds must ascend, but 1.0 follows 2.0"
        ),
        (
            "groupings:\n- {column: name}\n- {column: NAME}", 5,
            "groupings[1]: two groupings are called “name”"
        ),
        (
            "scopes:\n- {name: x, columns: name, lengths: [5, 1]}", 4,
            "scopes[0].lengths: the most is below the least"
        ),
        ("scopes:\n- {name: x, columns: []}", 4, "scopes[0].columns: needs at least one column"),
        (
            "scopes:\n- {name: x, columns: name, match: ends}", 4,
            "scopes[0].match: “ends” is not a known word. There are: contains, beginsWith, words"
        ),
    ]

    @Test(arguments: mistakesInAList)
    func aMistakeInAListNamesFileLineAndKey(entry: String, line: Int, rest: String) throws {
        let indented = entry.replacing("\n", with: "\n      ")
        try aMistakeNamesFileLineAndKey(
            yaml: "lists:\n  - name: owners\n    \(indented)", line: line, rest: "lists[0].\(rest)")
    }

    /// A name that finds a column finds it a second time, too.
    @Test(arguments: ["MAKE", "mäke", "make "]) func aColumnIsDescribedOnce(name: String) throws {
        let yaml = "lists:\n  - name: cars\n    columns:\n      make: {label: a}\n      "
        let isColumn = name != "make "
        let end =
            isColumn
            ? "line 5: lists[0].columns.\(name): “make” is given more than once"
            : "there is no column “make ”"
        expectFailure(ending: end) { try catalog(yaml + "\"\(name)\": {label: b}") }
    }

    @Test func listsThatAreFoundByOneNameAreRefused() throws {
        let yaml = "lists:\n  - {name: Fleet, table: cars}\n  - {name: FLEET, table: owners}"
        expectFailure(ending: "two lists are called “FLEET”: give one another name") {
            try catalog(yaml)
        }
    }

    /// A sign with a combining mark behind it is one character, and still a sign.
    @Test func signsAreSeenBeforeCombiningMarks() throws {
        let database = try folder.database(
            "CREATE TABLE t (\"\u{301}x\" TEXT, \"a\"\"\u{301}\" TEXT); "
                + "INSERT INTO t VALUES ('1', '2')",
            catalog: """
                lists:
                  - name: t
                    cell: {style: default, title: '{\u{301}x}{a"\u{301}}'}
                    groupings: [{name: g, column: "\u{301}x", order: ["-\u{301}x"]}]
                """)
        #expect(
            database.catalog.lists[0].groupings[0].rowOrder
                == [SortKey(column: 0, isDescending: true)])
        #expect(
            database.catalog.lists[0].cell.title.utf8.elementsEqual("{\u{301}x}{a\"\u{301}}".utf8))
        let rows = try database.makeReader().everything(list: 0, columns: [0, 1])
        #expect(rows.map(\.cells) == [[.text("1"), .text("2")]])
    }

    /// A program that is started with the file ends with the same exit code for each.
    @Test(arguments: [
        ("lists:\n  - name: x", "cars"), ("lists:\n  - {name: cars, titleColumn: x}", "id"),
        ("lists:\n  - {name: cars, cell: {style: x}}", "columns"), ("x: 1", "onlyThese"),
    ])
    func everyUnknownWordIsAMistakeOfTheFile(yaml: String, alternative: String) throws {
        let error = failure { _ = try catalog(yaml) }
        #expect(error?.code == .storageFailed)
        #expect(error?.alternatives.first == alternative)
    }

    @Test func limitsAreChecked() throws {
        let groupings = (0...Limits.groupingsPerList).map { "      - {column: name, name: g\($0)}" }
        let many = "has 201 entries, and is limited to 200 (groupingsPerList)"
        expectFailure(.limitExceeded, ending: many) {
            try catalog(
                "lists:\n  - name: owners\n    groupings:\n" + groupings.joined(separator: "\n"))
        }
        let long = String(repeating: "x", count: Limits.bytesPerName + 1)
        expectFailure(.limitExceeded) { try catalog("lists:\n  - name: \(long)") }
        let large = String(repeating: "# comment\n", count: Limits.bytesPerCatalogFile / 10 + 1)
        expectFailure(.limitExceeded) { try catalog(large) }
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        let path = try folder.database(Self.tables)
        func message(_ catalog: String) -> String? {
            failure { try Database(path: path, catalogPath: catalog) }?.message
        }
        let catalog = folder.write([0x61, 0x3A, 0x20, 0xFF], to: "bad.yaml")
        #expect(message(catalog) == "“\(catalog)” is not UTF-8 text: save it as UTF-8")
        let missing = folder.file("none.yaml")
        #expect(message(missing) == "there is no file “\(missing)”: check the path")
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: zip(
            ["[", "- ", "{a: ", "? "],
            Array(repeating: "more than 64 levels deep (levelsOfYAML)", count: 3)
                + ["a key must be one word"]))
    func deepNestingIsRefused(opening: String, words: String) {
        expectFailure(saying: words) {
            try catalog(String(repeating: opening, count: 100_000))
        }
    }

    @Test(.timeLimit(.minutes(5))) func anAliasBombIsRefusedAtOnce() {
        let lines = (1..<60).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
        let bomb = (["a0: &a0 x"] + lines + ["? *a59", ": x"]).joined(separator: "\n")
        expectFailure(saying: "anchors (&)") { try catalog(bomb) }
    }

    @Test(arguments: ["R&D & \"more\"", "this &that", "\"&that\""])
    func anAmpersandInATextIsNoAnchor(title: String) throws {
        let list = try catalog("lists:\n  - {name: owners, title: \(title)}").lists[0]
        #expect(list.title == (title.hasPrefix("\"") ? "&that" : title))
    }
}
