import ValetModel

/// Everything that determines an arrangement. Views with equal specifications share one.
package struct ArrangementSpecification: Hashable, Sendable {
    /// nil unless sections are made by a column.
    package var sectionColumn: Int?
    package var expression: SectionExpression
    package var isDescending: Bool
    /// Where clocks show the dates and hours of the sections; nil for UTC and other sections.
    package let zone: ZoneClock?
    /// Order of the rows inside a section; ties break by row id, ascending.
    package var rowOrder: [SortKey]
    /// nil for all rows.
    package var filter: Filter?
    /// The same order without section borders: flat search results.
    package var isFlat: Bool

    package init(
        sectionColumn: Int?, expression: SectionExpression, isDescending: Bool = false,
        zone: ZoneClock? = nil, rowOrder: [SortKey] = [], filter: Filter? = nil,
        isFlat: Bool = false
    ) {
        precondition((sectionColumn == nil) == (expression == .none))
        self.sectionColumn = sectionColumn
        self.expression = expression
        self.isDescending = isDescending
        self.zone = expression.isOfTime ? zone : nil
        self.rowOrder = rowOrder
        self.filter = filter
        self.isFlat = isFlat
    }

    /// The arrangement of all rows that this one filters.
    package var base: ArrangementSpecification {
        var base = self
        base.filter = nil
        base.isFlat = false
        return base
    }

    /// Columns whose values determine a row's place.
    package var orderColumns: Set<Int> {
        Set(rowOrder.map(\.column) + [sectionColumn].compactMap(\.self))
    }

    /// Columns that must be loaded first.
    package var columns: Set<Int> { orderColumns.union(filter?.columns ?? []) }
}
