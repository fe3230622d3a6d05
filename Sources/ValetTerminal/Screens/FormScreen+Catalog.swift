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
        let numbers = Dictionary(
            newer.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: min)
        func number(_ column: Int) -> Int? {
            list.columns.indices.contains(column) ? numbers[list.columns[column].name] : nil
        }
        var form = self
        form.list = newer
        form.fields = []
        for var field in fields {
            if let column = number(field.column) {
                field.move(to: column, newer.columns[column])
                form.fields.append(field)
            } else if field.isChanged, case .text(let text) = field.entry {
                form.lost.append("\(field.description.label) “\(text.text)”")
            }
        }
        form.row = [:]
        for (column, cell) in row {
            if let moved = number(column) { form.row[moved] = cell }
        }
        form.selected = min(selected, max(form.fields.count - 1, 0))
        if rowID != nil, newer.rowIDs < .row {
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
            detail.cells.indices.contains(column) && detail.cells[column] == cell
        }
    }
}
