import ValetModel

/// Describes tables that the catalog file does not mention (design, "The catalog").
enum CatalogInference {
    static let firstLetters = "A–Z"
    static let none = "None"
    static let any = "Any"

    /// All tables as lists.
    static func lists(of tables: [InferredTable]) -> [PlacedList] {
        let others = tables.map(\.referable)
        return tables.enumerated().map { list(of: $1, number: $0, among: others) }
    }

    /// - Parameter others: the lists that there are, to whose rows its columns may refer.
    static func list(
        of table: InferredTable, number: Int, among others: [ReferableList]
    ) -> PlacedList {
        var titled = TitledColumns(table.columns)
        titled.refer(by: table.table.references, toFirstOf: others)
        let list = list(
            named: table.table.name, columns: titled.columns, of: table,
            titleColumn: titleColumn(of: titled.columns))
        return PlacedList(list: list, table: number, titles: titled.titles)
    }

    static func list(
        named name: String, columns: [ColumnDescription], of table: InferredTable,
        titleColumn: Int?
    ) -> ListDescription {
        ListDescription(
            name: name, title: name, columns: columns, titleColumn: titleColumn,
            groupings: groupings(of: columns, table: table, titleColumn: titleColumn),
            scopes: scopes(of: columns), cell: .columns, isEditable: table.table.isWritable)
    }

    static func titleColumn(of columns: [ColumnDescription]) -> Int? {
        columns.firstIndex { $0.isText }
    }

    /// Whole values of `column`, as an inferred grouping.
    static func grouping(
        by column: Int, of columns: [ColumnDescription], sample: ColumnSample, titleColumn: Int?
    ) -> Grouping {
        let expression: SectionExpression =
            switch columns[column].type {
            case .date: sample.spansMoreThanAYear ? .year : .day
            case .text, .integer, .real, .boolean, .blob: .wholeValue
            }
        return Grouping(
            name: columns[column].name, column: column, expression: expression,
            rowOrder: rowOrder(titleColumn),
            indexTitles: indexTitles(ofWholeValues: columns[column].type))
    }

    static func indexTitles(ofWholeValues type: ColumnType) -> IndexTitles {
        switch type {
        case .text: .firstLetter
        case .integer, .real, .boolean, .date: .wholeValue
        case .blob: .none
        }
    }

    static func rowOrder(_ titleColumn: Int?) -> [SortKey] {
        titleColumn.map { [SortKey(column: $0)] } ?? []
    }

    /// The first letter, columns of few values, dates, and None last. Without a column for the
    /// first letter, None is the default and so comes first.
    private static func groupings(
        of columns: [ColumnDescription], table: InferredTable, titleColumn: Int?
    ) -> [Grouping] {
        // A grouping's name takes precedence over a column's.
        let taken = Set([firstLetters, none].map(TextFolding.fold))
        let samples = columns.indices.map { table.sample(of: $0, in: columns) }
        let suggested = columns.shownInTables.filter { column in
            samples[column].suggestsSections && columns[column].type != .date
        }
        let dates = columns.indices.filter { columns[$0].type == .date }
        let byColumn = (suggested + dates)
            .filter { !taken.contains(TextFolding.fold(columns[$0].name)) }
            .prefix(Limits.groupingsPerList - 2)
            .map {
                grouping(by: $0, of: columns, sample: samples[$0], titleColumn: titleColumn)
            }
        let unsectioned = Grouping(name: none, column: nil, expression: .none, indexTitles: .none)
        guard let titleColumn, columns[titleColumn].isText else { return [unsectioned] + byColumn }
        let byLetter = Grouping(
            name: firstLetters, column: titleColumn, expression: .firstLetter,
            rowOrder: rowOrder(titleColumn), indexTitles: .firstLetter)
        return [byLetter] + byColumn + [unsectioned]
    }

    private static func scopes(of columns: [ColumnDescription]) -> [Scope] {
        guard let all = anyScope(of: columns.shownInTables, columns) else { return [] }
        let taken = TextFolding.fold(any)
        let byColumn = columns.indices.filter {
            columns[$0].isText && TextFolding.fold(columns[$0].name) != taken
        }
        return [all]
            + byColumn.map {
                Scope(name: columns[$0].name, columns: .columns([$0]), match: .words)
            }
    }

    /// Words, in any of some columns; nil if none of these is searched.
    static func anyScope(of shown: [Int], _ columns: [ColumnDescription]) -> Scope? {
        let searched = shown.filter { columns[$0].isSearched }
        return searched.isEmpty
            ? nil : Scope(name: any, columns: .columns(searched), match: .words)
    }
}
