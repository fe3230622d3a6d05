/// The keys of the screens in which keys are no text: as built in, or as somebody chose them.
package struct Keymap: Hashable, Sendable {
    private(set) var anywhere = KeyTable.anywhere
    private(set) var duringText = KeyTable.duringText
    private(set) var catalog = KeyTable.catalog
    private(set) var list = KeyTable.list
    private(set) var editMode = KeyTable.editMode
    private(set) var detail = KeyTable.detail
    private(set) var index = KeyTable.index
    private(set) var moving = KeyTable.moving

    package init() {}

    /// - Parameter chosen: keys by a command's name, which replace those it had, and are taken from
    ///   the commands that had them. No key stands at two commands.
    package init(_ chosen: [String: [Key]]) {
        anywhere = anywhere.rebound(chosen)
        duringText = duringText.rebound(chosen)
        catalog = catalog.rebound(chosen)
        list = list.rebound(chosen)
        editMode = editMode.rebound(chosen)
        detail = detail.rebound(chosen)
        // Of the modes only the motions: what ends them stays where a person may look for it.
        let motions = chosen.filter { Keymap.motionNames.contains($0.key) }
        index = index.rebound(motions)
        moving = moving.rebound(motions)
    }

    /// The commands that keys can be chosen for, in the order of the help.
    package static let commandNames: [String] = {
        let map = Keymap()
        let names =
            map.list.names + map.detail.names + map.catalog.names + map.editMode.names
            + map.anywhere.names
        return names.withoutDuplicates
    }()

    private static let motionNames = Set(
        KeyTable.Row.motions(among: "row", ListCommand.move).map(\.name))

    /// Why a command can't have a key; nil if it can.
    package static func obstacle(to key: Key, for name: String) -> String? {
        if key == .control("c") { return "^C always cancels" }
        if case .character = key, KeyTable.duringText.names.contains(name) {
            return "\(name) works while you type, so it needs a key such as f5 or ^L"
        }
        return nil
    }
}

extension KeyTable {
    fileprivate var names: [String] { rows.map(\.name) }

    fileprivate func rebound(_ chosen: [String: [Key]]) -> KeyTable {
        let taken = Set(chosen.values.joined())
        var isBound = Set<Command>()
        return KeyTable(
            rows.map { row in
                var row = row
                guard let keys = chosen[row.name] else {
                    row.keys = row.keys.filter { !taken.contains($0) }
                    return row
                }
                // A command may have several rows, of which the first is in the help.
                let isFirst = isBound.insert(row.command).inserted
                row.keys = (isFirst ? keys : []) + row.keys.filter { $0 == .control("c") }
                return row
            })
    }
}

extension KeyTable.Row {
    /// What the configuration calls the command: `copy-title`, `page-down`, `grouping-1`.
    fileprivate var name: String {
        let mirror = Mirror(reflecting: command)
        guard let payload = mirror.children.first, let label = payload.label else {
            return Self.words(String(describing: command))
        }
        // Ordinals begin at 0, and keys at 1.
        if let ordinal = payload.value as? Int { return "\(Self.words(label))-\(ordinal + 1)" }
        return Self.words(String(describing: payload.value))
    }

    private static func words(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }
}
