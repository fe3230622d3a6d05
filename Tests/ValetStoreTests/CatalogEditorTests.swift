import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog says of forms: editors, sections of the detail, and what may be done to rows.
@Suite struct CatalogEditorTests {
    private let folder = TemporaryFolder()

    private static let tables = """
        CREATE TABLE cars (make TEXT, year INTEGER, fuel REAL, parked TEXT, kind TEXT, any);
        CREATE TABLE owners (name TEXT);
        """

    private func cars(_ entry: String) throws -> ListDescription {
        try folder.list(of: "cars", Self.tables, entry: entry)
    }

    @Test func editorsAreRead() throws {
        let list = try cars(
            """
            columns:
                  make: {choices: [a, b], editor: {wheels: [make, kind]}, placeholder: which}
                  year: {editor: {range: [1908, nextYear], descending: true}}
                  fuel: {editor: duration, min: "0:30", max: 1:00, interval: 5}
                  parked: {editor: dateAndTime, min: 2020-01-01, max: 2020-01-01}
                  kind: {choices: [x], editor: {list: OWNERS, value: NAME}}
                  any: {editor: {column: kind, kinds: {x: switch, y: {choices: [1, two]}}}}
            """)
        let years = NumberRange(first: .number(1_908), last: .nextYear, isDescending: true)
        #expect(
            list.columns.map(\.editor) == [
                .wheels(columns: [0, 4]), .range(years), .moment(.duration),
                .moment(.dateAndTime), .list(name: "OWNERS", valueColumn: "NAME"),
                .perRow(
                    column: 4,
                    kinds: [
                        .init(name: "x", editor: .toggle),
                        .init(name: "y", editor: .choices([.text("1"), .text("two")])),
                    ]),
            ])
        #expect(list.columns[0].placeholder == "which" && list.columns[3].type == .date)
        #expect(list.columns[2].rules == ColumnRules(minimum: 30, maximum: 60, interval: 5))
        let day: Double = 18_262 * 1_440
        #expect(list.columns[3].rules == ColumnRules(minimum: day, maximum: day + 1_439))
    }

    @Test func sectionsAndRowRulesAreRead() throws {
        let list = try cars(
            """
            editing: {add: no, readOnlyRows: kind}
                detail: [{title: Car, fields: [year, MAKE]}, {fields: [fuel]}]
            """)
        #expect(list.rowRules == RowRules(allowsAdding: false, readOnlyColumn: 4))
        #expect(
            list.detail == [
                DetailSection(title: "Car", columns: [1, 0]),
                DetailSection(title: "", columns: [2]),
            ])
    }

    private static let many = (0...256).map { "k\($0)" }
    private static let manyKinds = many.prefix(65).map { "\($0): text" }.joined(separator: ",")

    static let mistakes: [(entry: String, rest: String)] = [
        (
            "year: {editor: slider}",
            "columns.year.editor: “slider” is not a known word. There are: text, "
                + "number, switch, date, time, dateAndTime, duration"
        ),
        ("year: {editor: [text]}", "columns.year.editor: must be a text"),
        ("year: {editor: date, type: integer}", "editor: does not fit “year”, which is integer"),
        ("fuel: {editor: switch}", "editor: does not fit “fuel”, which is real"),
        ("year: {editor: {}}", "must be one of choices, range, list, wheels and column"),
        ("year: {editor: {rang: [1, 2]}}", "editor.rang: is not a known key"),
        ("year: {editor: {range: [1]}}", "range: must be the least and the greatest, such as"),
        ("year: {editor: {range: [1, x]}}", "range[1]: must be a whole number, thisYear or next"),
        ("year: {editor: {range: [2, 1]}}", "range: the greatest is below the least"),
        ("year: {editor: {range: [1, 10001]}}", "limited to 10000 numbers (numbersPerRange)"),
        (
            "year: {editor: {range: [-9223372036854775808, 9223372036854775807]}}",
            "(numbersPerRange)"
        ),
        ("year: {editor: {range: [1, 2, 3]}}", "limited to 2 (least and greatest)"),
        ("year: {editor: {range: [1, 2], descending: 5}}", "must be true or false"),
        ("year: {editor: {range: [1, 2], value: x}}", "value: does not belong to this editor"),
        ("year: {editor: {choices: [x]}}", "choices[0]: must be a whole number"),
        ("year: {editor: {choices: []}}", "choices: needs at least one choice"),
        (
            "make: {editor: {choices: [\(many.joined(separator: ","))]}}",
            "has 257 entries, and is limited to 256 (choicesPerColumn)"
        ),
        ("make: {editor: {list: bikes}}", "there is no list “bikes”. There are: cars, owners"),
        ("make: {editor: {list: owners, value: age}}", "no column “age”. There are: name"),
        ("make: {editor: {wheels: [make]}}", "wheels[0]: needs a column with choices"),
        ("make: {editor: {wheels: []}}", "wheels: needs at least one column"),
        ("make: {editor: {wheels: [size]}}", "wheels[0]: there is no column “size”"),
        ("make: {choices: [a], editor: {wheels: [make, make]}}", "“make” is named twice"),
        (
            "make: {editor: {wheels: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}",
            "has 9 entries, and is limited to 8 (wheelsPerEditor)"
        ),
        (
            "{make: {choices: [a], editor: {wheels: [make]}}, kind: {editor: {wheels: [make]}}}",
            "columns.kind.editor: “make” is among the wheels of “make” already"
        ),
        ("any: {editor: {column: any, kinds: {}}}", "“any” can't name its own kind"),
        ("any: {editor: {column: year, kinds: {}}}", "needs a column of texts, and “year” is"),
        ("any: {editor: {column: size, kinds: {}}}", "column: there is no column “size”"),
        ("any: {editor: {column: kind}}", "needs “kinds”, and nothing else, beside “column”"),
        ("any: {editor: {column: kind, kinds: [x]}}", "kinds: must be keys and values"),
        ("any: {editor: {column: kind, kinds: {x: {column: make}}}}", "x.column: is not a known"),
        (
            "any: {editor: {column: kind, kinds: {\(manyKinds)}}}",
            "has 65 entries, and is limited to 64 (kindsPerEditor)"
        ),
        (
            "{any: {editor: {column: kind, kinds: {}}}, kind: {editor: {column: make, kinds: {}}}}",
            "“kind” has an editor by kind itself: this would be circular"
        ),
        ("make: {placeholder: [x]}", "columns.make.placeholder: must be a text"),
    ]

    @Test(arguments: mistakes.indices)
    func anEditorThatMakesNoSenseIsNamed(number: Int) {
        let (entry, rest) = Self.mistakes[number]
        let columns = entry.hasPrefix("{") ? entry : "{\(entry)}"
        expectMistake(rest) { _ = try cars("columns: \(columns)") }
    }

    @Test(arguments: [
        ("editing: {delete: perhaps}", "editing.delete: must be true or false, not “perhaps”"),
        ("editing: {edit: no}", "editing.edit: is not a known key"),
        ("editing: no", "editing: must be keys and values"),
        ("editing: {move: yes}", "editing.move: needs “position: COLUMN” in the list"),
        ("editing: {readOnlyRows: size}", "editing.readOnlyRows: there is no column “size”"),
        ("detail: [{title: A}]", "detail[0]: needs fields: a list of columns"),
        ("detail: [make]", "detail[0]: must be keys and values"),
        ("detail: [{fields: [size]}]", "detail[0].fields[0]: there is no column “size”"),
        ("detail: [{fields: [make]}, {fields: [Make]}]", "“make” is in the detail twice"),
        (
            "detail: [" + Array(repeating: "{fields: []}", count: 65).joined(separator: ",") + "]",
            "has 65 entries, and is limited to 64 (detailSectionsPerList)"
        ),
    ])
    func aRuleThatMakesNoSenseIsNamed(entry: String, rest: String) {
        expectMistake(rest) { _ = try cars(entry) }
    }
}

@Suite struct EditableListTests {
    private let folder = TemporaryFolder()
    private let sql = """
        CREATE TABLE cars (make TEXT);
        CREATE TABLE codes (code TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);
        CREATE VIEW makes AS SELECT make FROM cars;
        CREATE VIRTUAL TABLE notes USING fts5(text);
        """

    @Test func tablesWithRowIDsAreEditable() throws {
        let lists = try Database(path: try folder.database(sql)).catalog.lists
        #expect(lists.filter(\.isEditable).map(\.name) == ["cars"])
        #expect(lists.count == 5)
    }

    @Test func aCatalogForbidsEditing() throws {
        func editable(_ yaml: String) throws -> Bool {
            try folder.database(sql, catalog: yaml).catalog.lists[0].isEditable
        }
        #expect(try editable("lists: [{name: cars}]"))
        #expect(try editable("lists: [{name: cars, editable: true}]"))
        #expect(try !editable("lists: [{name: cars, editable: false}]"))
        expectFailure(ending: "view “makes” is read-only") {
            try editable("lists: [{name: makes, editable: true}]")
        }
    }
}
