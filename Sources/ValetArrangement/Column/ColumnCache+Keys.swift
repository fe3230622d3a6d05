import ValetModel

extension ColumnCache {
    /// The rows that have one of these values in a column, each with its value: the very same, not
    /// one that only reads alike.
    ///
    /// - Returns: nil if there are more than `most`, or the column was not read in.
    package func rows(
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
            var value = Cell.null
            keys.withStored(slot) { value = Cell(key: $0) }
            guard values.contains(value) else { return }
            areTooMany = rows.count == most
            if !areTooMany { rows.append((rowID(of: slot), value)) }
        }
        return areTooMany ? nil : rows
    }
}
