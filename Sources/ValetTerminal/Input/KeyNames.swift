extension Key {
    /// A key by its name, as scripts write it: `j`, `enter`, `^N`, `shift-left`, `f1`.
    package init?(name: String) {
        if name.count == 1, let character = name.first {
            self = .character(character)
            return
        }
        if let key = Key.named[name.lowercased()] {
            self = key
            return
        }
        let rest = name.dropFirst()
        switch name.first {
        case "^" where rest.count == 1: self = .control(Character(rest.lowercased()))
        case "f", "F":
            guard let number = Int(rest), (1...12).contains(number) else { return nil }
            self = .function(number)
        default: return nil
        }
    }

    /// The names of keys that are more than a character.
    package static var names: [String] { named.keys.sorted() }

    private static let named: [String: Key] = [
        "enter": .enter, "return": .enter, "tab": .tab, "backtab": .backTab,
        "shift-tab": .backTab, "backspace": .backspace, "esc": .escape, "escape": .escape,
        "space": .character(" "), "comma": .character(","), "insert": .insert, "delete": .delete,
        "up": .up, "down": .down, "left": .left, "right": .right, "shift-up": .shiftUp,
        "shift-down": .shiftDown, "shift-left": .shiftLeft, "shift-right": .shiftRight,
        "home": .home, "end": .end, "pageup": .pageUp, "pgup": .pageUp, "pagedown": .pageDown,
        "pgdn": .pageDown,
    ]

    /// The key as help shows it.
    func label(isASCII: Bool) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "^" + character.uppercased()
        case .alt(let character): "Alt-\(character)"
        case .enter: "Enter"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .escape: "Esc"
        case .insert: "Ins"
        case .delete: "Del"
        case .up: isASCII ? "Up" : "↑"
        case .down: isASCII ? "Down" : "↓"
        case .left: isASCII ? "Left" : "←"
        case .right: isASCII ? "Right" : "→"
        case .shiftUp: "Shift-" + Key.up.label(isASCII: isASCII)
        case .shiftDown: "Shift-" + Key.down.label(isASCII: isASCII)
        case .shiftLeft: "Shift-" + Key.left.label(isASCII: isASCII)
        case .shiftRight: "Shift-" + Key.right.label(isASCII: isASCII)
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }
}
