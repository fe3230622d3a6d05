import ValetModel

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
        if let between = try storage({ () throws(ValetError) in
            try rowBetween(renumbered, besides: plan, since: revision, in: order)
        }) {
            try stop(for: [try conflict(.rowChanged, between, place, since: revision)])
        }
        for change in changes where !change.isRenumbering && change.old.isNumber {
            let start = PositionedRow(rowID: change.rowID, position: change.old)
            for direction in [SQL.Direction.forward, .backward] {
                let renumbered = try storage { () throws(ValetError) in
                    try rowRenumbered(direction, from: start, since: revision, in: order)
                }
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

    fileprivate func positionChange(
        in order: ManualOrder, ofTable number: Int
    ) -> PositionChange? {
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
