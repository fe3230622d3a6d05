import ValetModel

/// One column in a form: what the person saw there, and what stands there now.
struct FormField: Hashable, Sendable {
    enum Entry: Hashable, Sendable {
        case text(TextField)
        /// A boolean; nil for none.
        case mark(Bool?)
        /// A value that no line of text can stand for: it can be seen here, and stays as it is.
        case fixed(String)
    }

    /// Bytes that a text may have here: as many as a row's detail carries of one.
    static let bytesPerText = Limits.bytesPerDetailCell

    let column: Int
    let description: ColumnDescription
    private let glyphs: Glyphs
    /// What the person saw; nil in a new row.
    private(set) var seen: Cell?
    /// Another cell of the column, for the form in which it stores dates.
    private let example: Cell?
    private(set) var entry: Entry
    /// Why what stands here can't be stored.
    var problem: String?

    init(
        column: Int, _ description: ColumnDescription, seen: Cell?, example: Cell?, glyphs: Glyphs
    ) {
        self.column = column
        self.description = description
        self.glyphs = glyphs
        self.seen = seen
        self.example = example
        entry = Self.entry(of: seen, in: description, glyphs)
    }

    private static func entry(
        of seen: Cell?, in description: ColumnDescription, _ glyphs: Glyphs
    ) -> Entry {
        let text: String
        switch (seen ?? .null, description.type) {
        case (.null, .boolean): return .mark(nil)
        case (.integer(let number), .boolean) where number == 0 || number == 1:
            return .mark(number == 1)
        case (.null, _): text = ""
        case (.text(let whole), _) where whole.utf8.count <= bytesPerText: text = whole
        case (.real(let number), _): text = "\(number)"
        case (.integer, _):
            text = CellText.stored(seen ?? .null, in: description, glyphs: glyphs).text
        case (.text, _), (.malformedText, _), (.cutText, _), (.blob, _):
            return .fixed(CellText.stored(seen ?? .null, in: description, glyphs: glyphs).text)
        }
        return .text(TextField(text: text, limit: bytesPerText))
    }

    // MARK: What stands here

    /// True if the person has made something else of it.
    var isChanged: Bool {
        switch (entry, Self.entry(of: seen, in: description, glyphs)) {
        // Two spellings of one text are two texts.
        case (.text(let now), .text(let before)):
            !now.text.utf8.elementsEqual(before.text.utf8)
        case (.mark(let now), .mark(let before)): now != before
        case (.fixed, .fixed): false
        case (.text, _), (.mark, _), (.fixed, _): true
        }
    }

    /// The cell to store.
    func cell() throws(TypingError) -> Cell {
        guard isChanged else { return seen ?? .null }
        let cell = try typedCell()
        if let rule = description.rules.broken(by: cell) { throw TypingError(message: rule) }
        return cell
    }

    private func typedCell() throws(TypingError) -> Cell {
        guard seen?.isCut != true else {
            throw TypingError(message: "what stands there by now is too long to be seen here")
        }
        switch entry {
        case .text(let field):
            let kind = seen == .null ? example : seen ?? example
            return try description.cell(typed: field.text, like: kind)
        case .mark(let isOn?): return .integer(isOn ? 1 : 0)
        case .mark(nil):
            guard !description.isRequired else { throw TypingError(message: "yes or no") }
            return .null
        case .fixed: return seen ?? .null
        }
    }

    /// Looks for a problem in what the person has changed.
    mutating func check() {
        problem = nil
        guard isChanged else { return }
        do throws(TypingError) { _ = try cell() } catch { problem = error.message }
    }

    /// Takes what is stored by now. What the person has made of the field stays.
    mutating func take(_ newer: Cell) {
        let wasChanged = isChanged
        seen = newer
        if !wasChanged { reset() }
    }

    /// Puts a cell here, as if it had been typed.
    mutating func fill(_ cell: Cell) {
        entry = Self.entry(of: cell, in: description, glyphs)
        if case .fixed = entry { reset() }
    }

    /// What the person saw, again.
    mutating func reset() {
        entry = Self.entry(of: seen, in: description, glyphs)
        problem = nil
    }

    // MARK: Keys

    mutating func handle(_ key: Key) {
        if case .character(let character) = key {
            insert(String(character))
        } else if let command = KeyTable.editing[key] {
            edit(command)
        }
    }

    mutating func edit(_ command: EditCommand) {
        switch entry {
        case .text(var field):
            field.edit(command)
            entry = .text(field)
        case .mark:
            switch command {
            case .deleteBackward, .deleteForward, .deleteWord, .deleteAll: entry = .mark(nil)
            case .left, .right, .start, .end: return
            }
        case .fixed: return
        }
        problem = nil
    }

    /// Space: turns a mark round; is a blank in a text.
    mutating func toggle() {
        problem = nil
        switch entry {
        case .mark(let isOn): entry = .mark(isOn != true)
        case .text: insert(" ")
        case .fixed: break
        }
    }

    mutating func insert(_ text: String) {
        guard case .text(var field) = entry else { return }
        field.insert(text)
        entry = .text(field)
        problem = nil
    }
}
