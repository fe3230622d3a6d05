import ValetModel

extension Decider {
    /// Changes the rows that a command is about. The transaction may have ended when this throws.
    ///
    /// - Parameter found: the rows of a command that names none.
    func change(_ sent: SentCommand, onRows found: [Int64]) throws(CommandStop) -> CarriedOut {
        let (carried, place) = try carry(sent, onRows: found)
        for (number, rowID) in carried.rowIDs.enumerated() {
            try checkSight(of: rowID, row: number, in: place)
        }
        return carried
    }

    private func carry(
        _ sent: SentCommand, onRows found: [Int64]
    ) throws(CommandStop) -> (CarriedOut, ChangedList) {
        let name = sent.command.list
        guard let list = listNumber(name), let table = editedTable(of: list, for: sent) else {
            throw .error(Self.readOnly(name))
        }
        let allowed = sent.allowed
        var place = ChangedList(
            list: description(of: list, for: sent), table: table,
            listed: allowed.map(\.rows) ?? database.listedRows[list], allowed: allowed)
        try storage(tables[table].noteHighest())
        // These are for people.
        if sent.isRefresh { place.list.rowRules = .none }
        return (try carry(sent, onRows: found, in: place), place)
    }

    private func carry(
        _ sent: SentCommand, onRows found: [Int64], in place: ChangedList
    ) throws(CommandStop) -> CarriedOut {
        switch sent.command.change {
        case .insert(let rows): return CarriedOut(rowIDs: try insert(rows, in: place))
        case .update(let edits): return CarriedOut(rowIDs: try update(edits, in: place))
        case .delete(let deletions): return CarriedOut(rowIDs: try delete(deletions, in: place))
        case .updateMatching(_, let values):
            let edits = values.map {
                CellEdit(column: $0.column, value: $0.value, seen: .anything)
            }
            return CarriedOut(
                rowIDs: try update(found.map { RowEdit(rowID: $0, cells: edits) }, in: place))
        case .deleteMatching:
            return CarriedOut(rowIDs: try delete(found.map { RowDeletion(rowID: $0) }, in: place))
        case .move(let rowIDs, let destination):
            return CarriedOut(rowIDs: try move(rowIDs, to: destination, in: place))
        case .undo: return try turn(.undo, sent, in: place)
        case .skipUndo(let step):
            return CarriedOut(
                skipped: try steps(to: .undo, named: step, sent, in: place).map(\.place))
        case .forceUndo(let step, let seen):
            return try turn(.undo, forced: step, seen: seen, sent, in: place)
        case .redo: return try turn(.redo, sent, in: place)
        }
    }

    /// The list, as the station may change it.
    func description(of list: Int, for sent: SentCommand) -> ListDescription {
        sent.allowed?.list ?? database.catalog.lists[list]
    }

    func listNumber(_ name: String) -> Int? {
        NameLookup.index(of: name, in: database.catalog.lists, by: \.name)
    }

    /// nil if the command can't change the list.
    func editedTable(of list: Int, for sent: SentCommand) -> Int? {
        guard sent.isRefresh || description(of: list, for: sent).isEditable else { return nil }
        return tableOfList[list]
    }

    static func readOnly(_ list: String) -> ValetError {
        ValetError(.readOnly, "“\(list)” is read-only")
    }

    private func insert(
        _ rows: [[ColumnValue]], in place: ChangedList
    ) throws(CommandStop) -> [Int64] {
        try checkRules(rows, areNew: true, in: place)
        let table = tables[place.table]
        let position = place.list.positionColumn
        let isWithoutPosition = rows.map { row in !row.contains { $0.column == position } }
        let count = isWithoutPosition.count(where: \.self)
        var positions = try storage(self.positions(ofNewRows: count, in: place))?[...]
        var rowIDs: [Int64] = []
        for (number, values) in rows.enumerated() {
            guard let next = try storage(table.nextRowID()) else {
                throw .refused(
                    "“\(place.list.title)” takes no new rows: it has, or had, a row with the "
                        + "highest id there is, and ids of new rows must be above it")
            }
            // The row id's own column gets it anyway.
            var given = values.filter { $0.column != table.stored.rowIDColumn }
            if let position, isWithoutPosition[number] {
                let value = positions?.popFirst() ?? .null
                given.append(ColumnValue(column: position, value: value))
            }
            recorder.nameNew(RowKey(table: place.table, rowID: next))
            try changing(row: number, in: table, by: table.insert(next, given))
            table.seenIDs.highest = next
            try checkNew(next, row: number, in: place)
            rowIDs.append(next)
        }
        return rowIDs
    }

    private func update(_ edits: [RowEdit], in place: ChangedList) throws(CommandStop) -> [Int64] {
        try checkRules(edits.map(\.values), in: place)
        let table = tables[place.table]
        var conflicts: [Conflict] = []
        var rowIDs: [Int64] = []
        var wanted: [(row: Int, rowID: Int64, values: [ColumnValue])] = []
        var refusals: [Refusal] = []
        for (number, edit) in edits.enumerated() {
            let named = EffectRecorder.NamedColumns.some(Set(edit.cells.map(\.column)))
            guard let current = try row(edit.rowID, naming: named, in: place) else {
                try add(.rowDeleted, edit.rowID, place, to: &conflicts)
                continue
            }
            rowIDs.append(edit.rowID)
            place.check(current, row: number, &refusals)
            var values: [ColumnValue] = []
            for cell in edit.cells {
                let now = ColumnValue(column: cell.column, value: current[cell.column])
                if let theirs = try storage(table.theirs(now, against: cell, row: edit.rowID)) {
                    try add(theirs, edit.rowID, place, to: &conflicts)
                } else if now.value != cell.value {
                    values.append(ColumnValue(column: cell.column, value: cell.value))
                }
            }
            if !values.isEmpty { wanted.append((number, edit.rowID, values)) }
        }
        try stop(for: refusals)
        try stop(for: conflicts)
        for (number, rowID, values) in wanted {
            try changing(row: number, in: table, by: table.update(rowID, values))
        }
        return rowIDs
    }

    private func delete(
        _ deletions: [RowDeletion], in place: ChangedList
    ) throws(CommandStop) -> [Int64] {
        let table = tables[place.table]
        var conflicts: [Conflict] = []
        var rowIDs: [(row: Int, rowID: Int64)] = []
        var refusals: [Refusal] = []
        for (number, deletion) in deletions.enumerated() {
            guard let current = try row(deletion.rowID, naming: .all, in: place) else {
                try add(.rowDeleted, deletion.rowID, place, since: deletion.seen, to: &conflicts)
                continue
            }
            if let seen = deletion.seen {
                let change = try storage(log.lastChange(of: deletion.rowID, in: table.stored.name))
                let isKept = try storage(log.isKept(since: seen, in: table.stored.name))
                // Another program may have changed any row.
                if max(change, changedByOthers) > seen || !isKept {
                    try add(.rowChanged, deletion.rowID, place, since: seen, to: &conflicts)
                }
            }
            rowIDs.append((number, deletion.rowID))
            place.check(current, row: number, &refusals)
        }
        try stop(for: refusals)
        try stop(for: conflicts)
        recorder.isDeleting = true
        defer { recorder.isDeleting = false }
        for (number, rowID) in rowIDs {
            try changing(row: number, in: table, deleting: rowID, by: table.delete(rowID))
        }
        return rowIDs.map(\.rowID)
    }
}

/// What a command has done to rows.
struct CarriedOut {
    var rowIDs: [Int64] = []
    /// The steps that an undo or redo has taken, by place.
    var turned: [Int64] = []
    /// The steps that undo leaves out from now on.
    var skipped: [Int64] = []
    /// What undo or redo could not make what it was.
    var rest: [Conflict] = []
}

extension Decider {
    /// Names a row of the list and reads it. nil if the list has none of that id: others of its
    /// table do not exist there.
    func row(
        _ rowID: Int64, naming columns: EffectRecorder.NamedColumns, in place: ChangedList
    ) throws(CommandStop) -> [Cell]? {
        let cells = try storage(recorder.name(RowKey(table: place.table, rowID: rowID), columns))
        return cells.flatMap { place.has($0) ? $0 : nil }
    }
}

extension RowEdit {
    var values: [ColumnValue] { cells.map(\.columnValue) }
}

extension CellEdit {
    var columnValue: ColumnValue { ColumnValue(column: column, value: value) }
}

// MARK: Statements

extension Decider {
    /// Does something that breaks no rule of the database.
    func storage<Value>(
        _ work: @autoclosure () throws(ValetError) -> Value
    ) throws(CommandStop) -> Value {
        do throws(ValetError) {
            return try work()
        } catch {
            throw .error(error)
        }
    }

    /// Changes one row.
    ///
    /// - Parameters:
    ///   - row: its place in the command, for refusals.
    ///   - deleted: the id of a row that is deleted. The command itself may have done so before, as
    ///     cascades do.
    func changing(
        row: Int, in table: EditedTable, deleting deleted: Int64? = nil,
        by change: @autoclosure () throws(ValetError) -> Void
    ) throws(CommandStop) {
        do throws(ValetError) {
            try change()
        } catch {
            guard let refusal = connection.refusal(row: row, of: table.stored) else {
                throw .error(error)
            }
            throw .verdict(.refused([allowed?.concealing(ofTable: refusal) ?? refusal]))
        }
        if recorder.replaced != nil {
            throw .refused("it would delete another row with the same value", row: row)
        }
        // ON CONFLICT IGNORE, or a trigger's RAISE(IGNORE).
        if connection.changes == 0 {
            // A row that a foreign key has deleted with another is gone.
            if let deleted, try !storage(table.exists(deleted)) { return }
            throw .refused("“\(table.stored.name)” ignores the change", row: row)
        }
    }

    func stop(for conflicts: [Conflict]) throws(CommandStop) {
        if !conflicts.isEmpty { throw .verdict(.conflict(conflicts)) }
    }

    func stop(for refusals: [Refusal]) throws(CommandStop) {
        if !refusals.isEmpty { throw .verdict(.refused(refusals)) }
    }
}

extension CommandStop {
    static func refused(_ message: String, row: Int = 0, column: Int? = nil) -> CommandStop {
        .verdict(.refused([Refusal(row: row, column: column, message: message)]))
    }
}

extension EditedTable {
    /// What an edit conflicts with; nil if the cell holds what the person saw.
    fileprivate func theirs(
        _ now: ColumnValue, against edit: CellEdit, row id: Int64
    ) throws(ValetError) -> Conflict.Theirs? {
        let whole = now.value.isCut ? try digest(ofColumn: edit.column, row: id) : nil
        if edit.seen.matches(now.value, whole: whole) { return nil }
        if case .cell(let seen) = edit.seen, try holds(seen, column: edit.column, row: id) {
            return nil
        }
        let isAlreadySo = try holds(edit.value, column: edit.column, row: id)
        return isAlreadySo ? .alreadySo(now) : .cell(now)
    }
}

extension SeenValue {
    /// Whether the person saw this value.
    ///
    /// - Parameter whole: the digest of all of it, if the cell has only its beginning.
    func matches(_ cell: Cell, whole: ValueDigest? = nil) -> Bool {
        switch self {
        case .anything: return true
        case .cell(let seen): return seen == cell
        case .long(let digest):
            if let whole { return digest == whole }
            return switch cell {
            case .text(let text): digest == ValueDigest(of: text.utf8)
            case .malformedText(let bytes, let count), .blob(let bytes, let count):
                bytes.count == count && digest == ValueDigest(of: bytes)
            case .null, .integer, .real, .cutText: false
            }
        }
    }
}
