import ValetArrangement
import ValetModel

/// A question with its names resolved: what to arrange, and how to title sections.
struct ResolvedQuestion: Equatable {
    var specification: ArrangementSpecification
    var titles: SectionTitles
    var grouping: String
    var groupingColumn: Int?
    /// What all rows of the list pass.
    var listFilter: Filter?

    var isSectioned: Bool {
        specification.expression != .none && !specification.isFlat
    }

    var hasIndex: Bool {
        isSectioned && titles.indexTitles != .none
    }

    init(_ question: Question, in list: ListDescription) throws(ValetError) {
        let grouping = try Self.grouping(question.grouping, question.expression, in: list)
        var rowOrder = grouping.rowOrder
        if !question.sort.isEmpty {
            rowOrder = []
            for sort in question.sort {
                let column = try list.column(named: sort.column)
                // A column that comes again can't change the order.
                if rowOrder.contains(where: { $0.column == column }) { continue }
                rowOrder.append(SortKey(column: column, isDescending: sort.isDescending))
            }
        }
        var tests: [FilterTest] = []
        var isFlat = false
        if let search = question.search {
            let scope = try Self.scope(search.scope, in: list)
            tests = try FilterTest.tests(of: search.text, scope, grouping, in: list)
            // Who says how to cut wants the sections.
            isFlat = scope.isFlat && !tests.isEmpty && question.expression == nil
        }
        listFilter = try list.filter()
        tests += listFilter?.tests ?? []
        for condition in question.conditions {
            if let test = try FilterTest(condition, in: list) { tests.append(test) }
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
        _ name: String?, _ expression: SectionExpression?, in list: ListDescription
    ) throws(ValetError) -> Grouping {
        guard let name else { return list.groupings[0] }
        if let expression {
            return grouping(by: try list.column(named: name), expression, in: list)
        }
        // One lookup for both, so that a column's exact name comes before a grouping's folded one.
        let names = list.groupings.map(\.name) + list.columns.map(\.name)
        guard let index = NameLookup.index(of: name, in: names, by: \.self) else {
            var seen: Set<String> = []
            throw ValetError(
                .unknownGrouping, "“\(list.name)” has no grouping or column “\(name)”",
                alternatives: names.filter { seen.insert($0).inserted })
        }
        guard index >= list.groupings.count else { return list.groupings[index] }
        return grouping(by: index - list.groupings.count, .wholeValue, in: list)
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

    /// Columns by name, without duplicates; all columns if none is named.
    static func columns(
        _ names: [String], in list: ListDescription
    ) throws(ValetError) -> [Int] {
        guard !names.isEmpty else { return Array(list.columns.indices) }
        // A request may name thousands of columns, too many for a linear search each.
        let exact = Dictionary(
            list.columns.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: min)
        var seen: Set<Int> = []
        var columns: [Int] = []
        var folded: [[UInt8]: Int]?
        for name in names {
            var column = exact[Array(name.utf8)]
            if column == nil {
                let byFoldedName = folded ?? foldedColumns(of: list)
                folded = byFoldedName
                column = byFoldedName[TextFolding.fold(name)]
            }
            guard let column else { throw list.unknownColumn(name) }
            if seen.insert(column).inserted { columns.append(column) }
        }
        return columns
    }

    private static func foldedColumns(of list: ListDescription) -> [[UInt8]: Int] {
        Dictionary(
            list.columns.enumerated().map { (TextFolding.fold($1.name), $0) },
            uniquingKeysWith: min)
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
