import ValetModel
import ValetReference
import ValetStore

/// Measures of the rows that were found, or of one section of them.
extension QueryOracle {
    func rows(ofSection section: Int?, _ measures: [Measure]) throws -> Aggregates.Rows {
        let place = section.map { " WHERE section = \($0)" } ?? ""
        var count = 0
        try connection.forEach("SELECT count(*) FROM answer\(place)") {
            count = Int($0.integer(0))
        }
        return Aggregates.Rows(count: count, values: try measures.map { try value($0, section) })
    }

    private func value(_ measure: Measure, _ section: Int?) throws -> AggregateValue {
        let column = column(measure.column)
        let place = section.map { " AND section = \($0)" } ?? ""
        let rows = "FROM answer JOIN shadow USING (id) WHERE NOT m\(column)\(place)"
        switch measure.function {
        case .count: return try first("SELECT count(*) \(rows)")
        case .distinct:
            let values = "knfb".map { "\($0)\(column)" }.joined(separator: ", ")
            return try first("SELECT count(*) FROM (SELECT DISTINCT \(values) \(rows))")
        case .least, .greatest:
            let direction = measure.function == .least ? "" : " DESC"
            let order = "knfb".map { "\($0)\(column)\(direction)" }.joined(separator: ", ")
            return try first("SELECT v\(column) \(rows) ORDER BY \(order), ordinal LIMIT 1")
        case .sum, .mean:
            return try sum(column, rows, isMean: measure.function == .mean)
        }
    }

    private func first(_ query: SQLPiece) throws -> AggregateValue {
        var value = AggregateValue.none
        try connection.forEach(query) { value = .cell($0.cell(0)) }
        return value
    }

    /// SQLite's own sum of integers overflows, and that of reals depends on their order.
    private func sum(_ column: Int, _ rows: String, isMean: Bool) throws -> AggregateValue {
        var numbers: [Cell] = []
        try connection.forEach("SELECT n\(column) \(rows)") { numbers.append($0.cell(0)) }
        return ReferenceAggregate(numbers, of: list.columns[column]).value(isMean ? .mean : .sum)
    }
}
