import ValetModel

/// The keys of one screen, or of one of its modes: which key gives which command, and what the help
/// says about it. Screens look keys up here, and help is made from the same rows.
struct KeyTable<Command: Hashable & Sendable>: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        /// By their names, with blanks between; the first ones name the row in the help.
        var keys: [Key]
        let command: Command
        /// nil leaves the row out of the help.
        let title: String?
        /// What stands above it in the help.
        var group: String?

        init(_ keys: String, _ command: Command, _ title: String? = nil) {
            self.init(
                keys.split(separator: " ").compactMap { Key(name: String($0)) }, command, title)
        }

        init(_ keys: [Key], _ command: Command, _ title: String?) {
            self.keys = keys
            self.command = command
            self.title = title
        }
    }

    let rows: [Row]
    private let commands: [Key: Command]

    init(_ rows: [Row]) {
        self.rows = rows
        let pairs = rows.flatMap { row in row.keys.map { ($0, row.command) } }
        commands = Dictionary(pairs) { _, _ in preconditionFailure("a key has two commands") }
    }

    subscript(key: Key) -> Command? { commands[key] }

    /// The rows that have a title, as help lists them.
    func items(isASCII: Bool, _ choice: (Command) -> Palette.Choice) -> [Palette.Item] {
        rows.compactMap { row in
            row.title.map { title in
                let labels = row.keys.map { $0.label(isASCII: isASCII) }
                    .filter { !isASCII || $0.utf8.allSatisfy { $0 < 0x80 } }
                return Palette.Item(
                    keys: labels.joined(separator: " "), title: title, choice: choice(row.command),
                    group: row.group)
            }
        }
    }
}

extension KeyTable {
    /// `/ find   f filter   ? help`: the keys of a screen that a person needs most, the first ones
    /// most of all. A command without a key is left out.
    func footer(_ commands: [(Command, String)], isASCII: Bool) -> String {
        commands.compactMap { command, word in
            rows.first { $0.command == command }?.keys.first
                .map { "\($0.label(isASCII: isASCII)) \(word)" }
        }.joined(separator: "   ")
    }
}

extension Array {
    /// The rows of a table that stand together in the help.
    func under<Command>(_ group: String) -> [Element] where Element == KeyTable<Command>.Row {
        map { row in
            var row = row
            row.group = group
            return row
        }
    }
}

/// A way to move among rows, lists, fields or titles.
enum Motion: Hashable, Sendable {
    case down
    case up
    case pageDown
    case pageUp
    case halfPageDown
    case halfPageUp
    case first
    case last

    /// How far that is. The ends are further than any list is long.
    func distance(page: Int) -> Int {
        switch self {
        case .down: 1
        case .up: -1
        case .pageDown: page
        case .pageUp: -page
        case .halfPageDown: max(page / 2, 1)
        case .halfPageUp: -max(page / 2, 1)
        case .first: -Limits.rowsPerList
        case .last: Limits.rowsPerList
        }
    }

    /// The place among `count` that a move from `place` leads to.
    func place(from place: Int, of count: Int, page: Int) -> Int {
        min(max(place + distance(page: page), 0), max(count - 1, 0))
    }
}

extension MouseEvent {
    /// What turning the wheel moves; nil for all else.
    var motion: Motion? {
        switch kind {
        case .wheelUp: .up
        case .wheelDown: .down
        case .press, .release, .drag: nil
        }
    }
}

extension KeyTable.Row {
    /// The keys that move everywhere.
    static func motions(
        among things: String, _ command: (Motion) -> Command
    ) -> [KeyTable.Row] {
        [
            .init("down j ^N", command(.down), "next \(things)"),
            .init("up k ^P", command(.up), "previous \(things)"),
            .init("pgdn ^F", command(.pageDown), "next page"),
            .init("pgup ^B", command(.pageUp), "previous page"),
            .init("^D", command(.halfPageDown), "half a page down"),
            .init("^U", command(.halfPageUp), "half a page up"),
            .init("home g", command(.first), "first \(things)"),
            .init("end G", command(.last), "last \(things)"),
        ]
    }

    /// Those of them that are no text.
    static func motionsWhileTyping(_ command: (Motion) -> Command) -> [KeyTable.Row] {
        [
            .init("down ^N", command(.down)), .init("up ^P", command(.up)),
            .init("pgdn", command(.pageDown)), .init("pgup", command(.pageUp)),
        ]
    }
}
