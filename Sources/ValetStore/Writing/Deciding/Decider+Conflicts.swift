import ValetArrangement
import ValetModel

/// What others have done to the rows of a command.
extension Decider {
    /// Adds a conflict, and stops when an outcome lists no more.
    func add(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ place: ChangedList,
        since revision: UInt64? = nil, restored: Cell? = nil, to conflicts: inout [Conflict]
    ) throws(CommandStop) {
        var conflict = try conflict(theirs, rowID, place, since: revision)
        conflict.restored = restored?.cutForConflict
        conflicts.append(conflict)
        if conflicts.count == Limits.problemsPerOutcome { try stop(for: conflicts) }
    }

    /// - Parameter revision: who changed the row after it is asked; nil asks for the last change,
    ///   of the cell if the conflict is about one.
    func conflict(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ place: ChangedList,
        since revision: UInt64? = nil
    ) throws(CommandStop) -> Conflict {
        if place.allowed?.sight != nil {
            // A row that a move has renumbered may be out of sight: then the conflict is with one's
            // own row, whoever made it.
            let now = try storage(tables[place.table].row(rowID))
            if let own = place.ownRow, now.map({ !place.has($0) }) ?? (own != rowID) {
                return Conflict(rowID: own, theirs: .rowChanged, station: "", time: 0)
            }
        }
        let made = try storage(whoAndWhen(theirs, rowID, place))
        let known = made.flatMap { $0.revision > (revision ?? 0) ? $0 : nil }
        return Conflict(
            rowID: rowID, theirs: theirs.cut, station: known?.station ?? "",
            time: known?.time ?? 0)
    }

    /// Follows the row's changes back to the one that a conflict is about; nil if another program
    /// made it, or if the command has looked at so many changes that this takes too long.
    func whoAndWhen(
        _ theirs: Conflict.Theirs, _ rowID: Int64, _ place: ChangedList
    ) throws(ValetError) -> (revision: UInt64, station: String, time: Int64)? {
        let table = tables[place.table]
        let now = try table.row(rowID)
        var revision = try log.lastChange(of: rowID, in: table.stored.name)
        for _ in 0..<Limits.changesLookedThrough where revision > 0 {
            guard !pastEffects.isSpent,
                let effect = try effect(at: revision, of: rowID, in: table)
            else { return nil }
            if let isTheirs = effect.explains(theirs, now, place.listed) {
                guard isTheirs else { return nil }
                return try prepared.run(
                    SQL.whoAndWhen, [.integer(Int64(bitPattern: revision))]
                ) { (revision, $0.text(1) ?? "", $0.integer(0)) }
            }
            revision = effect.previous
        }
        return nil
    }
}

extension Effect {
    /// Whether it made what a conflict is about; nil if it left that as it was.
    ///
    /// - Parameter now: the row as it is; nil if it is gone.
    fileprivate func explains(
        _ theirs: Conflict.Theirs, _ now: [Cell]?, _ listed: ListedRows?
    ) -> Bool? {
        switch theirs {
        case .rowChanged: now.map(leaves) ?? false
        case .rowDeleted: takesOut(of: listed, now)
        case .cell(let cell), .alreadySo(let cell):
            switch change {
            case .update(let cells):
                cells.first { $0.column == cell.column && $0.isChanged }.map {
                    $0.new == cell.value
                }
            case .insert(let cells):
                cells.indices.contains(cell.column) && cells[cell.column] == cell.value
            case .delete: false
            }
        }
    }

    /// Whether it left the row so, as far as it has changed it. Else another program has changed
    /// it since.
    private func leaves(_ row: [Cell]) -> Bool {
        func isSame(_ cell: Cell, _ column: Int) -> Bool {
            guard row.indices.contains(column) else { return true }
            return cell == row[column] || cell.isCut || row[column].isCut
        }
        return switch change {
        case .insert(let cells): cells.indices.allSatisfy { isSame(cells[$0], $0) }
        case .update(let cells):
            cells.allSatisfy { !$0.isChanged || isSame($0.new, $0.column) }
        case .delete: false
        }
    }

    /// Whether the row left the list by it; nil if it was no longer there.
    ///
    /// - Parameter now: nil if it has left the table, too.
    private func takesOut(of listed: ListedRows?, _ now: [Cell]?) -> Bool? {
        guard now != nil else {
            guard case .delete = change else { return false }
            // Nobody hears who deleted a row that was not in the list.
            return listed.map { change.before.flatMap($0.contains) == true } ?? true
        }
        guard let listed, case .update = change else { return false }
        if change.after.flatMap(listed.contains) == true { return false }
        return change.before.flatMap(listed.contains) == true ? true : nil
    }
}

extension Conflict.Theirs {
    /// A long value is cut: whoever needs the rest reads the row.
    var cut: Conflict.Theirs {
        switch self {
        case .cell(let cell): .cell(cell.cut)
        case .alreadySo(let cell): .alreadySo(cell.cut)
        case .rowChanged, .rowDeleted: self
        }
    }
}

extension ColumnValue {
    fileprivate var cut: ColumnValue {
        ColumnValue(column: column, value: value.cutForConflict)
    }
}

extension Cell {
    var cutForConflict: Cell {
        switch self {
        case .null, .integer, .real, .text, .blob: cut(toBytes: Limits.bytesPerDetailCell)
        case .malformedText, .cutText: self
        }
    }
}
