import ValetClient
import ValetModel

/// What a view's answers must agree with: the list, the query, and what the server said of both.
struct Viewpoint: Sendable {
    let list: ListDescription
    let query: Query
    let summary: ViewSummary
    let grouping: Grouping
    /// Order of the rows inside a section.
    let rowOrder: [SortKey]
    /// Where a column's cell stands in a row; nil for a column that pages don't carry.
    private let places: [Int: Int]
    /// What a row must pass.
    let tests: [RowTest]

    init(list: ListDescription, query: Query, summary: ViewSummary) {
        self.list = list
        self.query = query
        self.summary = summary
        grouping = Self.grouping(of: list, query, summary)
        rowOrder =
            query.sort.isEmpty
            ? grouping.rowOrder
            : query.sort.compactMap { sort in
                NameLookup.index(of: sort.column, in: list.columns, by: \.name)
                    .map { SortKey(column: $0, isDescending: sort.isDescending) }
            }
        places = Dictionary(
            summary.columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        tests = RowTest.tests(of: query, in: list, groupingColumn: grouping.column)
    }

    /// One of the catalog's, or any column by its whole value.
    private static func grouping(
        of list: ListDescription, _ query: Query, _ summary: ViewSummary
    ) -> Grouping {
        if query.expression == nil,
            let known = NameLookup.index(of: summary.grouping, in: list.groupings, by: \.name)
        {
            return list.groupings[known]
        }
        return Grouping(
            name: summary.grouping, column: summary.groupingColumn,
            expression: query.expression ?? .wholeValue,
            rowOrder: list.titleColumn.map { [SortKey(column: $0)] } ?? [],
            indexTitles: .none)
    }

    func cell(_ column: Int, of row: Row) -> Cell? {
        guard let place = places[column], row.cells.indices.contains(place) else { return nil }
        return row.cells[place]
    }

    /// The row's section; nil when the list has none, or the column is not here. Flat results are
    /// in the order of the sections, too.
    func section(of row: Row) -> SectionValue? {
        guard let column = grouping.column, let cell = cell(column, of: row) else { return nil }
        return SectionValue(
            cell, of: list.columns[column], by: grouping.expression,
            usesTwelveHours: grouping.usesTwelveHours)
    }

    func title(_ value: String) -> String {
        // By scalars: what stands behind the braces may form one character with them.
        guard let template = grouping.titleTemplate?.unicodeScalars,
            let place = template.firstRange(of: "{}".unicodeScalars)
        else { return value }
        return String(template[..<place.lowerBound]) + value
            + String(template[place.upperBound...])
    }

    /// Whether the query can have found the row; true if the cells leave it open.
    func matches(_ row: Row) -> Bool {
        tests.allSatisfy { test in
            test.columns.contains { column in
                cell(column, of: row).map { test.passes($0, list.columns[column]) ?? true } ?? true
            }
        }
    }

    /// Whether the query leaves rows out.
    var isSearch: Bool { !tests.isEmpty }

    /// What it asks for, in words.
    var what: String {
        let search = query.search.map { ["“\($0.text)” in \($0.scope ?? "the first scope")"] }
        let conditions = query.conditions.map {
            "\($0.column) \($0.comparison) \($0.values)"
        }
        return ((search ?? []) + conditions).joined(separator: ", ")
    }
}
