import ValetClient
import ValetModel

/// What a view's answers must agree with: the list, the question, and what the server said of both.
struct Viewpoint: Sendable {
    let list: ListDescription
    let question: Question
    let summary: ViewSummary
    let grouping: Grouping
    /// Order of the rows inside a section.
    let rowOrder: [SortKey]
    /// Where a column's cell stands in a row; nil for a column that pages don't carry.
    private let places: [Int: Int]
    /// The folded search text; nil without one.
    let needle: [UInt8]?
    let scope: Scope?

    init(list: ListDescription, question: Question, summary: ViewSummary) {
        self.list = list
        self.question = question
        self.summary = summary
        grouping = Self.grouping(of: list, summary)
        if let sort = question.sort {
            let column = NameLookup.index(of: sort.column, in: list.columns, by: \.name)
            rowOrder = column.map { [SortKey(column: $0, isDescending: sort.isDescending)] } ?? []
        } else {
            rowOrder = grouping.rowOrder
        }
        places = Dictionary(
            summary.columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let needle = TextFolding.fold(question.search?.text ?? "")
        self.needle = needle.isEmpty ? nil : needle
        scope = question.search.flatMap { search in
            guard let name = search.scope else { return list.scopes.first }
            let index = NameLookup.index(of: name, in: list.scopes, by: \.name)
            return index.map { list.scopes[$0] }
        }
    }

    /// One of the catalog's, or any column by its whole value.
    private static func grouping(of list: ListDescription, _ summary: ViewSummary) -> Grouping {
        if let known = NameLookup.index(of: summary.grouping, in: list.groupings, by: \.name) {
            return list.groupings[known]
        }
        return Grouping(
            name: summary.grouping, column: summary.groupingColumn, expression: .wholeValue,
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

    /// Whether the search can have found the row; true if the cells leave it open.
    func matches(_ row: Row) -> Bool {
        guard isSearch else { return true }
        return searchedColumns.contains { column in
            cell(column, of: row).map { matches($0, of: column) ?? true } ?? true
        }
    }

    /// Whether the search finds this cell of a searched column; nil if the cell leaves it open.
    func matches(_ cell: Cell, of column: Int) -> Bool? {
        guard let needle, let scope else { return nil }
        let folded: [UInt8]
        switch OrderKey(cell, of: list.columns[column]) {
        case .missing, .blob: return false
        case .number(let number): folded = Array("\(number)".utf8)
        case .real(let real): folded = TextFolding.fold(String(real))
        case .text(_, isCut: true): return nil
        case .text(let text, isCut: false): folded = text
        }
        guard Self.has(needle, folded, scope.match) else { return false }
        return scope.lengths?.contains(length(of: cell, in: column)) ?? true
    }

    /// Characters as they are written.
    private func length(of cell: Cell, in column: Int) -> Int {
        switch cell {
        case .null: list.columns[column].defaultText.count
        case .integer(let number): String(number).count
        case .real(let real): String(real).count
        case .text(""): list.columns[column].defaultText.count
        case .text(let text), .cutText(let text, _): text.count
        case .malformedText(let bytes, _): String(decoding: bytes, as: UTF8.self).count
        case .blob: 0
        }
    }

    /// Whether the question leaves rows out.
    var isSearch: Bool { needle != nil && scope != nil }

    var searchedColumns: [Int] { scope.map { columns(of: $0) } ?? [] }

    private func columns(of scope: Scope) -> [Int] {
        switch scope.columns {
        case .columns(let columns): columns
        case .currentGrouping:
            grouping.column.map { [$0] }
                ?? list.columns.indices.filter { list.columns[$0].isText }
        }
    }

    private static func has(_ needle: [UInt8], _ text: [UInt8], _ match: TextMatch) -> Bool {
        switch match {
        case .beginsWith: return text.starts(with: needle)
        case .contains:
            guard text.count >= needle.count else { return false }
            return (0...(text.count - needle.count)).contains { start in
                text[start] == needle[0] && text[start...].starts(with: needle)
            }
        }
    }
}
