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

    var list: ListDescription
    let glyphs: Glyphs
    private(set) var purpose: Purpose
    /// What names the row to a person; empty for a new one.
    private(set) var title: String
    var fields: [FormField]
    var selected = 0
    /// The row is being read; nothing can be typed yet.
    var isReading: Bool
    /// The revision at which the row was read; it is read again behind what is typed.
    private var revision: UInt64 = 0
    private var rereading = Rereading()
    /// Titles of other lists' rows.
    var linked = LinkedRows()
    /// The row was here, and is not any more.
    private var isGone = false
    /// The row's id may be another's by now: the row is known by what was seen in it.
    var isRowInDoubt = false
    /// What was typed into columns that are gone by now.
    var lost: [String] = []
    /// The number under which it was not taken.
    var rejection: Int?
    /// At the last key.
    var clock = PersonClock()
    /// The row's cells in table order, as far as they are known.
    var row: [Int: Cell]

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
        self.row = row
        isReading = purpose != .add
        let beyond = purpose == .add ? list.requiredBeyondDetail : []
        let columns = (list.shownColumns + beyond).filter { list.columns[$0].isEditable }
        fields = columns.map { column in
            FormField(
                column: column, list.columns[column], seen: row[column], example: examples[column],
                glyphs: glyphs)
        }
        chooseEditors()
        if !isReading { selectText() }
    }

    /// Editors that depend on a cell of the row follow it.
    mutating func chooseEditors() {
        for place in fields.indices {
            let editor = list.columns[fields[place].column].editor
            guard case .perRow(let column, _) = editor else { continue }
            let kind = fields.first { $0.column == column }.flatMap { try? $0.cell() }
            fields[place].use(editor.editor(ofKind: kind ?? row[column]))
        }
    }

    /// The caret is in the selected field: its value is replaced by what is typed.
    private mutating func selectText() {
        if fields.indices.contains(selected) { fields[selected].selectAll() }
    }

    /// The caret begins in the field of a column, or of the key whose title that is.
    mutating func begin(at column: Int) {
        let key = list.columns[checked: column]?.keyColumn ?? column
        selected = fields.firstIndex { $0.column == key } ?? selected
    }

    /// Changes the field of a column, if there is one.
    private mutating func change(column: Int?, _ change: (inout FormField) -> Void) {
        guard let place = fields.firstIndex(where: { $0.column == column }) else { return }
        change(&fields[place])
    }

    var rowID: Int64? { if case .edit(let rowID) = purpose { rowID } else { nil } }

    /// Whether both edit one row, or make the same new one.
    func isSameEdit(as other: FormScreen) -> Bool {
        guard list.name == other.list.name, rowID == other.rowID else { return false }
        return rowID != nil || rejection != nil && rejection == other.rejection
    }

    /// What the person saw in a column; nil if it was not read.
    func seen(_ column: Int) -> Cell? {
        fields.first { $0.column == column }.map { $0.seen } ?? row[column]
    }

    var changeCount: Int { fields.count { $0.isChanged } }

    // MARK: The row

    /// Takes the row as it is stored; what was changed before stays changed.
    mutating func take(_ detail: RowDetail) {
        guard detail.id == rowID else { return }
        rereading.ended()
        // Of two answers the older one may come last.
        guard isReading || detail.revision >= revision else { return }
        (isRowInDoubt, isGone) = (false, false)
        row = Dictionary(uniqueKeysWithValues: zip(detail.cells.indices, detail.cells))
        revision = detail.revision
        guard isReading else { return learn(detail) }
        isReading = false
        defer {
            chooseEditors()
            // The next key must not take the place of what was typed before.
            if fields[checked: selected]?.isChanged == false { selectText() }
        }
        for place in fields.indices {
            // A changed field keeps the value that it was typed over: a newer one was never shown,
            // so it must be a conflict. Of one that was not kept, what is stored is all we know.
            if fields[place].isChanged, fields[place].seen != nil { continue }
            fields[place].take(detail.cells[checked: fields[place].column] ?? .null)
        }
    }

    /// Somebody has changed the row since it was read.
    private mutating func learn(_ detail: RowDetail) {
        for place in fields.indices {
            if let cell = detail.cells[checked: fields[place].column] { fields[place].learn(cell) }
        }
        chooseEditors()
    }

    /// The row can't be read again.
    mutating func failedAgain(_ error: ValetError) {
        rereading.ended()
        isGone = error.code == .unknownRow
    }

    /// The server's revisions may be others after it.
    mutating func disconnected() { (revision, rereading) = (0, Rereading()) }

    /// Whether to read the row again, since the list shows this revision.
    mutating func reads(for revision: UInt64) -> Bool {
        guard !isReading, rowID != nil else { return false }
        return rereading.begins(for: revision, above: self.revision)
    }

    /// What others do to the row, in words.
    /// - Parameter editors: who else edits it.
    func othersText(editors: [String]) -> String {
        var parts: [String] = []
        if let first = editors.first {
            let more = editors.count > 1 ? " and \(editors.count - 1) more" : ""
            parts.append("\(glyphs.live)\(first)\(more) editing this row, too")
        }
        if isGone { parts.append("! somebody has deleted this row") }
        if !lost.isEmpty { parts.append("! gone: \(lost.joined(separator: ", "))") }
        let newer = fields.filter { $0.newer != nil }.map(\.description.label)
        if !newer.isEmpty { parts.append("~ saved meanwhile: \(newer.joined(separator: ", "))") }
        return parts.joined(separator: "   ")
    }

    /// Reads the row again before more is typed.
    mutating func readAgain() { isReading = purpose != .add }

    /// What was an edit of a row that is gone becomes a new row.
    mutating func becomeNewRow() {
        let beyond = list.requiredBeyondDetail.map { column in
            FormField(
                column: column, list.columns[column], seen: row[column], example: nil,
                glyphs: glyphs)
        }
        fields += beyond.filter(\.description.isEditable)
        let cells = fields.map { try? $0.cell() }
        purpose = .add
        title = ""
        (isReading, isRowInDoubt, isGone) = (false, false, false)
        row = [:]
        for (place, cell) in cells.enumerated() {
            let old = fields[place]
            fields[place] = FormField(
                column: old.column, old.description, seen: nil, example: old.seen, glyphs: glyphs)
            if let cell { fields[place].fill(cell) }
        }
    }

    /// Somebody else's cell was seen beside what the person has made of it.
    mutating func see(_ theirs: ColumnValue) {
        change(column: theirs.column) { $0.take(theirs.value) }
    }

    /// The form without what somebody else has stored just as this person typed it.
    func without(alreadySo conflicts: [Conflict]) -> FormScreen {
        var form = self
        for conflict in conflicts {
            // The conflict's own value may be cut.
            guard case .alreadySo(let cell) = conflict.theirs, let stored = cells[cell.column]
            else { continue }
            form.see(ColumnValue(column: cell.column, value: stored))
            form.drop(column: cell.column)
        }
        return form
    }

    /// Leaves out what the person has made of a column.
    mutating func drop(column: Int) { change(column: column) { $0.reset() } }

    // MARK: Saving

    /// The change to send; nil if a field has a problem, where the caret is then.
    mutating func change() -> Change? {
        for place in fields.indices { fields[place].check(at: clock) }
        if let first = fields.firstIndex(where: { $0.problem != nil }) {
            selected = first
            selectText()
            return nil
        }
        // A change has its columns in the order of the table, whatever that of the fields is.
        let changed = fields.filter { $0.isChanged }.sorted { $0.column < $1.column }
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
        fields.filter(\.isChanged).reduce(into: [:]) { $0[$1.column] = try? $1.cell() }
    }

    /// The whole row as it will be, as far as it is known.
    var rowAsSaved: [Int: Cell] { row.merging(cells) { $1 } }

    /// The server's objections, with the caret on the first.
    mutating func show(_ refusals: [Refusal]) {
        for refusal in refusals {
            let problem = glyphs.plain(refusal.message)
            change(column: refusal.column) { $0.problem = problem }
        }
        if let first = fields.firstIndex(where: { $0.problem != nil }) { selected = first }
    }

    // MARK: Keys

    /// Goes to another field, and checks the one that is left.
    /// - Returns: what to say about it.
    mutating func move(_ motion: Motion, size: Size) -> String? {
        let page = max(ListGeometry.body(size).count - 2, 1)
        return select(motion.place(from: selected, of: fields.count, page: page))
    }

    mutating func select(_ place: Int) -> String? {
        guard fields.indices.contains(place), fields.indices.contains(selected) else { return nil }
        guard place != selected, !isReading else {
            selected = place
            return nil
        }
        let note = fields[selected].leave()
        fields[selected].check(at: clock)
        selected = place
        selectText()
        return note
    }

    /// Changes the selected field, once it is here.
    private mutating func change(_ change: (inout FormField) -> Void) {
        guard !isReading, fields.indices.contains(selected) else { return }
        change(&fields[selected])
        chooseEditors()
    }

    mutating func handle(_ key: Key) { change { $0.handle(key) } }

    mutating func edit(_ command: EditCommand) { change { $0.edit(command) } }

    mutating func toggle() { change { $0.toggle() } }

    mutating func paste(_ text: String) { change { $0.insert(text) } }

    // MARK: Pickers

    /// An id that is being typed stands for itself.
    func isTyped(_ place: Int) -> Bool { place == selected && !fields[place].isSelected }

    var linkedRows: Set<LinkedRow> {
        guard !isReading else { return [] }
        return Set(
            fields.indices.compactMap { place in
                guard !isTyped(place), let cell = try? fields[place].cell() else { return nil }
                return fields[place].description.linkedRow(of: cell)
            })
    }

    /// False where Space is a blank in a text: something has been typed.
    var opensWithSpace: Bool { pastedField.map { $0.text.isEmpty || $0.isSelected } ?? true }

    /// A click puts the caret into the text.
    mutating func deselect() { change { _ = $0.leave() } }

    mutating func pick(_ picked: PickedValue) {
        change { field in
            switch picked {
            case .cell(let cell): field.fill(cell)
            case .rowID(let rowID):
                field.fill(field.description.type == .text ? .text("\(rowID)") : .integer(rowID))
            case .typed(let text): field.fill(typed: text)
            case .columns: return
            }
            field.selectAll()
        }
        guard case .columns(let values) = picked else { return }
        for value in values { change(column: value.column) { $0.fill(value.value) } }
        chooseEditors()
        selectText()
    }
}
