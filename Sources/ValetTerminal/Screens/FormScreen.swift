import ValetClient
import ValetModel

/// A row in the making: one field for each column that can be edited.
///
/// A row that is edited is read first, whole, so that each cell is sent with the value that the
/// person saw. Fields are checked on leaving them, and all of them before saving.
struct FormScreen: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case add
        case edit(rowID: Int64)
    }

    let list: ListDescription
    let glyphs: Glyphs
    private(set) var purpose: Purpose
    /// What names the row to a person; empty for a new one.
    private(set) var title: String
    var fields: [FormField]
    var selected = 0
    /// The row is being read; nothing can be typed yet.
    private(set) var isReading: Bool

    /// - Parameters:
    ///   - row: cells of the row by column, as far as they are here.
    ///   - examples: a cell for each column that has one, from any row.
    init(
        _ purpose: Purpose, of list: ListDescription, title: String = "", row: [Int: Cell] = [:],
        examples: [Int: Cell] = [:], glyphs: Glyphs
    ) {
        self.list = list
        self.glyphs = glyphs
        self.purpose = purpose
        self.title = title
        isReading = purpose != .add
        fields = list.columns.enumerated().filter(\.element.isEditable).map { column, description in
            FormField(
                column: column, description, seen: row[column], example: examples[column],
                glyphs: glyphs)
        }
    }

    var rowID: Int64? {
        switch purpose {
        case .edit(let rowID): rowID
        case .add: nil
        }
    }

    var changeCount: Int { fields.count { $0.isChanged } }

    // MARK: The row

    /// Takes the row as it is stored; what was changed before stays changed.
    mutating func take(_ detail: RowDetail) {
        guard isReading, detail.id == rowID else { return }
        isReading = false
        for place in fields.indices {
            // A changed field keeps the value that it was typed over: a newer one was never shown,
            // so it must be a conflict.
            if fields[place].isChanged { continue }
            let column = fields[place].column
            fields[place].take(detail.cells.indices.contains(column) ? detail.cells[column] : .null)
        }
    }

    /// Reads the row again before more is typed.
    mutating func readAgain() {
        isReading = purpose != .add
    }

    /// What was an edit of a row that is gone becomes a new row.
    mutating func becomeNewRow() {
        let cells = fields.map { try? $0.cell() }
        purpose = .add
        title = ""
        isReading = false
        for (place, cell) in cells.enumerated() {
            let old = fields[place]
            fields[place] = FormField(
                column: old.column, old.description, seen: nil, example: old.seen, glyphs: glyphs)
            if let cell { fields[place].fill(cell) }
        }
    }

    /// Somebody else's cell was seen beside what the person has made of it.
    mutating func see(_ theirs: ColumnValue) {
        guard let place = fields.firstIndex(where: { $0.column == theirs.column }) else { return }
        fields[place].take(theirs.value)
    }

    /// Leaves out what the person has made of a column.
    mutating func drop(column: Int) {
        guard let place = fields.firstIndex(where: { $0.column == column }) else { return }
        fields[place].reset()
    }

    // MARK: Saving

    /// The change to send; nil if a field has a problem, where the caret is then.
    mutating func change() -> Change? {
        for place in fields.indices { fields[place].check() }
        if let first = fields.firstIndex(where: { $0.problem != nil }) {
            selected = first
            return nil
        }
        let changed = fields.filter { $0.isChanged }
        switch purpose {
        case .add:
            return .insert([
                changed.compactMap { field in
                    (try? field.cell()).map { ColumnValue(column: field.column, value: $0) }
                }
            ])
        case .edit(let rowID):
            let cells = changed.compactMap { field -> CellEdit? in
                guard let cell = try? field.cell(), let seen = field.seen,
                    let seenValue = SeenValue(seen), cell != seen
                else { return nil }
                return CellEdit(column: field.column, value: cell, seen: seenValue)
            }
            return .update([RowEdit(rowID: rowID, cells: cells)])
        }
    }

    /// The cells that the row will have, as far as they are changed.
    var cells: [Int: Cell] {
        var cells: [Int: Cell] = [:]
        for field in fields where field.isChanged {
            if let cell = try? field.cell() { cells[field.column] = cell }
        }
        return cells
    }

    /// The server's objections, with the caret on the first.
    mutating func show(_ refusals: [Refusal]) {
        for refusal in refusals {
            guard let place = fields.firstIndex(where: { $0.column == refusal.column }) else {
                continue
            }
            fields[place].problem = refusal.message
        }
        if let first = fields.firstIndex(where: { $0.problem != nil }) { selected = first }
    }

    // MARK: Keys

    /// Goes to another field, and checks the one that is left.
    mutating func move(_ motion: Motion, size: Size) {
        guard fields.indices.contains(selected) else { return }
        if !isReading { fields[selected].check() }
        selected = motion.place(
            from: selected, of: fields.count, page: max(bodyRows(size).count - 2, 1))
    }

    mutating func select(_ place: Int) {
        guard fields.indices.contains(place), fields.indices.contains(selected) else { return }
        if place != selected, !isReading { fields[selected].check() }
        selected = place
    }

    mutating func handle(_ key: Key) {
        guard !isReading, fields.indices.contains(selected) else { return }
        fields[selected].handle(key)
    }

    mutating func edit(_ command: EditCommand) {
        guard !isReading, fields.indices.contains(selected) else { return }
        fields[selected].edit(command)
    }

    /// The choices of the selected field; nil if its value is typed.
    var picker: Palette? {
        guard !isReading, fields.indices.contains(selected) else { return nil }
        let column = fields[selected].description
        guard !column.rules.choices.isEmpty else { return nil }
        let none = column.isRequired ? [] : [Cell.null]
        return Palette(
            title: column.label,
            items: (column.rules.choices + none).map { cell in
                let text = CellText.stored(cell, in: column, glyphs: glyphs).text
                return Palette.Item(keys: "", title: text, choice: .pick(cell))
            })
    }

    mutating func pick(_ cell: Cell) {
        guard !isReading, fields.indices.contains(selected) else { return }
        fields[selected].fill(cell)
        fields[selected].problem = nil
    }

    mutating func toggle() {
        guard !isReading, fields.indices.contains(selected) else { return }
        fields[selected].toggle()
    }

    mutating func paste(_ text: String) {
        guard !isReading, fields.indices.contains(selected) else { return }
        fields[selected].insert(text)
    }
}
