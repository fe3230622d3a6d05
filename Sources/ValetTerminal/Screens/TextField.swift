/// One line of text with a caret.
struct TextField: Hashable, Sendable {
    private(set) var text: String
    /// Clusters before the caret.
    private(set) var caret: Int
    /// UTF-8 bytes that the text may have.
    let limit: Int
    /// All of the text is selected: what is typed replaces it.
    private(set) var isSelected = false

    init(text: String = "", limit: Int) {
        self.text = text
        self.limit = limit
        caret = text.count
    }

    /// True when the key was an editing key, whether or not it changed anything.
    mutating func handle(_ key: Key) -> Bool {
        if case .character(let character) = key {
            insert(String(character))
            return true
        }
        guard let command = KeyTable.editing[key] else { return false }
        edit(command)
        return true
    }

    mutating func selectAll() {
        isSelected = !text.isEmpty
        caret = text.count
    }

    mutating func deselect() { isSelected = false }

    mutating func edit(_ command: EditCommand) {
        if isSelected {
            isSelected = false
            switch command {
            case .left, .start: caret = 0
            case .right, .end: caret = text.count
            case .deleteBackward, .deleteForward, .deleteWord, .deleteAll:
                remove(from: 0, to: text.count)
            }
            return
        }
        switch command {
        case .left: caret = max(caret - 1, 0)
        case .right: caret = min(caret + 1, text.count)
        case .start: caret = 0
        case .end: caret = text.count
        case .deleteBackward: removeBackward(count: 1)
        case .deleteForward: remove(from: caret, to: min(caret + 1, text.count))
        case .deleteWord: removeBackward(count: lengthOfWordBeforeCaret)
        case .deleteAll: remove(from: 0, to: text.count)
        }
    }

    func hasRoom(for inserted: String) -> Bool {
        (isSelected ? 0 : text.utf8.count) + inserted.utf8.count <= limit
    }

    /// Inserts typed or pasted text; line ends become spaces, and what is too long is left out.
    mutating func insert(_ inserted: String) {
        let line = String(inserted.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        guard hasRoom(for: line) else { return }
        if isSelected {
            isSelected = false
            remove(from: 0, to: text.count)
        }
        let place = text.index(text.startIndex, offsetBy: caret)
        // A combining mark joins the cluster before it, so the caret counts what comes out.
        let after = text[place...].count
        text.insert(contentsOf: line, at: place)
        caret = max(text.count - after, 0)
    }

    private var lengthOfWordBeforeCaret: Int {
        let before = text.prefix(caret)
        let trimmed = before.reversed().drop { $0 == " " }
        let rest = trimmed.drop { $0 != " " }
        return before.count - rest.count
    }

    private mutating func removeBackward(count: Int) {
        remove(from: max(caret - count, 0), to: caret)
    }

    private mutating func remove(from: Int, to: Int) {
        guard from < to else { return }
        let start = text.index(text.startIndex, offsetBy: from)
        let end = text.index(text.startIndex, offsetBy: to)
        text.removeSubrange(start..<end)
        caret = min(from, text.count)
    }
    // MARK: Drawing

    /// Draws the field so that the caret is seen, and answers where the caret is.
    func draw(on screen: inout Screen, row: Int, column: Int, width: Int, style: Style) -> Position
    {
        guard width > 0 else { return Position(row: row, column: column) }
        // From the caret backwards as far as there is room for it.
        var start = text.index(text.startIndex, offsetBy: caret)
        var before = 0
        while start > text.startIndex {
            let previous = text.index(before: start)
            let wider = before + screen.sanitizer.width(of: text[previous..<start])
            if wider >= width { break }
            (start, before) = (previous, wider)
        }
        screen.write(
            text[start...], row: row, column: column, width: width,
            style: isSelected ? style.with(.reverse) : style, truncation: .clip)
        return Position(row: row, column: column + before)
    }

    /// The same text, shown from its beginning.
    var fromStart: TextField {
        var field = self
        field.caret = 0
        field.isSelected = false
        return field
    }
}
