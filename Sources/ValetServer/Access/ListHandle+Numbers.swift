import ValetModel
import ValetStore

/// Columns between the table, which has all of them, and a client that may not see some.
extension ListHandle {
    /// The client's number of a column of the table; nil if it does not exist there.
    func shown(_ column: Int) -> Int? { shown.map { $0.firstIndex(of: column) } ?? column }

    func shown(_ columns: [Int]) -> [Int] {
        shown == nil ? columns : columns.compactMap { shown($0) }
    }

    /// The cells of a whole row.
    func shown(_ cells: [Cell]) -> [Cell] {
        shown.map { columns in columns.filter(cells.indices.contains).map { cells[$0] } } ?? cells
    }

    func shown(_ changes: [LoggedChange]) -> [LoggedChange] {
        guard shown != nil else { return changes }
        return changes.map { change in
            var change = change
            let cells = change.effect?.cells ?? []
            change.effect?.cells = cells.compactMap { cell in
                guard let column = shown(cell.column) else { return nil }
                var cell = cell
                cell.column = column
                return cell
            }
            return change
        }
    }

    func shown(_ outcome: Outcome) -> Outcome {
        guard shown != nil else { return outcome }
        var outcome = outcome
        switch outcome.verdict {
        case .applied: break
        case .conflict(let conflicts): outcome.verdict = .conflict(shown(conflicts))
        case .appliedButFor(let rowIDs, let rest):
            outcome.verdict = .appliedButFor(rowIDs: rowIDs, shown(rest))
        case .refused(let refusals): outcome.verdict = .refused(refusals.map(shown))
        }
        return outcome
    }

    private func shown(_ conflict: Conflict) -> Conflict {
        var conflict = conflict
        switch conflict.theirs {
        case .cell(let value):
            conflict.theirs = shown(value).map { .cell($0) } ?? .rowChanged
        case .alreadySo(let value):
            conflict.theirs = shown(value).map { .alreadySo($0) } ?? .rowChanged
        case .rowChanged, .rowDeleted: break
        }
        // Who changed what is hidden is not said, nor what it was.
        if case .rowChanged = conflict.theirs {
            (conflict.station, conflict.time, conflict.restored) = ("", 0, nil)
        }
        return conflict
    }

    /// Each row once, whatever is hidden of it.
    private func shown(_ conflicts: [Conflict]) -> [Conflict] {
        var seen: Set<Conflict> = []
        return conflicts.map(shown).filter { seen.insert($0).inserted }
    }

    private func shown(_ value: ColumnValue) -> ColumnValue? {
        shown(value.column).map { ColumnValue(column: $0, value: value.value) }
    }

    private func shown(_ refusal: Refusal) -> Refusal {
        var refusal = refusal
        guard let column = refusal.column else { return refusal }
        refusal.column = shown(column)
        if refusal.column == nil { refusal.message = AllowedList.refusal }
        return refusal
    }

    /// A client's change with the table's columns.
    func stored(_ change: Change) throws(ValetError) -> Change {
        guard shown != nil else { return change }
        switch change {
        case .insert(let rows):
            return .insert(
                try rows.map { (row) throws(ValetError) in try row.map(stored) })
        case .update(let edits):
            return .update(
                try edits.map { (edit) throws(ValetError) in
                    var edit = edit
                    edit.cells = try edit.cells.map { (cell) throws(ValetError) in
                        var cell = cell
                        cell.column = try stored(cell.column)
                        return cell
                    }
                    return edit
                })
        case .updateMatching(let query, let values):
            return .updateMatching(query, try values.map(stored))
        case .delete, .deleteMatching, .move, .undo, .redo, .skipUndo, .forceUndo: return change
        }
    }

    private func stored(_ value: ColumnValue) throws(ValetError) -> ColumnValue {
        ColumnValue(column: try stored(value.column), value: value.value)
    }

    private func stored(_ column: Int) throws(ValetError) -> Int {
        guard let shown else { return column }
        guard shown.indices.contains(column) else {
            throw ValetError(.unknownColumn, "there is no column \(column)")
        }
        return shown[column]
    }
}

extension Outcome {
    /// What became of the command, and nothing about columns.
    var withoutColumns: Outcome {
        var outcome = self
        func bare(_ conflicts: [Conflict]) -> [Conflict] {
            Set(conflicts.map(\.rowID)).sorted().map {
                Conflict(rowID: $0, theirs: .rowChanged, station: "", time: 0)
            }
        }
        switch verdict {
        case .applied: break
        case .conflict(let conflicts): outcome.verdict = .conflict(bare(conflicts))
        case .appliedButFor(let rowIDs, let rest):
            outcome.verdict = .appliedButFor(rowIDs: rowIDs, bare(rest))
        case .refused(let refusals):
            outcome.verdict = .refused(
                refusals.map { Refusal(row: $0.row, column: nil, message: AllowedList.refusal) })
        }
        return outcome
    }
}
