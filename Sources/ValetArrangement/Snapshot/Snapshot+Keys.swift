import ValetModel

/// Rows of a key: those that refer to a row of another list.
extension Snapshot {
    /// The order in which rows of one key stand side by side.
    package static func order(byKeys column: Int) -> ArrangementSpecification {
        ArrangementSpecification(
            sectionColumn: nil, expression: .none, rowOrder: [SortKey(column: column)])
    }

    /// The rows that have one of these values in a column, each with its value: the very same, not
    /// one that only reads alike. Where the snapshot has their order, each is found in O(log n);
    /// else all rows are looked through.
    ///
    /// - Returns: nil if more than `most` have or read like them, or the column was not read in.
    package func rows(
        having values: Set<Cell>, in column: Int, most: Int
    ) -> [(rowID: Int64, value: Cell)]? {
        guard let order = arrangements[Self.order(byKeys: column)]?.order,
            let keys = cache.columns[checked: column] ?? nil
        else { return cache.rows(having: values, in: column, most: most) }
        var rows: [(rowID: Int64, value: Cell)] = []
        for value in values {
            guard let compare = keys.comparison(with: value) else { continue }
            let first = order.partition { compare($0) < 0 }
            let end = order.partition { compare($0) <= 0 }
            guard end - first <= most - rows.count else { return nil }
            for ordinal in first..<end {
                let slot = order.slot(at: ordinal)
                if keys.cell(slot) == value { rows.append((cache.rowID(of: slot), value)) }
            }
        }
        return rows
    }
}

extension ColumnCache {
    /// Looks through all rows.
    fileprivate func rows(
        having values: Set<Cell>, in column: Int, most: Int
    ) -> [(rowID: Int64, value: Cell)]? {
        guard let keys = columns[checked: column] ?? nil,
            let test = ConditionTest(
                .isOneOf, Array(values), column: column, of: descriptions[column]),
            let found = try? Filter([.values(test)])?.scan(self, isCancelled: { false })
        else { return nil }
        var rows: [(rowID: Int64, value: Cell)] = []
        var areTooMany = false
        found.forEach { slot in
            let value = keys.cell(slot)
            guard values.contains(value) else { return }
            areTooMany = rows.count == most
            if !areTooMany { rows.append((rowID(of: slot), value)) }
        }
        return areTooMany ? nil : rows
    }
}

extension Column {
    /// Where a slot's value stands beside a key; nil for a value that is none.
    fileprivate func comparison(with key: Cell) -> ((UInt32) -> Int)? {
        switch key {
        case .integer(let key):
            return { self.compare(self[$0], .integer(key), isDescending: false) }
        case .real(let key): return { self.compare(self[$0], .real(key), isDescending: false) }
        case .text(let key):
            let folded = TextFolding.fold(key)
            return { slot in
                self.compare(self[slot]) { text in
                    folded.withUnsafeBytes { compareBytes(text, $0) }
                }
            }
        case .null, .blob, .cutText, .malformedText: return nil
        }
    }

    fileprivate func cell(_ slot: UInt32) -> Cell {
        var cell = Cell.null
        withStored(slot) { cell = Cell(key: $0) }
        return cell
    }
}
