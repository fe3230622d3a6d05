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

    /// A second time it sorts the whole list, without sections, and then takes the sort back.
    mutating func sortByCell() -> [ScreenOutcome] {
        guard let cellColumn else { return [.pickSort] }
        guard let name = columnName(cellColumn) else {
            return [.say("Can't sort by the row number")]
        }
        guard query.sort.first?.column == name else { return sort(by: name) }
        return asksForSections ? sortWholeList() : sort(by: nil)
    }

    /// Orders what is equal so far by one column more.
    mutating func sortThenByCell() -> [ScreenOutcome] {
        guard let name = cellColumn.flatMap(columnName) else {
            return [.say("Move the cell cursor to a column first")]
        }
        guard !query.sort.isEmpty else { return sort(by: name) }
        guard query.sort.count < Limits.sortsPerQuery,
            !query.sort.contains(where: { $0.column == name })
        else { return [.say("Sorted by it already: \(sortWords)")] }
        remember()
        query.sort.append(.init(column: name))
        return askForSorted()
    }

    mutating func reverseSort() -> [ScreenOutcome] {
        if !query.sort.isEmpty {
            remember()
            query.sort[0].isDescending.toggle()
            return askForSorted()
        }
        guard let name = cellColumn.flatMap(columnName) else { return [.pickSort] }
        return sort(by: name, isDescending: true)
    }

    /// The cell cursor goes to the column, so that its label is seen.
    /// - Parameter column: nil takes the sort back.
    mutating func sort(by column: String?, isDescending: Bool = false) -> [ScreenOutcome] {
        remember()
        query.sort = column.map { [.init(column: $0, isDescending: isDescending)] } ?? []
        if let place = list.columns.firstIndex(where: { $0.name == column }),
            columns.layout.tableOrder.contains(place)
        {
            columns.choose(place)
            showCell()
        }
        guard column == nil else { return askForSorted() }
        if let sections = way.sectionsBeforeSort.take(), !asksForSections {
            (query.grouping, query.expression) = (sections.grouping, sections.expression)
            view.index = []
        }
        return ask(jump: jumpToCursor) + [.say("No longer sorted")]
    }

    /// Whether the query that holds has sections; its answer may still be under way.
    var asksForSections: Bool {
        query.expression.map { $0 != .none }
            ?? (catalogGrouping?.expression != SectionExpression.none)
    }

    /// The same sort without sections.
    mutating func sortWholeList() -> [ScreenOutcome] {
        guard let sort = query.sort.first else { return [] }
        remember()
        way.sectionsBeforeSort = .init(grouping: query.grouping, expression: query.expression)
        let none = list.groupings.first { $0.expression == .none }
        query.grouping = none?.name ?? sort.column
        query.expression = none == nil ? SectionExpression.none : nil
        view.index = []
        return askForSorted(isWhole: true)
    }

    /// What is first now is what the person wants to see: of the section that they look at, since
    /// a sort leaves sections where they are.
    private mutating func askForSorted(isWhole: Bool = false) -> [ScreenOutcome] {
        var words = "Sorted by \(sortWords)"
        if isWhole {
            words += ", the whole list: s again drops the sort"
        } else if asksForSections {
            words += ", within sections: s again sorts the whole list"
        }
        let knowsSection = asksForSections && isSectioned && !held.isStale
        let section = knowsSection ? held.section(at: cursor.ordinal) : nil
        let first = section?.first ?? 0
        let line = first == 0 ? firstLine : lineOfSection
        return ask(jump: Jump(anchor: .ordinal(first), line: line)) + [.say(words)]
    }

    /// `Year ▼, then Make ▲`.
    private var sortWords: String {
        query.sort.map { sort in
            let label = list.columns.first { $0.name == sort.column }?.label ?? sort.column
            return "\(label) \(glyphs.arrow(of: sort))"
        }.joined(separator: ", then ")
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
        (query.expression, way.sectionsBeforeSort) = (nil, nil)
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
