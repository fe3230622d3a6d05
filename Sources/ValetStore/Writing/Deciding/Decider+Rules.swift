import ValetModel

extension Decider {
    /// What is wrong with a command's form, or beyond a limit: no outcome, so the command gets no
    /// revision.
    func formError(of sent: SentCommand) -> ValetError? {
        let command = sent.command
        guard let list = listNumber(command.list) else {
            return ValetError(
                .unknownList, "no list is called “\(command.list)”",
                alternatives: Array(
                    database.catalog.lists.map(\.name).prefix(Limits.alternativesPerError)))
        }
        guard editedTable(of: list, for: sent) != nil else { return Self.readOnly(command.list) }
        let description = description(of: list, for: sent)
        if !sent.isRefresh, let error = description.error(ofKind: command.change) { return error }
        let columns = description.columns.count
        switch command.change {
        case .insert(let rows):
            return rowError(rows.count) ?? Self.error(of: rows, columns)
        case .update(let edits):
            return rowError(edits.count)
                ?? Self.error(of: edits.lazy.map(\.values), columns)
        case .delete(let deletions): return rowError(deletions.count)
        case .move(let rowIDs, let destination):
            return rowError(rowIDs.count)
                ?? description.error(of: destination)
        case .updateMatching(_, let values): return Self.error(of: [values], columns)
        case .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: return nil
        }
    }

    private func rowError(_ count: Int) -> ValetError? {
        guard count > Limits.rowsPerCommand else { return nil }
        return .limit("rowsPerCommand", is: Limits.rowsPerCommand, asked: count)
    }

    /// - Parameter rows: the values of each row.
    private static func error(
        of rows: some Sequence<[ColumnValue]>, _ columnCount: Int
    ) -> ValetError? {
        for values in rows {
            if let error = error(ofRow: values, columnCount) { return error }
        }
        return nil
    }

    private static func error(ofRow values: [ColumnValue], _ columnCount: Int) -> ValetError? {
        var columns: Set<Int> = []
        for value in values {
            guard 0..<columnCount ~= value.column else {
                return ValetError(.unknownColumn, "there is no column \(value.column)")
            }
            guard columns.insert(value.column).inserted else {
                return ValetError(.unexpected, "column \(value.column) is set twice in one row")
            }
            if value.value.isCut {
                return ValetError(.unexpected, "column \(value.column) is set to a part of a value")
            }
            guard value.value.heldByteCount <= Limits.bytesPerEditedValue else {
                return .limit(
                    "bytesPerEditedValue", is: Limits.bytesPerEditedValue,
                    asked: value.value.heldByteCount)
            }
        }
        return nil
    }

    /// Throws if a value does not fit its column.
    ///
    /// - Parameter rows: the values of each row of the command.
    func checkRules(
        _ rows: [[ColumnValue]], areNew: Bool = false, in place: ChangedList
    ) throws(CommandStop) {
        let table = tables[place.table]
        var refusals: [Refusal] = []
        for (number, values) in rows.enumerated() {
            for value in values {
                let reason = place.allowed?.reason(notToSet: value, isNew: areNew)
                let rule = try storage(rule(brokenBy: value, in: place.list, table))
                guard let message = reason ?? rule else { continue }
                refusals.append(Refusal(row: number, column: value.column, message: message))
                if refusals.count == Limits.problemsPerOutcome { try stop(for: refusals) }
            }
        }
        try stop(for: refusals)
    }

    /// The first rule that a value breaks, as a sentence.
    private func rule(
        brokenBy value: ColumnValue, in list: ListDescription, _ table: EditedTable
    ) throws(ValetError) -> String? {
        let column = list.columns[value.column]
        let label = column.label
        guard table.stored.isSettable(value.column) else {
            // A new row may leave it to the table.
            if value.value == .null, value.column == table.stored.rowIDColumn { return nil }
            return value.column == table.stored.rowIDColumn
                ? "“\(label)” identifies the row and can't be set"
                : "“\(label)” is computed and can't be set"
        }
        guard column.type.takes(value.value) else {
            return "“\(label)” takes \(column.type.values)"
        }
        if let other = try other(than: value.value, column: value.column, of: table) {
            return "“\(label)” would store it as \(other)"
        }
        if column.isRequired, value.value == .null { return "“\(label)” must have a value" }
        return column.rule(brokenBy: value.value).map { "“\(label)” must be \($0)" }
    }

    /// Throws if a new row lacks a value that only the catalog requires, or would not be in the
    /// list. It is checked after the insertion, because of the table's defaults and triggers.
    func checkNew(_ rowID: Int64, row: Int, in place: ChangedList) throws(CommandStop) {
        let table = tables[place.table]
        let required = table.stored.columns.indices.filter {
            place.list.columns[$0].isRequired && !table.stored.columns[$0].isRequired
                && $0 != table.stored.rowIDColumn
        }
        if required.isEmpty, place.listed == nil { return }
        guard let cells = try storage(table.row(rowID, mostBytes: 0)) else { return }
        let missing = required.filter { cells[$0] == .null }.map { column in
            let label = place.list.columns[column].label
            return Refusal(row: row, column: column, message: "“\(label)” must have a value")
        }
        try stop(for: missing)
        if place.has(cells) { return }
        throw .refused(
            "“\(place.list.title)” has only rows that meet its conditions, and this one would not",
            row: row)
    }
}

extension Decider {
    /// Refuses to take a row out of the station's sight: what one may not see, one may not make.
    ///
    /// - Parameter row: its place in the command.
    func checkSight(of rowID: Int64, row: Int, in place: ChangedList) throws(CommandStop) {
        guard let sight = place.allowed?.sight,
            let cells = try storage(tables[place.table].row(rowID)), !sight.contains(cells)
        else { return }
        throw .refused("this station may not give the row such values", row: row)
    }
}

extension ChangedList {
    /// Notes a row that can only be read.
    ///
    /// - Parameter row: its place in the command.
    func check(_ cells: [Cell], row: Int, _ refusals: inout [Refusal]) {
        guard list.rowRules.isReadOnly(cells), refusals.count < Limits.problemsPerOutcome else {
            return
        }
        refusals.append(Refusal(row: row, column: nil, message: "this row is read-only"))
    }
}

extension ListDescription {
    /// Undo takes back whatever was done.
    fileprivate func error(ofKind change: Change) -> ValetError? {
        let (isAllowed, verb) =
            switch change {
            case .insert: (rowRules.allowsAdding, "added")
            case .delete, .deleteMatching: (rowRules.allowsDeleting, "deleted")
            case .move: (rowRules.allowsMoving, "moved")
            case .update, .updateMatching, .undo, .redo, .skipUndo, .forceUndo: (true, "")
            }
        return isAllowed
            ? nil : ValetError(.notAllowed, "rows of “\(title)” can't be \(verb)")
    }

    fileprivate func error(of destination: MoveDestination) -> ValetError? {
        guard let name = destination.neighbour?.joining,
            NameLookup.index(of: name, in: groupings, by: \.name) == nil
        else { return nil }
        return ValetError(
            .unknownGrouping, "“\(self.name)” has no grouping “\(name)”",
            alternatives: Array(groupings.map(\.name).prefix(Limits.alternativesPerError)))
    }
}

extension ColumnType {
    /// NULL fits everywhere: the table says where a value is needed.
    fileprivate func takes(_ cell: Cell) -> Bool {
        switch (self, cell) {
        case (_, .null), (.blob, _): true
        case (.text, .text), (.integer, .integer), (.real, .real), (.real, .integer): true
        case (.boolean, .integer(let number)): number == 0 || number == 1
        case (.date, .integer): true
        case (.date, .real(let seconds)): CivilTime(secondsSince1970: seconds) != nil
        case (.date, .text(var text)):
            text.withUTF8 { CivilTime(iso8601: UnsafeRawBufferPointer($0)) } != nil
        case (.text, _), (.integer, _), (.real, _), (.boolean, _), (.date, _): false
        }
    }

    fileprivate var values: String {
        switch self {
        case .text: "text"
        case .integer: "whole numbers"
        case .real: "numbers"
        case .date: "dates, such as 2026-01-31 or 2026-01-31 08:00"
        case .boolean: "yes or no, as 1 or 0"
        case .blob: "anything"
        }
    }
}
