import ValetModel

/// What a query of a list must find, in which order and in which sections, by the rules of
/// PROTOCOL.md and as plainly as can be: cell by cell.
///
/// Servers are checked against it. So it shares with them the values of ValetModel, among them the
/// folding of texts and the clocks of zones, and nothing that finds, sorts or divides rows. A row
/// may be what a page carried: where a cell that is cut or left out would decide, there is no
/// answer.
package struct ReferenceQuery: Sendable {
    package let list: ListDescription
    package let grouping: Grouping
    /// Order of the rows inside a section.
    package let rowOrder: [SortKey]
    /// Flat results are in the order of the sections, too.
    package let isSectioned: Bool
    /// What a row must pass.
    package let tests: [RowTest]
    /// Where a column's cell stands in a row; nil for a column that rows don't carry.
    private let places: [Int: Int]

    /// - Parameter columns: those whose cells rows carry, in their order; nil for all of the list.
    package init(_ query: Query, in list: ListDescription, columns: [Int]? = nil) {
        self.list = list
        let grouping = Self.grouping(of: query, in: list)
        self.grouping = grouping
        rowOrder =
            query.sort.isEmpty
            ? grouping.rowOrder
            : query.sort.compactMap { sort in
                NameLookup.index(of: sort.column, in: list.columns, by: \.name)
                    .map { SortKey(column: $0, isDescending: sort.isDescending) }
            }
        let scope = query.search.flatMap { Self.scope($0, in: list) }
        let searchTests =
            scope.map {
                RowTest.search(
                    query.search?.text ?? "", $0, in: list, groupingColumn: grouping.column)
            } ?? []
        let isFlat = scope?.isFlat == true && !searchTests.isEmpty && query.expression == nil
        isSectioned = grouping.column != nil && !isFlat
        tests =
            searchTests + (list.conditions + query.conditions).compactMap { RowTest($0, in: list) }
        places = Dictionary(
            (columns ?? Array(list.columns.indices)).enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// One of the catalog's, or any column by its whole value or the query's expression.
    private static func grouping(of query: Query, in list: ListDescription) -> Grouping {
        let named = query.expression == nil ? list.groupings : []
        let names = named.map(\.name) + list.columns.map(\.name)
        let place = query.grouping.map { NameLookup.index(of: $0, in: names, by: \.self) } ?? 0
        guard let place, place < names.count else {
            return Grouping(name: "", column: nil, expression: .none, indexTitles: .none)
        }
        if place < named.count { return named[place] }
        let (column, expression) = (place - named.count, query.expression ?? .wholeValue)
        return Grouping(
            name: names[place], column: expression == .none ? nil : column, expression: expression,
            rowOrder: list.titleColumn.map { [SortKey(column: $0)] } ?? [],
            indexTitles: list.columns[column].isText ? .firstLetter : .wholeValue)
    }

    private static func scope(_ search: Query.Search, in list: ListDescription) -> Scope? {
        guard let name = search.scope else { return list.scopes.first }
        return NameLookup.index(of: name, in: list.scopes, by: \.name).map { list.scopes[$0] }
    }

    private func cell(_ column: Int, of cells: [Cell]) -> Cell? {
        guard let place = places[column], cells.indices.contains(place) else { return nil }
        return cells[place]
    }

    /// Whether the query can have found a row of these cells; true if they leave it open.
    package func finds(_ cells: [Cell]) -> Bool {
        tests.allSatisfy { test in
            test.columns.contains { column in
                cell(column, of: cells).map { test.passes($0, list.columns[column]) ?? true }
                    ?? true
            }
        }
    }

    /// The row's section; nil when the list has none, or the column is not here.
    package func section(of cells: [Cell]) -> SectionValue? {
        section(of: cells, by: grouping.expression)
    }

    private func section(of cells: [Cell], by expression: SectionExpression) -> SectionValue? {
        guard let column = grouping.column, let cell = cell(column, of: cells) else { return nil }
        return SectionValue(
            cell, of: list.columns[column], by: expression,
            usesTwelveHours: grouping.usesTwelveHours)
    }

    /// How a section is titled whose first row has this value; nil when that can't be known.
    package func title(of section: SectionValue) -> String? {
        guard let value = section.title else { return nil }
        // By scalars: what stands behind the braces may form one character with them.
        guard let template = grouping.titleTemplate?.unicodeScalars,
            let place = template.firstRange(of: "{}".unicodeScalars)
        else { return value.cut(toBytes: Limits.bytesPerTitle) }
        let title =
            String(template[..<place.lowerBound]) + value + String(template[place.upperBound...])
        return title.cut(toBytes: Limits.bytesPerTitle)
    }

    /// The title under which the index has a section of this title; nil without an index.
    func indexTitle(ofSectionFrom cells: [Cell], title: String) -> String? {
        switch grouping.indexTitles {
        case .none: nil
        case _ where section(of: cells)?.isUnknown == true: ColumnDescription.missing
        case .wholeValue: title
        case .firstLetter: section(of: cells, by: .firstLetter)?.title
        }
    }
}

// MARK: - Order

extension ReferenceQuery {
    /// What decides where a row stands among others.
    package struct Place: Sendable {
        package let section: SectionValue?
        /// nil for what is not here.
        fileprivate let keys: [OrderKey?]
        let id: Int64
    }

    package func place(of id: Int64, _ cells: [Cell]) -> Place {
        Place(
            section: section(of: cells),
            keys: rowOrder.map { sort in
                cell(sort.column, of: cells).map { OrderKey($0) }
            }, id: id)
    }

    /// nil when what is cut or left out would decide.
    package func compare(_ left: Place, _ right: Place) -> Int? {
        if grouping.column != nil {
            guard let a = left.section, let b = right.section,
                let order = SectionValue.compare(a, b, isDescending: grouping.isDescending)
            else { return nil }
            if order != 0 { return order }
        }
        for (index, sort) in rowOrder.enumerated() {
            guard let a = left.keys[index], let b = right.keys[index],
                let order = OrderKey.compare(a, b, isDescending: sort.isDescending)
            else { return nil }
            if order != 0 { return order }
        }
        return left.id < right.id ? -1 : left.id > right.id ? 1 : 0
    }
}
