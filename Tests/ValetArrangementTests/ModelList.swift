import ValetArrangement
import ValetModel
import ValetReference

/// A list as plain rows, and its arrangements as the reference has them: what the module's answers
/// are held against.
struct ModelList {
    let description: ListDescription
    var rows: [Int64: [Cell]] = [:]

    init(_ description: ListDescription, rows: [Int64: [Cell]] = [:]) {
        self.description = description
        self.rows = rows
    }

    init(columns: [ColumnDescription], rows: [Int64: [Cell]] = [:]) {
        self.init(ListDescription(columns: columns), rows: rows)
    }

    /// One column, whose rows have the ids from 0 on.
    init(_ cells: [Cell], type: ColumnType = .text) {
        self.init(columns: [ColumnDescription(name: "value", type: type)])
        for (id, cell) in cells.enumerated() { rows[Int64(id)] = [cell] }
    }

    init(texts: some Sequence<String>) {
        self.init(texts.map(Cell.text))
    }

    var columns: [ColumnDescription] { description.columns }

    mutating func apply(_ change: RowChange) {
        switch change {
        case .insert(let id, let cells): rows[id] = columns.indices.map { cells[$0] ?? .null }
        case .delete(let id): rows[id] = nil
        case .update(let id, let cells):
            for (column, cell) in cells { rows[id]![column] = cell }
        }
    }

    /// In the order of the row ids.
    func cells(_ column: Int) -> [Cell] {
        rows.keys.sorted().map { rows[$0]![column] }
    }
}

extension ListDescription {
    init(columns: [ColumnDescription], timeZone: String? = nil) {
        self.init(
            name: "list", title: "list", columns: columns, titleColumn: nil, groupings: [],
            scopes: [], cell: .columns, timeZone: timeZone)
    }
}

/// A query, as the module is asked and as the reference is.
struct ListQuery {
    var specification: ArrangementSpecification
    let titles: SectionTitles
    private let reference: ReferenceQuery

    init(
        of list: ListDescription, by grouping: Grouping = .none, search: Search? = nil,
        conditions: [Condition] = []
    ) throws {
        var list = list
        (list.groupings, list.scopes) = ([grouping], [search?.scope].compactMap(\.self))
        reference = ReferenceQuery(
            Query(search: search.map { .init(text: $0.text) }, conditions: conditions), in: list)
        var tests =
            try search.map {
                try FilterTest.tests(of: $0.text, $0.scope, grouping, in: list)
            } ?? []
        let isFlat = search?.scope.isFlat == true && !tests.isEmpty
        for condition in conditions {
            tests += try FilterTest.tests(of: condition, in: list)
        }
        let column = grouping.column.map { list.columns[$0] }
        specification = ArrangementSpecification(
            sectionColumn: grouping.column, expression: grouping.expression,
            isDescending: grouping.isDescending, zone: column?.zone, rowOrder: grouping.rowOrder,
            filter: Filter(tests), isFlat: isFlat)
        titles = SectionTitles(
            template: grouping.titleTemplate, indexTitles: grouping.indexTitles,
            usesTwelveHours: grouping.usesTwelveHours, isBoolean: column?.type == .boolean)
    }

    struct Search {
        var text: String
        var scope: Scope

        init(
            _ text: String, columns: [Int] = [0], match: TextMatch = .contains,
            lengths: ClosedRange<Int>? = nil, isFlat: Bool = false
        ) {
            self.text = text
            scope = Scope(
                name: "scope", columns: .columns(columns), match: match, lengths: lengths,
                isFlat: isFlat)
        }
    }

    func arrangement(of list: ModelList) -> ReferenceArrangement {
        ReferenceArrangement(reference, of: list.rows)
    }
}

extension Grouping {
    static let none = Grouping.sections(by: nil)

    static func sections(
        by column: Int?, _ expression: SectionExpression = .wholeValue, isDescending: Bool = false,
        rowOrder: [SortKey] = [], indexTitles: IndexTitles = .none
    ) -> Grouping {
        Grouping(
            name: "grouping", column: column, expression: column == nil ? .none : expression,
            isDescending: isDescending, rowOrder: rowOrder, indexTitles: indexTitles)
    }
}
