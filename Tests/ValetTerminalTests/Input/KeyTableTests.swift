import Testing

@testable import ValetTerminal

/// What a table's rows have in common, whatever their commands.
private struct Rows {
    let name: String
    let keys: [[Key]]

    init<Command>(_ name: String, _ table: KeyTable<Command>) {
        self.name = name
        keys = table.rows.map(\.keys)
    }

    static let all = [
        Rows("anywhere", .anywhere), Rows("catalog", .catalog), Rows("list", .list),
        Rows("edit mode", .editMode), Rows("detail", .detail), Rows("search", .search),
        Rows("prompt", .prompt), Rows("condition", .condition), Rows("facets", .facets),
        Rows("comparison", .comparison),
        Rows("index", .index), Rows("moving", .moving), Rows("palette", .palette),
        Rows("editing", .editing),
        Rows("form", .form), Rows("wheels", .wheels),
        Rows("confirmation", .confirmation), Rows("conflict", .conflict),
    ]
}

/// A name that is no key would be left out in silence; a key that stands twice traps.
@Test func everyRowHasKeys() {
    for table in Rows.all where table.name != "list" {
        #expect(table.keys.allSatisfy { !$0.isEmpty }, "\(table.name)")
    }
    // What only the palette runs.
    #expect(
        KeyTable.list.rows.filter(\.keys.isEmpty).map(\.command) == [.sortByName, .facetsByName])
}

@Test func helpShowsTheKeysOfItsCommands() {
    let help = Help.palette(of: .list, Keymap(), glyphs: Glyphs(isASCII: false)) { .list($0) }
    let row = help.items.first { $0.title == "next row" }
    #expect(row?.keys == "↓ j ^N")
    #expect(row?.choice == .run(.list(.move(.down))))
    let ascii = Help.palette(of: .detail, Keymap(), glyphs: Glyphs(isASCII: true)) { .detail($0) }
    #expect(ascii.items.first?.keys == "Down j ^N")
    #expect(ascii.items.last?.choice == .run(.anywhere(.quit)))
}

/// Help runs what it lists, as the key would.
@Test(arguments: [
    ("last row", "G"), ("next grouping", ">"), ("walk the section index", "i"), ("suspend", "^Z"),
    ("search; Tab scope, Enter keep, Esc back, ^U clear", "/"),
])
func aRowOfHelpDoesWhatItsKeyDoes(title: String, key: String) {
    var byHelp = ServedApp()
    byHelp.press("?")
    byHelp.app.palette?.paste(title)
    byHelp.press("enter")
    var byKey = ServedApp()
    byKey.press(key)
    #expect(byHelp.app.draw().text == byKey.app.draw().text)
    #expect(byHelp.actions == byKey.actions)
}

@Test func motionsStayInTheList() {
    for motion in [Motion.down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .first, .last]
    {
        #expect(motion.place(from: 0, of: 0, page: 10) == 0)
        #expect((0..<7).contains(motion.place(from: 3, of: 7, page: 10)))
    }
    #expect(Motion.halfPageDown.place(from: 3, of: 100, page: 10) == 8)
    #expect(Motion.last.place(from: 3, of: 100, page: 10) == 99)
}
