import ValetModel

/// Moving rows by hand.
extension Decider {
    /// nil if rows of the list can't be moved.
    func manualOrder(of place: ChangedList) -> ManualOrder? {
        guard let column = place.list.positionColumn else { return nil }
        return ManualOrder(
            table: tables[place.table], column: column,
            positions: Positions(isReal: place.list.columns[column].type == .real),
            prepared: prepared)
    }

    func move(
        _ rowIDs: [Int64], to destination: MoveDestination, in place: ChangedList
    ) throws(CommandStop) -> [Int64] {
        guard let order = manualOrder(of: place) else {
            throw .refused("rows of “\(place.list.title)” can't be moved by hand")
        }
        let joined = try place.list.column(joinedBy: destination.neighbour)
        var conflicts: [Conflict] = []
        let named = Set([order.column, joined].compactMap(\.self))
        var moved: [[Cell]] = []
        var refusals: [Refusal] = []
        for (number, rowID) in rowIDs.enumerated() {
            if let cells = try row(rowID, naming: .some(named), in: place) {
                moved.append(cells)
                place.check(cells, row: number, &refusals)
            } else {
                try add(.rowDeleted, rowID, place, to: &conflicts)
            }
        }
        try stop(for: refusals)
        var neighbour: [Cell]?
        if let named = destination.neighbour {
            neighbour = try cells(of: named, joined, order, &conflicts, in: place)
        }
        try stop(for: conflicts)

        let placing = try placing(of: rowIDs, at: destination, neighbour, in: order)
        for row in placing.renumbered {
            // A row that is named, with no column of its own, is one that makes room.
            let key = RowKey(table: place.table, rowID: row.rowID)
            _ = try storage(recorder.name(key, .some([])))
            let position = ColumnValue(column: order.column, value: row.position)
            try changing(row: 0, in: order.table, by: order.table.update(row.rowID, [position]))
        }
        for (number, rowID) in rowIDs.enumerated() {
            var values = [ColumnValue(column: order.column, value: placing.positions[number])]
            if let joined, let value = neighbour?[joined],
                !place.list.columns[joined].isSameSection(value, moved[number][joined])
            {
                values.append(ColumnValue(column: joined, value: value))
            }
            try changing(row: number, in: order.table, by: order.table.update(rowID, values))
        }
        return rowIDs
    }

    /// Positions for new rows: behind the last row. nil without a manual order, and where rows
    /// without a position are last: a new row comes behind them by its row id.
    func positions(ofNewRows count: Int, in place: ChangedList) throws(ValetError) -> [Cell]? {
        guard let order = manualOrder(of: place) else { return nil }
        let last = try order.rows(.backward, from: nil, most: 1).rows.first
        return order.positions.numbers(count, above: last?.position, below: nil)
    }

    /// Adds a conflict if somebody has deleted or moved the neighbour.
    private func cells(
        of neighbour: MoveDestination.Neighbour, _ joined: Int?, _ order: ManualOrder,
        _ conflicts: inout [Conflict], in place: ChangedList
    ) throws(CommandStop) -> [Cell]? {
        let rowID = neighbour.rowID
        guard let cells = try storage(order.table.row(rowID)), place.has(cells) else {
            try add(.rowDeleted, rowID, place, since: neighbour.seen, to: &conflicts)
            return nil
        }
        guard let seen = neighbour.seen else { return cells }
        // Another program may have moved any row.
        var isElsewhere = changedByOthers > seen
        for column in [order.column, joined].compactMap(\.self) where !isElsewhere {
            let change = try storage(
                cellChange(of: column, of: rowID, cells[column], since: seen, in: order.table))
            isElsewhere = change == .set
        }
        if isElsewhere { try add(.rowChanged, rowID, place, since: seen, to: &conflicts) }
        return cells
    }

    private func placing(
        of rowIDs: [Int64], at destination: MoveDestination, _ neighbour: [Cell]?,
        in order: ManualOrder
    ) throws(CommandStop) -> Placing {
        let row = destination.neighbour.flatMap { named in
            neighbour.map { PositionedRow(rowID: named.rowID, position: $0[order.column]) }
        }
        let side: SQL.Direction =
            switch destination {
            case .first, .behind: .forward
            case .last, .before: .backward
            }
        let placing = try storage(order.place(rowIDs.count, side, of: row, excluding: Set(rowIDs)))
        guard let placing else {
            let column = order.table.stored.columns[order.column].name
            throw .refused(
                "“\(column)” has no room there: more than \(Limits.rowsRenumbered) rows have "
                    + "neighbouring numbers, the same one, or none. Renumber all rows with gaps")
        }
        return placing
    }
}

extension ListDescription {
    /// The column whose value rows get when they join a neighbour's section; nil if they join none.
    fileprivate func column(
        joinedBy neighbour: MoveDestination.Neighbour?
    ) throws(CommandStop) -> Int? {
        guard let name = neighbour?.joining,
            let number = NameLookup.index(of: name, in: groupings, by: \.name)
        else { return nil }
        let grouping = groupings[number]
        guard isManual(grouping) else {
            throw .refused("“\(grouping.name)” of “\(title)” is not in manual order")
        }
        // Who joins those with a title refers to the same row.
        guard let column = grouping.column.map({ columns[$0].keyColumn ?? $0 }) else { return nil }
        guard grouping.expression == .wholeValue, columns[column].isEditable else {
            throw .refused(
                "rows can't be moved to another section of “\(grouping.name)”: its titles are not "
                    + "values that can be set")
        }
        return column
    }
}

extension ColumnDescription {
    /// Whether two values make one section, as whole values.
    fileprivate func isSameSection(_ one: Cell, _ other: Cell) -> Bool {
        if one == other || one.isMissing && other.isMissing { return true }
        guard isText, let one = sectionText(of: one), let other = sectionText(of: other) else {
            return false
        }
        return TextFolding.fold(one) == TextFolding.fold(other)
    }

    private func sectionText(of cell: Cell) -> String? {
        switch cell {
        case .text(let text): text.isEmpty ? nil : text
        case .null, .integer, .real, .malformedText, .cutText, .blob: nil
        }
    }
}

// MARK: What others have done

/// What others have done to a manual order since a revision.
extension Decider {
    enum CellChange {
        /// Somebody has set it.
        case set
        /// A move has renumbered the row to make room, which left it in its place.
        case renumbered
    }

    /// How a cell came to its value after a revision; nil if it has the value that it had then.
    func cellChange(
        of column: Int, of rowID: Int64, _ now: Cell, since seen: UInt64, in table: EditedTable
    ) throws(ValetError) -> CellChange? {
        var change: CellChange?
        var then = now
        var revision = try log.lastChange(of: rowID, in: table.stored.name)
        // What is no longer kept may have been anything.
        guard try log.isKept(since: seen, in: table.stored.name) else { return .set }
        for _ in 0..<Limits.changesLookedThrough {
            guard revision > seen else { return then == now ? nil : change }
            let effect = try effect(at: revision, of: rowID, in: table)
            guard let effect, case .update(let cells) = effect.change else { return .set }
            if let cell = cells.first(where: { $0.column == column && $0.isChanged }) {
                then = cell.old
                change = effect.isRenumbering && change != .set ? .renumbered : .set
            }
            revision = effect.previous
        }
        return .set
    }

    /// Conflicts if rows would not come back to where they were: their old positions mean nothing
    /// where others have put rows between those that a move has renumbered, or have renumbered the
    /// rows around.
    func checkOrder(
        _ plan: [Effect], since revision: UInt64, in place: ChangedList
    ) throws(CommandStop) {
        guard let order = manualOrder(of: place) else { return }
        let changes = plan.compactMap { $0.positionChange(in: order, ofTable: place.table) }
        let renumbered = changes.filter(\.isRenumbering)
        let between = try storage(rowBetween(renumbered, besides: plan, since: revision, in: order))
        if let between {
            try stop(for: [try conflict(.rowChanged, between, place, since: revision)])
        }
        for change in changes where !change.isRenumbering && change.old.isNumber {
            let start = PositionedRow(rowID: change.rowID, position: change.old)
            for direction in [SQL.Direction.forward, .backward] {
                let renumbered = try storage(
                    rowRenumbered(direction, from: start, since: revision, in: order))
                guard let renumbered else { continue }
                try stop(for: [try conflict(.rowChanged, renumbered, place, since: revision)])
            }
        }
    }

    /// The row next to a place, if others have renumbered it.
    private func rowRenumbered(
        _ direction: SQL.Direction, from start: PositionedRow, since revision: UInt64,
        in order: ManualOrder
    ) throws(ValetError) -> Int64? {
        guard let row = try order.rows(direction, from: start, most: 1).rows.first else {
            return nil
        }
        let change = try cellChange(
            of: order.column, of: row.rowID, row.position, since: revision, in: order.table)
        return change == .renumbered ? row.rowID : nil
    }

    /// A row that somebody has put between renumbered ones.
    private func rowBetween(
        _ renumbered: [PositionChange], besides plan: [Effect], since revision: UInt64,
        in order: ManualOrder
    ) throws(ValetError) -> Int64? {
        let numbers = renumbered.flatMap { [$0.old, $0.new] }.filter(\.isNumber)
        guard let first = numbers.min(by: { $0.isBelow($1) }),
            let last = numbers.max(by: { $0.isBelow($1) })
        else { return nil }
        // Those that had no position came last.
        let isOpen = renumbered.contains { !$0.old.isNumber || !$0.new.isNumber }
        let own = Set(plan.map(\.rowID))
        // Rows that share a number with them were there before.
        let start = PositionedRow(rowID: .max, position: first)
        // Those whose new number was the old one are no effects.
        let most = 2 * Limits.rowsRenumbered + 1
        for row in try order.rows(.forward, from: start, excluding: own, most: most).rows {
            guard row.position.isNumber, isOpen || row.position.isBelow(last) else { break }
            let change = try cellChange(
                of: order.column, of: row.rowID, row.position, since: revision, in: order.table)
            if change != nil { return row.rowID }
        }
        return nil
    }
}

/// What a command did to a row's position.
private struct PositionChange {
    let rowID: Int64
    let old: Cell
    let new: Cell
    let isRenumbering: Bool
}

extension Effect {
    /// True if the command named the row and set none of its cells: it made room for others.
    var isRenumbering: Bool {
        guard case .update(let cells) = change else { return false }
        return isOwn && !cells.contains(where: \.isOwn)
    }

    /// The cells that undo restores: those that the command set, or the position of a row that made
    /// room.
    func restored(_ cells: [ChangedCell], position: Int?) -> [ChangedCell] {
        isRenumbering ? cells.filter { $0.column == position } : cells.filter(\.isOwn)
    }

    fileprivate func positionChange(in order: ManualOrder, ofTable number: Int) -> PositionChange? {
        guard table == number, case .update(let cells) = change,
            let cell = cells.first(where: { $0.column == order.column && $0.isChanged })
        else { return nil }
        return PositionChange(
            rowID: rowID, old: cell.old, new: cell.new, isRenumbering: isRenumbering)
    }
}

extension Cell {
    /// Of two numbers.
    fileprivate func isBelow(_ other: Cell) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.integer(let one), .real(let other)): Double(one) < other
        case (.real(let one), .integer(let other)): one < Double(other)
        case (.real(let one), .real(let other)): one < other
        case _: false
        }
    }
}
