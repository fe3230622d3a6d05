import ValetModel

/// An aggregate of one column.
package struct ColumnMeasure: Hashable, Sendable {
    package var column: Int
    package var function: AggregateFunction

    package init(column: Int, function: AggregateFunction) {
        self.column = column
        self.function = function
    }
}

extension Arrangement {
    /// The rows of a section; nil if there is none of that ordinal.
    package func rows(ofSection section: Int) -> Range<Int>? {
        guard section >= 0, section < sectionCount else { return nil }
        return order.firstRow(ofSection: section)..<order.firstRow(ofSection: section + 1)
    }

    /// The measures over a range of rows, which must exist, in one walk over its leaves: O(rows).
    /// The columns must be loaded.
    package func aggregates(
        _ measures: [ColumnMeasure], over range: Range<Int>, in cache: ColumnCache,
        isCancelled: () -> Bool = { false }
    ) throws(CancellationError) -> [AggregateValue] {
        precondition(range.lowerBound >= 0 && range.upperBound <= rowCount)
        var columns: [Int] = []
        for measure in measures where !columns.contains(measure.column) {
            columns.append(measure.column)
        }
        var aggregates = columns.map { column in
            let functions = Set(measures.filter { $0.column == column }.map(\.function))
            return ColumnAggregate(functions, of: cache.column(column), rows: range.count)
        }
        var ordinal = range.lowerBound
        while ordinal < range.upperBound {
            if isCancelled() { throw CancellationError() }
            let leaf = order.leaf(at: ordinal)
            let end = min(leaf.first + leaf.rows, range.upperBound)
            for index in aggregates.indices {
                aggregates[index].add(leaf, rows: ordinal - leaf.first..<end - leaf.first)
            }
            ordinal = end
        }
        for index in aggregates.indices { try aggregates[index].finish(isCancelled) }
        return measures.map { measure in
            aggregates[columns.firstIndex(of: measure.column)!].value(measure.function)
        }
    }
}
