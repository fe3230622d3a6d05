import ValetModel

extension Change {
    /// An insert of rows, each with the values of its first columns.
    package static func insert(_ rows: [Cell]...) -> Change {
        .insert(rows.map { $0.enumerated().map { ColumnValue(column: $0, value: $1) } })
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

extension RowEdit {
    /// An edit of one cell.
    package init(_ rowID: Int64, _ column: Int, _ value: Cell, seen: SeenValue = .anything) {
        self.init(rowID: rowID, cells: [CellEdit(column: column, value: value, seen: seen)])
    }
}
