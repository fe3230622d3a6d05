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
    var byHelp = ServedApp(after: "?")
    byHelp.app.palette?.paste(title)
    byHelp.press("enter")
    let byKey = ServedApp(after: .key(key))
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

@Test func chosenKeysReplaceTheCommandsOwn() {
    let map = Keymap(["search": [.character("t")], "down": [.character("n"), .down]])
    #expect(map.list[.character("t")] == .search && map.list[.character("/")] == nil)
    for key in [Key.character("n"), .down] {
        #expect(map.list[key] == .move(.down) && map.detail[key] == .move(.down))
        #expect(map.catalog[key] == .move(.down) && map.index[key] == .move(.down))
        #expect(map.moving[key] == .move(.down))
    }
    #expect(map.list[.character("j")] == nil && map.list[.character("k")] == .move(.up))
}

@Test func aChosenKeyIsTakenFromTheCommandThatHadIt() {
    let map = Keymap(["who": [.character("e"), .character("L")]])
    #expect(map.list[.character("e")] == .who && map.detail[.character("e")] == nil)
    #expect(map.anywhere[.character("L")] == nil)
    #expect(map.list.rows.contains { $0.command == .edit && $0.keys.isEmpty })
}

@Test func nothingTakesTheKeyThatCancels() {
    let map = Keymap(["step-back": [.character("b")], "cancel": [.control("g")]])
    #expect(map.list[.control("c")] == .stepBack && map.list[.character("b")] == .stepBack)
    #expect(map.list[.escape] == nil)
    #expect(map.anywhere[.control("c")] == .cancel && map.anywhere[.control("g")] == .cancel)
    #expect(Keymap.obstacle(to: .control("c"), for: "search") != nil)
    #expect(Keymap.obstacle(to: .character("x"), for: "suspend") != nil)
    #expect(Keymap.obstacle(to: .function(2), for: "suspend") == nil)
}

/// Modes keep the keys that end them, whatever else has such a name.
@Test func modesKeepTheirOwnKeys() {
    let map = Keymap(["leave": [.character("Z")], "who": [.character("m")]])
    #expect(map.index == KeyTable.index && map.moving == KeyTable.moving)
    #expect(map.list[.character("Z")] == .leave && map.list[.character("q")] == nil)
}

/// Configurations use these names.
@Test func commandsKeepTheirNames() {
    let names = Keymap.commandNames
    for name in [
        "open", "down", "up", "page-down", "page-up", "half-page-down", "first", "last", "go-to",
        "search", "next-section", "grouping-1", "grouping-9", "sort", "edit", "add", "delete",
        "check", "move-by-hand", "undo", "redo", "copy-title", "copy-row", "refresh", "freeze",
        "who", "help", "step-back", "back", "leave", "next-record", "copy-field", "redraw",
        "suspend", "log", "quit",
    ] {
        #expect(names.contains(name), "\(name)")
    }
    #expect(Set(names).count == names.count && !names.contains { $0.contains("(") })
}

@Test func screensAndHelpGoByTheChosenKeys() {
    var talk = ServedApp(
        options: AppOptions(keymap: Keymap(["search": [.character("t")], "down": [.function(3)]])))
    talk.press("j")
    #expect(talk.app.list?.cursor.ordinal == 0)
    talk.press("f3")
    #expect(talk.app.list?.cursor.ordinal == 1)
    talk.press("?", .text("next r"), shows: "F3", "next row")
    talk.press("esc", "t")
    #expect(talk.app.list?.mode == .searching)
}

@Test(
    arguments: [
        ("j", .character("j")), ("G", .character("G")), ("^", .character("^")),
        ("^N", .control("n")),
        ("enter", .enter), ("Esc", .escape), ("pgdn", .pageDown), ("f10", .function(10)),
        ("shift-left", .shiftLeft), ("漢", .character("漢")), ("comma", .character(",")),
    ] as [(String, Key)])
func keysHaveNames(name: String, key: Key) {
    #expect(Key(name: name) == key)
}

@Test(arguments: ["", "entr", "f13", "f0", "^no", "ctrl-n"])
func aTextThatIsNoKeyHasNoName(name: String) {
    #expect(Key(name: name) == nil)
}

@Test(arguments: [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("é\u{1B}", "w6kb")])
func theClipboardGetsBase64(text: String, encoded: String) {
    #expect(ControlSequence.copy(text) == Array("\u{1B}]52;c;\(encoded)\u{1B}\\".utf8))
}
