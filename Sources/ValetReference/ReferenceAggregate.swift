import ValetModel

/// Aggregates of a column's cells in the order of their rows, which are whole.
package struct ReferenceAggregate {
    private let column: ColumnDescription
    private let cells: [Cell]

    package init(_ cells: [Cell], of column: ColumnDescription) {
        self.column = column
        // SQLite stores NaN as NULL.
        self.cells = cells.filter { cell in
            if case .real(let real) = cell, real.isNaN { return false }
            return !cell.isMissing
        }
    }

    package func value(_ function: AggregateFunction) -> AggregateValue {
        switch function {
        case .count: .cell(.integer(Int64(cells.count)))
        case .sum: sum(isMean: false)
        case .mean: sum(isMean: true)
        case .least: first(isDescending: false)
        case .greatest: first(isDescending: true)
        case .distinct: .cell(.integer(Int64(distinct)))
        }
    }

    private func sum(isMean: Bool) -> AggregateValue {
        var (exact, whole, infinite) = (ExactNumber(), 0 as Int128, Set<Double>())
        var (count, hasReals) = (0 as UInt32, false)
        for cell in cells {
            switch cell {
            case .integer(let number):
                exact.add(number)
                whole += Int128(number)
            case .real(let real):
                if real.isFinite { exact.add(real) } else { infinite.insert(real) }
                hasReals = true
            case .null, .text, .malformedText, .cutText, .blob: continue
            }
            count += 1
        }
        if count == 0 || infinite.count == 2 { return .none }
        if let infinity = infinite.first { return .cell(.real(infinity)) }
        if isMean { return .cell(.real(exact.rounded(dividedBy: count))) }
        return hasReals ? .cell(.real(exact.rounded())) : AggregateValue(whole)
    }

    private var keys: [OrderKey] { cells.map { OrderKey($0) } }

    /// Of equal values that of the first row.
    private func first(isDescending: Bool) -> AggregateValue {
        var first: (cell: Cell, key: OrderKey)?
        for (cell, key) in zip(cells, keys) {
            if let first, Self.order(first.key, key, isDescending: isDescending) <= 0 { continue }
            first = (cell, key)
        }
        guard let cell = first?.cell else { return .none }
        guard case .blob(_, let byteCount) = cell else { return .cell(cell) }
        return .cell(.blob(bytes: [], byteCount: byteCount))
    }

    private var distinct: Int {
        let sorted = keys.sorted { Self.order($0, $1) < 0 }
        return sorted.indices.count { $0 == 0 || Self.order(sorted[$0 - 1], sorted[$0]) != 0 }
    }

    private static func order(
        _ left: OrderKey, _ right: OrderKey, isDescending: Bool = false
    ) -> Int {
        OrderKey.compare(left, right, isDescending: isDescending) ?? 0
    }
}
