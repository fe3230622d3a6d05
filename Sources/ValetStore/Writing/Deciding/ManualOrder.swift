import ValetModel

/// A table's manual order: by the number in its position column, then by row id. Rows without a
/// number come last. It is read along the column's index, a few rows at a time.
struct ManualOrder {
    let table: EditedTable
    /// The position column.
    let column: Int
    let positions: Positions
    let prepared: PreparedStatements

    /// Rows behind or before a row, nearest first; from the end of the order without one.
    func rows(
        _ direction: SQL.Direction, from start: PositionedRow?, excluding: Set<Int64> = [],
        most: Int
    ) throws(ValetError) -> NearbyRows {
        guard most > 0 else { return NearbyRows(rows: [], isAll: false) }
        var found: [PositionedRow] = []
        func read(_ sql: String, _ values: [Cell]) throws(ValetError) {
            if found.count == most { return }
            try prepared.rows(sql, values) { row in
                let rowID = row.integer(0)
                if rowID != start?.rowID, !excluding.contains(rowID) {
                    found.append(PositionedRow(rowID: rowID, position: row.cell(1, limit: 0)))
                }
                return found.count < most
            }
        }
        let from = start ?? direction.end
        let at = SQL.rows(of: table.stored, rowID: table.rowID, at: column, direction)
        let beyond = SQL.rows(of: table.stored, rowID: table.rowID, beyond: column, direction)
        try read(at, [from.position, .integer(from.rowID)])
        switch (direction, from.position) {
        case (.forward, .null): break
        case (.forward, _):
            try read(beyond, [from.position])
            try read(at, [.null, .integer(.min)])
        // Blobs are greater than all numbers and texts.
        case (.backward, .null): try read(beyond, [.blob(bytes: [], byteCount: 0)])
        case (.backward, _): try read(beyond, [from.position])
        }
        return NearbyRows(rows: found, isAll: found.count < most)
    }

    /// Positions for `count` rows between those on both sides of a gap; nil if there is no room.
    ///
    /// - Parameters:
    ///   - row: the gap is on this row's `side`; nil for the end of the order.
    ///   - excluding: rows to skip, because they are being moved.
    func place(
        _ count: Int, _ side: SQL.Direction, of row: PositionedRow?, excluding: Set<Int64> = []
    ) throws(ValetError) -> Placing? {
        for most in [1, Limits.rowsRenumbered + 1] {
            let beyond = try rows(side, from: row, excluding: excluding, most: most)
            var near = NearbyRows(rows: [], isAll: true)
            if let row {
                near = try rows(side.opposite, from: row, excluding: excluding, most: most - 1)
                near.rows.insert(row, at: 0)
            }
            let placing =
                switch side {
                case .forward: positions.place(count, between: near, and: beyond)
                case .backward: positions.place(count, between: beyond, and: near)
                }
            if let placing { return placing }
        }
        return nil
    }
}

extension SQL.Direction {
    fileprivate var opposite: SQL.Direction { self == .forward ? .backward : .forward }

    /// A place before or behind all rows, to go from.
    fileprivate var end: PositionedRow {
        switch self {
        case .forward: PositionedRow(rowID: .min, position: .real(-.infinity))
        case .backward: PositionedRow(rowID: .max, position: .null)
        }
    }
}
