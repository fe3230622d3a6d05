import ValetClient
import ValetModel

/// A form outlives the catalog that it was opened with.
extension FormScreen {
    /// The form in a newer catalog: fields go by the names of their columns, and what was typed
    /// into one that is gone is shown once more. A row whose id may be another's is read again
    /// before anything is saved.
    func adopted(by lists: [ListDescription]) -> FormScreen {
        guard let newer = lists.first(where: { $0.name == list.name }), newer.epoch != list.epoch
        else { return self }
        let numbers = list.columnNumbers(in: newer)
        var form = self
        form.list = newer
        form.fields = []
        for var field in fields {
            if let column = numbers[field.column] {
                field.move(to: column, newer.columns[column])
                form.fields.append(field)
            } else if field.isChanged, case .text(let text) = field.entry {
                form.lost.append("\(field.description.label) “\(text.text)”")
            }
        }
        form.row = [:]
        for (column, cell) in row {
            if let moved = numbers[column] { form.row[moved] = cell }
        }
        form.selected = min(selected, max(form.fields.count - 1, 0))
        let isSameRow = newer.rowIDs == .epoch && newer.goesOn(since: list.epoch)
        if rowID != nil, newer.rowIDs < .row, !isSameRow {
            form.isRowInDoubt = true
            form.isReading = true
        }
        form.chooseEditors()
        return form
    }

    /// Whether a row that was read is the one that the person has seen. If its id may be another's,
    /// all that was seen must be in it.
    func isSameRow(as detail: RowDetail) -> Bool {
        guard isRowInDoubt, detail.id == rowID else { return true }
        return row.allSatisfy { column, cell in
            // What was seen in the list is cut sooner.
            detail.cells[checked: column]?.mayBe(cell) ?? false
        }
    }
}

extension ConflictDialog {
    /// The dialog in a newer catalog; nil if all the columns that both have changed are gone. What
    /// is stored is read again.
    func adopted(by lists: [ListDescription]) -> ConflictDialog? {
        guard let newer = lists.first(where: { $0.name == form.list.name }),
            newer.epoch != form.list.epoch
        else { return self }
        let numbers = form.list.columnNumbers(in: newer)
        let moved = conflicts.compactMap { $0.moved(numbers) }
        guard !moved.isEmpty else { return nil }
        var dialog = ConflictDialog(form: form.adopted(by: lists), conflicts: moved, zone: zone)
        for (column, pick) in picks {
            if let number = numbers[column] { dialog.pick(pick, column: number) }
        }
        let chosen = cells[checked: selected].flatMap { numbers[$0.column] }
        dialog.select(dialog.cells.firstIndex { $0.column == chosen } ?? 0)
        return dialog
    }
}

extension Conflict {
    /// The conflict by the numbers of a newer catalog; nil if its column is gone.
    func moved(_ numbers: [Int: Int]) -> Conflict? {
        var conflict = self
        switch theirs {
        case .cell(let cell), .alreadySo(let cell):
            guard let column = numbers[cell.column] else { return nil }
            let moved = ColumnValue(column: column, value: cell.value)
            conflict.theirs = isAlreadySo ? .alreadySo(moved) : .cell(moved)
        case .rowChanged, .rowDeleted: break
        }
        return conflict
    }

    var isAlreadySo: Bool { if case .alreadySo = theirs { true } else { false } }
}
