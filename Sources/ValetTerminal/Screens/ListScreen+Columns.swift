import ValetModel

/// The cell cursor: the column of a table that keys act on. It stays on its column whatever is
/// asked, and the columns scroll sideways under it.
extension ListScreen {
    /// nil in a list of cells, whose rows have no columns.
    var cellColumn: Int? {
        guard layout.isTable else { return nil }
        return layout.tableOrder[cellPlace]
    }

    /// Among the columns of the table; a column that is not there leaves it on the title.
    private var cellPlace: Int { layout.tableOrder.firstIndex(of: chosenColumn) ?? 0 }

    var placedColumns: [RowLayout.PlacedColumn] {
        layout.placedColumns(
            width: geometry.width, widths: columnWidths, sideways: sideways, sort: question.sort)
    }

    mutating func moveCell(by columns: Int) {
        let last = layout.tableOrder.count - 1
        chosenColumn = layout.tableOrder[min(max(cellPlace + columns, 0), last)]
        showCell()
    }

    /// As many columns as are shown beside the title.
    mutating func pageColumns(_ direction: Int) {
        let count = max(placedColumns.count { !$0.isCut } - 1, 1)
        let isOnTitle = cellPlace == 0 && direction > 0
        sideways = min(max(sideways + direction * count, 0), layout.sidewaysLimit)
        moveCell(by: direction * count + (isOnTitle ? 1 : 0))
    }

    /// Scrolls sideways as far as is needed to see the cell cursor's column whole.
    mutating func showCell() {
        let place = cellPlace
        guard place > 0 else { return }
        sideways = min(sideways, place - 1)
        while sideways < place - 1,
            !placedColumns.contains(where: { $0.column == chosenColumn && !$0.isCut })
        {
            sideways += 1
        }
    }

    // MARK: Questions by the column under the cell cursor

    /// A second time it takes the sort back.
    mutating func sortByCell() -> [ScreenOutcome] {
        guard let cellColumn else { return [.pickSort] }
        guard let name = columnName(cellColumn) else {
            return [.say("The row number is no column to sort by")]
        }
        return sort(by: question.sort?.column == name ? nil : name)
    }

    mutating func reverseSort() -> [ScreenOutcome] {
        if let sort = question.sort {
            remember()
            question.sort?.isDescending = !sort.isDescending
            return ask(jump: jumpToCursor)
        }
        guard let name = cellColumn.flatMap(columnName) else { return [.pickSort] }
        return sort(by: name, isDescending: true)
    }

    /// The cell cursor goes to the column, so that its label is seen.
    mutating func sort(by column: String?, isDescending: Bool = false) -> [ScreenOutcome] {
        remember()
        question.sort = column.map { Question.Sort(column: $0, isDescending: isDescending) }
        if let place = list.columns.firstIndex(where: { $0.name == column }),
            layout.tableOrder.contains(place)
        {
            chosenColumn = place
            showCell()
        }
        return ask(jump: jumpToCursor)
    }

    mutating func groupByCell() -> [ScreenOutcome] {
        guard let cellColumn else { return [.pickGrouping] }
        guard let name = columnName(cellColumn) else {
            return [.say("The row number is no column to group by")]
        }
        return group(by: name)
    }

    mutating func group(by column: String) -> [ScreenOutcome] {
        guard question.grouping != column else { return [] }
        remember()
        question.grouping = column
        index = []
        return ask(jump: jumpToCursor)
    }

    private func columnName(_ column: Int) -> String? {
        list.columns.indices.contains(column) ? list.columns[column].name : nil
    }

    /// What sorts the rows, where no label on the screen tells it.
    var sortText: String? {
        guard let sort = question.sort,
            !placedColumns.contains(where: { columnName($0.column) == sort.column })
                || !layout.isTable || geometry.labelRow == nil
        else { return nil }
        return "sort \(sort.column) \(glyphs.arrow(of: sort))"
    }
}

extension Glyphs {
    func arrow(of sort: Question.Sort) -> String { sort.isDescending ? descending : ascending }
}
