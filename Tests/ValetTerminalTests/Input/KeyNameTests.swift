import Testing

@testable import ValetTerminal

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
