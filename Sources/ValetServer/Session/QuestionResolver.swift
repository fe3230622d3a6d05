import ValetArrangement
import ValetModel

/// A question with its names resolved: what to arrange, and how to title sections.
struct ResolvedQuestion: Equatable {
    var specification: ArrangementSpecification
    var titles: SectionTitles
    var grouping: String
    var groupingColumn: Int?

    var isSectioned: Bool {
        specification.expression != .none && !specification.isFlat
    }

    var hasIndex: Bool {
        isSectioned && titles.indexTitles != .none
    }

    init(_ question: Question, in list: ListDescription) throws(ValetError) {
        let grouping = try Self.grouping(question.grouping, in: list)
        var rowOrder = grouping.rowOrder
        if let sort = question.sort {
            let column = try Self.column(sort.column, in: list)
            rowOrder = [SortKey(column: column, isDescending: sort.isDescending)]
        }
        var predicate: Predicate?
        var isFlat = false
        if let search = question.search {
            let scope = try Self.scope(search.scope, in: list)
            predicate = Predicate(
                text: search.text, columns: Self.columns(of: scope, grouping, in: list),
                match: scope.match, lengths: scope.lengths)
            isFlat = scope.isFlat && predicate != nil
        }
        specification = ArrangementSpecification(
            sectionColumn: grouping.column, expression: grouping.expression,
            isDescending: grouping.isDescending,
            zone: grouping.column.flatMap { list.columns[$0].zone }, rowOrder: rowOrder,
            predicate: predicate, isFlat: isFlat)
        titles = SectionTitles(
            template: grouping.titleTemplate, indexTitles: grouping.indexTitles,
            usesTwelveHours: grouping.usesTwelveHours,
            isBoolean: grouping.column.map { list.columns[$0].type == .boolean } ?? false)
        self.grouping = grouping.name
        groupingColumn = grouping.column
    }

    /// The default, a grouping of the catalog, or any column as a grouping by whole value.
    private static func grouping(
        _ name: String?, in list: ListDescription
    ) throws(ValetError) -> Grouping {
        guard let name else { return list.groupings[0] }
        // One lookup for both, so that a column's exact name comes before a grouping's folded one.
        let names = list.groupings.map(\.name) + list.columns.map(\.name)
        guard let index = NameLookup.index(of: name, in: names, by: \.self) else {
            var seen: Set<String> = []
            throw ValetError(
                .unknownGrouping, "“\(list.name)” has no grouping or column “\(name)”",
                alternatives: names.filter { seen.insert($0).inserted })
        }
        guard index >= list.groupings.count else { return list.groupings[index] }
        let column = index - list.groupings.count
        let description = list.columns[column]
        return Grouping(
            name: description.name, column: column, expression: .wholeValue,
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
            guard let column else { throw unknownColumn(name, in: list) }
            if seen.insert(column).inserted { columns.append(column) }
        }
        return columns
    }

    private static func foldedColumns(of list: ListDescription) -> [[UInt8]: Int] {
        Dictionary(
            list.columns.enumerated().map { (TextFolding.fold($1.name), $0) },
            uniquingKeysWith: min)
    }

    static func column(_ name: String, in list: ListDescription) throws(ValetError) -> Int {
        guard let column = NameLookup.index(of: name, in: list.columns, by: \.name) else {
            throw unknownColumn(name, in: list)
        }
        return column
    }

    private static func unknownColumn(_ name: String, in list: ListDescription) -> ValetError {
        ValetError(
            .unknownColumn, "“\(list.name)” has no column “\(name)”",
            alternatives: list.columns.map(\.name))
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

    private static func columns(
        of scope: Scope, _ grouping: Grouping, in list: ListDescription
    ) -> [Int] {
        switch scope.columns {
        case .columns(let columns): return columns
        case .currentGrouping:
            if let column = grouping.column { return [column] }
            // Without sections there is no such column, so all text columns are searched.
            return list.columns.indices.filter { list.columns[$0].isText }
        }
    }
}
