import ValetModel

/// Manual order.
extension ListEntry {
    /// The column of the order. It must have an index, since each move looks for neighbours.
    static func position(
        _ value: YAMLValue, of table: InferredTable, _ columns: [ColumnDescription]
    ) throws(ValetError) -> Int {
        let column = try value.column(of: columns)
        let name = columns[column].name
        guard columns[column].type == .integer || columns[column].type == .real else {
            throw value.error(
                "needs a column of numbers, and “\(name)” is \(columns[column].type.name)")
        }
        guard table.table.isWritable, table.table.isSettable(column) else {
            throw value.error("needs a column that can be set, and “\(name)” can't")
        }
        guard try table.isIndexed(column) else {
            throw value.error(
                "needs an index that begins with the column and is not unique: "
                    + SQL.makeIndex(of: table.table, on: name))
        }
        return column
    }

    /// All rows in manual order, for a list that names no groupings.
    static func manual(by column: Int) -> Grouping {
        Grouping(
            name: "By hand", column: nil, expression: .none, rowOrder: [SortKey(column: column)],
            indexTitles: .none)
    }
}
