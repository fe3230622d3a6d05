import Testing

@testable import ValetTerminal

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
    talk.press("?", shows: "F3", "next row")
    talk.press("esc", "t")
    #expect(talk.app.list?.mode == .searching)
}
