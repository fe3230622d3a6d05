import ValetModel

/// A row before several steps, which are taken back newest first.
struct RowBefore {
    private enum State {
        case gone
        case whole([Cell])
        case some([Int: Cell])
    }

    private var state = State.some([:])

    mutating func take(_ effect: Effect) {
        switch effect.change {
        case .insert: state = .gone
        case .delete(let cells): state = .whole(cells)
        case .update(let cells):
            for cell in cells where cell.isChanged { set(cell.column, cell.old) }
        }
    }

    private mutating func set(_ column: Int, _ value: Cell) {
        switch state {
        case .gone: break
        case .whole(var cells):
            guard cells.indices.contains(column) else { return }
            cells[column] = value
            state = .whole(cells)
        case .some(var cells):
            cells[column] = value
            state = .some(cells)
        }
    }

    /// - Parameter now: the row's cells; nil if it is gone.
    func differences(to now: [Cell]?) -> [(theirs: Conflict.Theirs, restored: Cell?)] {
        switch (state, now) {
        case (.gone, nil): []
        case (.gone, _?): [(.rowChanged, nil)]
        case (.whole, nil), (.some, nil): [(.rowDeleted, nil)]
        case (.whole(let cells), let now?):
            Self.differences(Array(cells.enumerated().map { ($0, $1) }), now)
        case (.some(let cells), let now?):
            Self.differences(cells.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, now)
        }
    }

    /// What was cut can't be compared.
    private static func differences(
        _ cells: [(column: Int, value: Cell)], _ now: [Cell]
    ) -> [(theirs: Conflict.Theirs, restored: Cell?)] {
        cells.compactMap { column, value in
            guard now.indices.contains(column), now[column] != value, !value.isCut else {
                return nil
            }
            return (.cell(ColumnValue(column: column, value: now[column])), value)
        }
    }
}
