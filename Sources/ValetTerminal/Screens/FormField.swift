import ValetModel

/// One column in a form: what the person saw there, and what stands there now.
struct FormField: Hashable, Sendable {
    enum Entry: Hashable, Sendable {
        case text(TextField)
        /// Yes or no; nil for none.
        case check(Bool?)
        /// A value that no line of text can stand for: it can be seen here, and stays as it is.
        case fixed(String)
    }

    /// Bytes that a text may have here: as many as a row's detail carries of one.
    static let bytesPerText = Limits.bytesPerDetailCell

    private(set) var column: Int
    /// With the editor that holds for this row.
    private(set) var description: ColumnDescription
    private let glyphs: Glyphs
    /// What the person saw; nil in a new row.
    private(set) var seen: Cell?
    /// Another cell of the column, for the form in which it stores dates.
    private let example: Cell?
    private(set) var entry: Entry
    /// The picked cell of a date: its text alone may not say which moment it was.
    private var filled: Cell?
    /// ^U was pressed: an empty field without it keeps what stood there.
    private var isCleared = false
    /// Why what stands here can't be stored.
    var problem: String?
    /// What somebody else has stored since the row was read.
    private(set) var newer: Cell?

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
        let isSwitch = description.isSwitch
        let text: String
        switch seen ?? .null {
        case .null where isSwitch: return .check(nil)
        case .integer(let number) where isSwitch && (number == 0 || number == 1):
            return .check(number == 1)
        case .text(let word) where isSwitch && (word == "yes" || word == "no"):
            return .check(word == "yes")
        case .null: text = ""
        case .text(let whole) where whole.utf8.count <= bytesPerText:
            text = description.zone?.shown(whole) ?? whole
        case .real(let number): text = description.timeText(of: .real(number)) ?? "\(number)"
        case .integer: text = CellText.stored(seen ?? .null, in: description, glyphs: glyphs).text
        case .text, .malformedText, .cutText, .blob:
            return .fixed(CellText.stored(seen ?? .null, in: description, glyphs: glyphs).text)
        }
        return .text(TextField(text: text, limit: bytesPerText))
    }

    /// In a newer catalog the column may have another number, and other rules.
    mutating func move(to column: Int, _ description: ColumnDescription) {
        (self.column, self.description) = (column, description)
    }

    /// The editor by the row's kind. What the person has made of the field stays.
    mutating func use(_ editor: ColumnEditor) {
        guard editor != description.editor else { return }
        let wasChanged = isChanged
        description.editor = editor
        if !wasChanged { reset() }
    }

    // MARK: What stands here

    /// True if the person has made something else of it.
    var isChanged: Bool {
        switch (entry, Self.entry(of: seen, in: description, glyphs)) {
        // An emptied field is no wish for NULL; ^U is.
        case (.text(let now), .text(let before)) where now.text.isEmpty && !before.text.isEmpty:
            isCleared
        // Two spellings of one text are two texts.
        case (.text(let now), .text(let before)): !now.text.utf8.elementsEqual(before.text.utf8)
        case (.check(let now), .check(let before)): now != before
        case (.fixed, .fixed): false
        case (.text, _), (.check, _), (.fixed, _): true
        }
    }

    /// The cell to store.
    func cell() throws(TypingError) -> Cell {
        guard isChanged else { return seen ?? .null }
        let cell = try typedCell()
        if let rule = description.rule(brokenBy: cell) { throw TypingError(message: rule) }
        return cell
    }

    /// A cell in the form in which the column, or else the row, stores its values.
    private var kind: Cell? { seen == .null ? example : seen ?? example }

    /// The cell that stands for what is typed, whether it may be stored or not.
    func typedCell() throws(TypingError) -> Cell {
        guard seen?.isCut != true else {
            throw TypingError(message: "the value is too long to show here")
        }
        if let filled, isAlike(Self.entry(of: filled, in: description, glyphs)) { return filled }
        switch entry {
        case .text(let field): return try description.cell(typed: field.text, like: kind)
        case .check(let isOn?): return description.cell(switched: isOn, like: kind)
        case .check(nil):
            guard !description.isRequired else { throw TypingError(message: "yes or no") }
            return .null
        case .fixed: return seen ?? .null
        }
    }

    /// True if the same text stands here, wherever its caret is.
    private func isAlike(_ other: Entry) -> Bool {
        guard let text, case .text(let before) = other else { return false }
        return text.text.utf8.elementsEqual(before.text.utf8)
    }

    /// Looks for a problem in what the person has changed. A word for a day becomes the day.
    mutating func check(at clock: PersonClock) {
        problem = nil
        guard isChanged else { return }
        if let date = text.flatMap({ description.date(named: $0.text, at: clock, like: kind) }) {
            fill(typed: date)
        }
        do throws(TypingError) { _ = try cell() } catch { problem = error.message }
    }

    /// Takes what is stored by now. What the person has made of the field stays.
    mutating func take(_ newer: Cell) {
        let wasChanged = isChanged
        seen = newer
        self.newer = nil
        if !wasChanged { reset() }
    }

    /// Somebody has stored this meanwhile. A field that the person has changed keeps the value that
    /// it was typed over: a newer one was never shown, so it must be a conflict.
    mutating func learn(_ newer: Cell) {
        guard seen != nil, seen != newer else { return }
        if !isChanged {
            let wasSelected = isSelected
            take(newer)
            if wasSelected { selectAll() }
        }
        self.newer = newer
    }

    /// Puts a cell here, as if it had been typed.
    mutating func fill(_ cell: Cell) {
        entry = Self.entry(of: cell, in: description, glyphs)
        filled = description.type == .date && cell != .null ? cell : nil
        isCleared = cell == .null
        problem = nil
        if case .fixed = entry { reset() }
    }

    /// Puts a text here, as if it had been typed.
    mutating func fill(typed text: String) {
        entry = .text(TextField(text: text, limit: Self.bytesPerText))
        (filled, isCleared, problem) = (nil, false, nil)
    }

    /// What the person saw, again.
    mutating func reset() {
        entry = Self.entry(of: seen, in: description, glyphs)
        (filled, isCleared, problem) = (nil, false, nil)
    }

    /// What a column of dates keeps: days alone, or times, too.
    var storedMoment: Moment? {
        guard description.type == .date else { return nil }
        guard case .text(let text) = kind else { return .dateAndTime }
        return text.utf8.count == 10 ? .date : .dateAndTime
    }

    /// The text that stands here; nil for what is no text.
    private(set) var text: TextField? {
        get { if case .text(let field) = entry { field } else { nil } }
        set { if let newValue { entry = .text(newValue) } }
    }

    /// What stands in a text is replaced by what is typed.
    var isSelected: Bool { text?.isSelected ?? false }

    // MARK: Keys

    /// The caret arrives: what is typed replaces what stands here.
    mutating func selectAll() { text?.selectAll() }

    /// The caret leaves. An emptied field gets its value back.
    /// - Returns: what to say about it.
    mutating func leave() -> String? {
        if text?.text.isEmpty == true, !isChanged {
            reset()
            guard let kept = text?.text, !kept.isEmpty else { return nil }
            return "\(description.label) stays \(glyphs.quoted(kept)): ^U clears it"
        }
        text?.deselect()
        return nil
    }

    mutating func handle(_ key: Key) {
        if case .character(let character) = key {
            insert(String(character))
        } else if let command = KeyTable.editing[key] {
            edit(command)
        }
    }

    mutating func edit(_ command: EditCommand) {
        switch entry {
        case .text:
            text?.edit(command)
            if command == .deleteAll { isCleared = true }
        case .check:
            switch command {
            case .deleteBackward, .deleteForward, .deleteWord, .deleteAll: entry = .check(nil)
            case .left, .right, .start, .end: return
            }
        case .fixed: return
        }
        problem = nil
    }

    /// Space: turns a switch round; is a blank in a text.
    mutating func toggle() {
        problem = nil
        switch entry {
        case .check(let isOn): entry = .check(isOn != true)
        case .text where description.isSwitch: entry = .check(true)
        case .text: insert(" ")
        case .fixed: break
        }
    }

    mutating func insert(_ inserted: String) {
        guard text != nil else { return }
        text?.insert(inserted)
        isCleared = false
        problem = nil
    }
}

extension ColumnDescription {
    /// Yes or no, in a column of any type.
    var isSwitch: Bool { type == .boolean && editor == .automatic || editor == .toggle }
}
