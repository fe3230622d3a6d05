import ValetModel

/// Makes lists of tables that nobody has described (design, "The catalog").
enum CatalogInference {
    static let firstLetters = "A–Z"
    static let none = "None"
    static let any = "Any"

    static func list(of table: StoredTable, samples: [ColumnSample]) -> ListDescription {
        let columns = zip(table.columns, samples).map { column, sample in
            ColumnDescription(
                name: column.name, type: sample.type(declaredAs: column.declaredType))
        }
        let titleColumn = columns.firstIndex { $0.type == .text }
        return ListDescription(
            name: table.name, title: table.name, columns: columns, titleColumn: titleColumn,
            groupings: groupings(of: columns, samples: samples, titleColumn: titleColumn),
            scopes: scopes(of: columns), cell: .columns)
    }

    /// Whole values of `column`, as inference would group by it.
    static func grouping(
        by column: Int, of columns: [ColumnDescription], sample: ColumnSample, titleColumn: Int?
    ) -> Grouping {
        let expression: SectionExpression
        let indexTitles: IndexTitles
        switch columns[column].type {
        case .text: (expression, indexTitles) = (.wholeValue, .firstLetter)
        case .integer, .real, .boolean: (expression, indexTitles) = (.wholeValue, .wholeValue)
        case .date:
            (expression, indexTitles) = (sample.spansMoreThanAYear ? .year : .day, .wholeValue)
        case .blob: (expression, indexTitles) = (.wholeValue, .none)
        }
        return Grouping(
            name: columns[column].name, column: column, expression: expression,
            rowOrder: rowOrder(titleColumn), indexTitles: indexTitles)
    }

    static func rowOrder(_ titleColumn: Int?) -> [SortKey] {
        titleColumn.map { [SortKey(column: $0)] } ?? []
    }

    /// The first letter, columns of few values, dates, and None last: unless there is nothing to take
    /// the first letter of, for then None is the default and so the first.
    private static func groupings(
        of columns: [ColumnDescription], samples: [ColumnSample], titleColumn: Int?
    ) -> [Grouping] {
        // A column that has one of these names can still be asked for by the other's absence only.
        let taken = Set([firstLetters, none].map(TextFolding.fold))
        let suggested = columns.indices.filter { column in
            samples[column].suggestsSections && columns[column].type != .date
        }
        let dates = columns.indices.filter { columns[$0].type == .date }
        let byColumn = (suggested + dates)
            .filter { !taken.contains(TextFolding.fold(columns[$0].name)) }
            .prefix(Limits.groupingsPerList - 2)
            .map {
                grouping(by: $0, of: columns, sample: samples[$0], titleColumn: titleColumn)
            }
        let unsectioned = Grouping(
            name: none, column: nil, expression: .none, indexTitles: .none)
        guard let titleColumn else { return [unsectioned] + byColumn }
        let byLetter = Grouping(
            name: firstLetters, column: titleColumn, expression: .firstLetter,
            rowOrder: rowOrder(titleColumn), indexTitles: .firstLetter)
        return [byLetter] + byColumn + [unsectioned]
    }

    private static func scopes(of columns: [ColumnDescription]) -> [Scope] {
        let texts = columns.indices.filter { columns[$0].type == .text }
        if texts.isEmpty { return [] }
        let taken = TextFolding.fold(any)
        let byColumn = texts.filter { TextFolding.fold(columns[$0].name) != taken }
        return [Scope(name: any, columns: .columns(texts))]
            + byColumn.map { Scope(name: columns[$0].name, columns: .columns([$0])) }
    }
}
