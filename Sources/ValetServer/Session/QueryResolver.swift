import ValetArrangement
import ValetModel

/// A query with its names resolved: what to arrange, and how to title sections.
struct ResolvedQuery: Equatable {
    var specification: ArrangementSpecification
    var titles: SectionTitles
    var grouping: String
    var groupingColumn: Int?
    /// What all rows of the list pass.
    var listFilter: Filter?

    var isSectioned: Bool { specification.expression != .none && !specification.isFlat }

    var hasIndex: Bool { isSectioned && titles.indexTitles != .none }

    init(_ query: Query, in handle: ListHandle) throws(ValetError) {
        let list = handle.table
        let grouping = try Self.grouping(query.grouping, query.expression, in: handle)
        var rowOrder = grouping.rowOrder
        if !query.sort.isEmpty {
            rowOrder = []
            for sort in query.sort {
                let column = try handle.column(named: sort.column)
                // A column that comes again can't change the order.
                if rowOrder.contains(where: { $0.column == column }) { continue }
                rowOrder.append(SortKey(column: column, isDescending: sort.isDescending))
            }
        }
        var tests: [FilterTest] = []
        var isFlat = false
        if let search = query.search {
            var scope = try Self.scope(search.scope, in: list)
            if scope.columns == .currentGrouping, grouping.column == nil, let shown = handle.shown {
                // All text columns, of those that there are.
                scope.columns = .columns(shown.filter { list.columns[$0].isText })
            }
            tests = try FilterTest.tests(of: search.text, scope, grouping, in: list)
            // Who says how to cut wants the sections.
            isFlat = scope.isFlat && !tests.isEmpty && query.expression == nil
        }
        listFilter = try handle.listFilter()
        tests += listFilter?.tests ?? []
        for condition in query.conditions {
            let column = try handle.column(named: condition.column)
            tests += try FilterTest.tests(of: condition, on: column, in: list)
        }
        specification = ArrangementSpecification(
            sectionColumn: grouping.column, expression: grouping.expression,
            isDescending: grouping.isDescending,
            zone: grouping.column.flatMap { list.columns[$0].zone }, rowOrder: rowOrder,
            filter: Filter(tests), isFlat: isFlat)
        titles = SectionTitles(
            template: grouping.titleTemplate, indexTitles: grouping.indexTitles,
            usesTwelveHours: grouping.usesTwelveHours,
            isBoolean: grouping.column.map { list.columns[$0].type == .boolean } ?? false)
        self.grouping = grouping.name
        groupingColumn = grouping.column
    }

    /// The default, a grouping of the catalog, or any column as a grouping by whole value.
    private static func grouping(
        _ name: String?, _ expression: SectionExpression?, in list: ListHandle
    ) throws(ValetError) -> Grouping {
        guard let name else { return list.table.groupings[0] }
        if let expression {
            return grouping(by: try list.column(named: name), expression, in: list.table)
        }
        switch try list.grouping(named: name) {
        case .grouping(let grouping): return grouping
        case .column(let column): return grouping(by: column, .wholeValue, in: list.table)
        }
    }

    private static func grouping(
        by column: Int, _ expression: SectionExpression, in list: ListDescription
    ) -> Grouping {
        let description = list.columns[column]
        return Grouping(
            name: description.name, column: expression == .none ? nil : column,
            expression: expression,
            rowOrder: [list.titleColumn].compactMap(\.self).map { SortKey(column: $0) },
            indexTitles: description.isText ? .firstLetter : .wholeValue)
    }

    private static func scope(
        _ name: String?, in list: ListDescription
    ) throws(ValetError) -> Scope {
        guard let standard = list.scopes.first else {
            throw ValetError(.unknownScope, "“\(list.name)” has no text to search")
        }
        guard let name else { return standard }
        guard let index = NameLookup.index(of: name, in: list.scopes, by: \.name) else {
            throw ValetError(
                .unknownScope, "“\(list.name)” has no scope “\(name)”",
                alternatives: list.scopes.map(\.name))
        }
        return list.scopes[index]
    }
}
