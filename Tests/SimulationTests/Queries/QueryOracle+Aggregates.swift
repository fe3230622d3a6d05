import ValetModel
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
        let number = "n\(column)"
        var (whole, count, reals) = (Int128(0), 0, 0)
        try connection.forEach(
            """
            SELECT count(\(number)), count(CASE typeof(\(number)) WHEN 'real' THEN 1 END),
            sum(CASE typeof(\(number)) WHEN 'integer' THEN \(number) >> 32 END),
            sum(CASE typeof(\(number)) WHEN 'integer' THEN \(number) & 4294967295 END) \(rows)
            """
        ) {
            (count, reals) = (Int($0.integer(0)), Int($0.integer(1)))
            whole = Int128($0.integer(2)) << 32 + Int128($0.integer(3))
        }
        if count == 0 { return .none }
        if reals == 0 {
            return isMean ? .cell(.real(Double(whole) / Double(count))) : AggregateValue(whole)
        }
        var sum = SumOfParts()
        sum.add(whole)
        try connection.forEach("SELECT \(number) \(rows) AND typeof(\(number)) = 'real'") {
            if case .real(let real) = $0.value(0) { sum.add(real) }
        }
        if sum.total.isNaN { return .none }
        return .cell(.real(isMean ? sum.total / Double(count) : sum.total))
    }
}

/// An exact sum, as parts that don't overlap (Shewchuk 1997).
private struct SumOfParts {
    private var parts: [Double] = []
    /// Infinities, and NaN if they cancel out.
    private var beyond = 0.0

    mutating func add(_ whole: Int128) {
        let half = Int128(1) << 32
        var (rest, scale) = (whole, 1.0)
        while rest != 0 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: half)
            add(Double(remainder) * scale)
            (rest, scale) = (quotient, scale * 0x1p32)
        }
    }

    mutating func add(_ real: Double) {
        guard real.isFinite else {
            beyond += real
            return
        }
        var (sum, kept) = (real, [Double]())
        for part in parts {
            let (large, small) = abs(sum) < abs(part) ? (part, sum) : (sum, part)
            sum = large + small
            let rest = small - (sum - large)
            if rest != 0 { kept.append(rest) }
        }
        parts = kept + [sum]
    }

    var total: Double { beyond.isFinite ? parts.reversed().reduce(0, +) : beyond }
}
