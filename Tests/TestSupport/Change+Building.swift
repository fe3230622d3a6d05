import ValetModel

extension Change {
    /// An insert of rows, each with the values of its first columns.
    package static func insert(_ rows: [Cell]...) -> Change {
        .insert(rows.map { $0.enumerated().map { ColumnValue(column: $0, value: $1) } })
    }

    /// An insert of one row, with the values of these columns.
    package static func insert(_ values: KeyValuePairs<Int, Cell>) -> Change {
        .insert([values.map { ColumnValue(column: $0.key, value: $0.value) }])
    }

    /// An update of one cell.
    package static func set(
        _ rowID: Int64, _ column: Int, _ value: Cell, seen: SeenValue = .anything
    ) -> Change {
        .update([RowEdit(rowID, column, value, seen: seen)])
    }

    package static func delete(_ rowIDs: Int64...) -> Change {
        .delete(rowIDs.map { RowDeletion(rowID: $0) })
    }
}

extension CellEdit {
    package init(_ column: Int, _ value: Cell, seen: Cell) {
        self.init(column: column, value: value, seen: .cell(seen))
    }
}

extension RowEdit {
    /// An edit of one cell.
    package init(_ rowID: Int64, _ column: Int, _ value: Cell, seen: SeenValue = .anything) {
        self.init(rowID: rowID, cells: [CellEdit(column: column, value: value, seen: seen)])
    }
}

/// Tests name writers by small numbers.
extension WriterID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: UInt64) {
        self.init(high: 0, low: number)
    }
}
