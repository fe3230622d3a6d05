import ValetClient
import ValetModel

/// Queries by the column under the cell cursor.
extension ListScreen {
    /// nil in a list of cells, whose rows have no columns.
    var cellColumn: Int? { columns.current }

    var columnRoom: ShownColumns.Room { ShownColumns.Room(width: geometry.width, sort: query.sort) }

    var placedColumns: [RowLayout.PlacedColumn] { columns.placed(in: columnRoom) }

    mutating func showCell() { columns.showCell(in: columnRoom) }

    /// What names a row to a person.
    func name(of row: Row) -> String { columns.name(of: row, glyphs) }

    func cell(_ column: Int, of row: Row) -> Cell? { columns.cell(column, of: row) }

    /// A row to be read whole.
    func readRow(_ row: Row) -> ReadRow {
        ReadRow(list: list, row: row, positions: columns.positions, title: name(of: row))
    }

    /// The columns of the list that rows carry, in their order.
    var carriedColumns: [Int] {
        (view.summary?.columns ?? columns.layout.columns).filter(list.columns.indices.contains)
    }

    // MARK: Sorts and groupings

    /// A second time it takes the sort back.
    mutating func sortByCell() -> [ScreenOutcome] {
        guard let cellColumn else { return [.pickSort] }
        guard let name = columnName(cellColumn) else {
            return [.say("Can't sort by the row number")]
        }
        return sort(by: query.sort.first?.column == name ? nil : name)
    }

    mutating func reverseSort() -> [ScreenOutcome] {
        if !query.sort.isEmpty {
            remember()
            query.sort[0].isDescending.toggle()
            return ask(jump: jumpToCursor)
        }
        guard let name = cellColumn.flatMap(columnName) else { return [.pickSort] }
        return sort(by: name, isDescending: true)
    }

    /// What was sorted by before orders the rows that are equal in the new column. The cell cursor
    /// goes to the column, so that its label is seen.
    mutating func sort(by column: String?, isDescending: Bool = false) -> [ScreenOutcome] {
        remember()
        let former = query.sort.filter { $0.column != column }.prefix(Limits.sortsPerQuery - 1)
        query.sort = column.map { [.init(column: $0, isDescending: isDescending)] + former } ?? []
        if let place = list.columns.firstIndex(where: { $0.name == column }),
            columns.layout.tableOrder.contains(place)
        {
            columns.choose(place)
            showCell()
        }
        return ask(jump: jumpToCursor)
    }

    mutating func groupByCell() -> [ScreenOutcome] {
        guard let cellColumn else { return [.pickGrouping] }
        guard let name = columnName(cellColumn) else {
            return [.say("Can't group by the row number")]
        }
        return group(by: name)
    }

    mutating func group(by column: String) -> [ScreenOutcome] {
        guard query.grouping != column else { return [] }
        remember()
        query.grouping = column
        view.index = []
        return ask(jump: jumpToCursor)
    }

    private func columnName(_ column: Int) -> String? { list.columns[checked: column]?.name }

    /// What sorts the rows, where no label on the screen tells it.
    var sortText: String? {
        guard !query.sort.isEmpty else { return nil }
        if columns.layout.isTable, geometry.labelRow != nil {
            let labelled = Set(placedColumns.compactMap { columnName($0.column) })
            if query.sort.allSatisfy({ labelled.contains($0.column) }) { return nil }
        }
        let sorts = query.sort.map { "\($0.column) \(glyphs.arrow(of: $0))" }
        return "sort " + sorts.joined(separator: " ")
    }
}
