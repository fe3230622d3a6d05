import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// What a catalog says of cells, and of what can be done with a row.
@Suite struct CatalogCellTests {
    private let folder = TemporaryFolder()

    private func list(_ entry: String) throws -> ListDescription {
        try folder.list(
            of: "t",
            "CREATE TABLE t (name TEXT, colour TEXT, level INTEGER, lines INTEGER, done BOOLEAN)",
            entry: entry)
    }

    private func cell(_ yaml: String) throws -> CellLayout { try list("cell: \(yaml)").cell }

    @Test func aCellHasAllThatACatalogSays() throws {
        #expect(
            try cell(
                """
                {title: '{Name}', lines: [{field: level}, 'in {COLOUR}'], image: {swatch: colour},
                     tint: colour, indent: level, emphasis: {column: done},
                     height: {column: lines}, accessory: {check: done}, selectable: done,
                     selected: {title: "{NAME}", say: "{name}!"}}
                """)
                == CellLayout(
                    style: .custom, title: "{name}",
                    lines: [.field(column: 2), .template("in {colour}")],
                    image: .swatch(column: 1), tintColumn: 1, indentColumn: 2,
                    emphasis: .column(4), height: .column(3), accessory: .check(column: 4),
                    selectableColumn: 4, selectedTitle: "{name}", selectedMessage: "{name}!"))
        #expect(
            try cell("{image: {symbol: ☺, selected: ☻}, emphasis: bold, accessory: disclosure}")
                == CellLayout(
                    style: .default, title: "{name}", image: .symbol("☺", selected: "☻"),
                    emphasis: .bold, accessory: .disclosure))
        // A cell is as tall as its lines, unless it says otherwise.
        #expect(try cell("{lines: [a, b]}").height == .lines(3))
        #expect(try cell("{lines: [a, b], height: 2}").height == .lines(2))
        #expect(try cell("{image: {box: '{level}'}}").image == .box("{level}"))
    }

    @Test(arguments: [
        ("{lines: a}", "cell.lines: must be a list"),
        ("{style: default, lines: [a]}", "cell.lines: needs the style custom"),
        ("{lines: [a, b, c, d, e, f, g, h, i]}", "cell.lines: has 9 entries, and is limited to 8"),
        ("{lines: [{field: nam}]}", "cell.lines[0].field: there is no column “nam”"),
        ("{lines: [{fields: name}]}", "cell.lines[0].fields: is not a known key"),
        ("{image: {box: a, swatch: colour}}", "cell.image: must be one of symbol"),
        ("{image: {}}", "cell.image: must be one of symbol"),
        ("{height: 0}", "cell.height: must be from 1 to 9"),
        ("{height: 10}", "cell.height: must be from 1 to 9"),
        ("{emphasis: loud}", "cell.emphasis: “loud” is not a known word"),
        ("{accessory: {check: level}}", "cell.accessory.check: needs a column of type boolean"),
        ("{tint: pink}", "cell.tint: there is no column “pink”"),
        ("[{set: {done: yes}}]", "actions[0]: needs a name"),
        ("[{name: A}]", "actions[0]: must be one of set, say, copy, title and open"),
        ("[{name: A, say: a, copy: b}]", "actions[0]: must be one of set, say, copy, title and"),
        ("[{name: A, set: {level: x}}]", "actions[0].set.level: must be a whole number"),
        ("[{name: A, set: {done: 7, level: 1}}]", "actions[0].set: must be one column"),
        ("[{name: A, set: {nam: 7}}]", "actions[0].set.nam: there is no column “nam”"),
        ("[{name: A, say: '{nam}'}]", "actions[0].say: there is no column “nam”"),
    ])
    func aMistakeInACellOrAnActionIsNamed(yaml: String, message: String) {
        let key = message.prefix { $0.isLetter }
        expectMistake("line 3: lists[0].\(message)") { _ = try list("\(key): \(yaml)") }
    }

    @Test func actionsAreWhatACatalogSays() throws {
        #expect(
            try list(
                """
                actions: [{name: A, set: {done: yes}}, {name: B, set: {level: 7}},
                      {name: C, set: {name: }}, {name: D, say: 'Hi {NAME}'},
                      {name: E, copy: '{level}'}, {name: F, open: t}]
                """
            ).actions == [
                RowAction(name: "A", effect: .set(column: 4, .integer(1))),
                RowAction(name: "B", effect: .set(column: 2, .integer(7))),
                RowAction(name: "C", effect: .set(column: 0, .null)),
                RowAction(name: "D", effect: .say("Hi {name}")),
                RowAction(name: "E", effect: .copy("{level}")),
                RowAction(name: "F", effect: .open(list: "t")),
            ])
    }
}
