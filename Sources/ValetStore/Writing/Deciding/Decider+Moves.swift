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
        let named = Set([order.column] + [joined].compactMap(\.self))
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
            try storage { () throws(ValetError) in
                _ = try recorder.name(RowKey(table: place.table, rowID: row.rowID), .some([]))
            }
            try changing(row: 0, in: order.table) { () throws(ValetError) in
                try order.table.update(
                    row.rowID, [ColumnValue(column: order.column, value: row.position)])
            }
        }
        for (number, rowID) in rowIDs.enumerated() {
            var values = [ColumnValue(column: order.column, value: placing.positions[number])]
            if let joined, let value = neighbour?[joined],
                !place.list.columns[joined].isSameSection(value, moved[number][joined])
            {
                values.append(ColumnValue(column: joined, value: value))
            }
            try changing(row: number, in: order.table) { () throws(ValetError) in
                try order.table.update(rowID, values)
            }
        }
        return rowIDs
    }

    /// Positions for new rows: behind the last row. nil where rows without a position are last: a
    /// new row comes behind them by its row id.
    func positions(
        ofNewRows count: Int, in order: ManualOrder
    ) throws(ValetError) -> [Cell]? {
        let last = try order.rows(.backward, from: nil, most: 1).rows.first
        return order.positions.numbers(count, above: last?.position, below: nil)
    }

    /// Adds a conflict if somebody has deleted or moved the neighbour.
    private func cells(
        of neighbour: MoveDestination.Neighbour, _ joined: Int?, _ order: ManualOrder,
        _ conflicts: inout [Conflict], in place: ChangedList
    ) throws(CommandStop) -> [Cell]? {
        let rowID = neighbour.rowID
        var bytesLeft = Limits.bytesPerLoggedCommand
        let cells = try storage { () throws(ValetError) in
            try order.table.row(rowID, bytesLeft: &bytesLeft)
        }
        guard let cells, place.has(cells) else {
            try add(.rowDeleted, rowID, place, since: neighbour.seen, to: &conflicts)
            return nil
        }
        guard let seen = neighbour.seen else { return cells }
        let isElsewhere = try storage { () throws(ValetError) in
            // Another program may have moved any row.
            if changedByOthers > seen { return true }
            for column in [order.column] + [joined].compactMap(\.self) {
                let change = try cellChange(
                    of: column, of: rowID, cells[column], since: seen, in: order.table)
                if change == .set { return true }
            }
            return false
        }
        if isElsewhere {
            try add(.rowChanged, rowID, place, since: seen, to: &conflicts)
        }
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
        let placing = try storage { () throws(ValetError) in
            try order.place(rowIDs.count, side, of: row, excluding: Set(rowIDs))
        }
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
        guard let column = grouping.column else { return nil }
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
        if one == other { return true }
        guard isText, let one = sectionText(of: one), let other = sectionText(of: other) else {
            return false
        }
        return TextFolding.fold(one) == TextFolding.fold(other)
    }

    private func sectionText(of cell: Cell) -> String? {
        switch cell {
        case .null, .text(""): defaultText
        case .text(let text): text
        case .integer, .real, .malformedText, .cutText, .blob: nil
        }
    }
}
