import ValetModel

/// The aggregates of one column over rows that are added leaf by leaf.
///
/// Numbers are worked on row by row. Codes are counted first, so that a text is read once for each
/// distinct value.
struct ColumnAggregate {
    private let column: Column
    private let rows: Int
    private let needsSum: Bool
    private let needsOrder: Bool
    private let needsDistinct: Bool
    private let needsCodes: Bool
    private var row = 0
    private var count = 0
    private var sum = ExactSum()
    private var least: Extreme?
    private var greatest: Extreme?
    private var distinct: DistinctValues
    /// nil until there is a code.
    private var tally: CodeTally?

    /// A value and the first row that has it, or an equal one.
    private struct Extreme {
        let value: KeyValue
        let row: Int
    }

    /// - Parameter rows: the number of rows that will be added.
    init(_ functions: Set<AggregateFunction>, of column: Column, rows: Int) {
        self.column = column
        self.rows = rows
        needsSum = functions.contains(.sum) || functions.contains(.mean)
        needsOrder = functions.contains(.least) || functions.contains(.greatest)
        needsDistinct = functions.contains(.distinct)
        needsCodes = needsOrder || needsDistinct || needsSum && !column.dictionary.isAllText
        distinct = DistinctValues(in: column.dictionary, most: rows)
    }

    mutating func add(_ leaf: OrderTree.LeafPlace, rows: Range<Int>) {
        for index in rows {
            switch column.stored(leaf.leaf[index]) {
            case .missing: break
            case .integer(let number):
                count += 1
                if needsSum { sum.add(number) }
                if needsOrder, !isWithin(number) { compare(.integer(number), row: row) }
                if needsDistinct { distinct.insert(number) }
            case .real(let real):
                count += 1
                if needsSum { sum.add(real) }
                if needsOrder, !isWithin(real) { compare(.real(real), row: row) }
                if needsDistinct { distinct.insert(real) }
            case .code(let code):
                count += 1
                if needsCodes { add(code) }
            }
            row += 1
        }
    }

    @inline(__always)
    private mutating func add(_ code: UInt32) {
        if tally == nil { tally = CodeTally(rows: rows, codes: column.dictionary.count) }
        tally?.add(code, row: row)
    }

    /// Works on the codes, after the last row.
    mutating func finish(_ isCancelled: () -> Bool) throws(CancellationError) {
        var check = CancellationCheck()
        for entry in tally?.entries ?? [] {
            try check.step(isCancelled)
            let value = column.value(of: entry.code)
            if needsSum {
                switch value {
                case .integer(let number): sum.add(number, times: entry.count)
                case .real(let real): sum.add(real, times: entry.count)
                case .missing, .text, .blob: break
                }
            }
            if needsOrder { compare(value, row: entry.row) }
            if needsDistinct { distinct.insert(code: entry.code) }
        }
        tally = nil
    }

    /// Whether a later row's number changes neither extreme: most don't, in a column of one kind.
    @inline(__always)
    private func isWithin(_ number: Int64) -> Bool {
        guard case .integer(let low)? = least?.value, case .integer(let high)? = greatest?.value
        else { return false }
        return low <= number && number <= high
    }

    @inline(__always)
    private func isWithin(_ real: Double) -> Bool {
        guard case .real(let low)? = least?.value, case .real(let high)? = greatest?.value
        else { return false }
        return low <= real && real <= high
    }

    @inline(__always)
    private mutating func compare(_ value: KeyValue, row: Int) {
        if let least, !precedes(value, row, least, isDescending: false) {
        } else {
            least = Extreme(value: value, row: row)
        }
        if let greatest, !precedes(value, row, greatest, isDescending: true) {
        } else {
            greatest = Extreme(value: value, row: row)
        }
    }

    @inline(__always)
    private func precedes(
        _ value: KeyValue, _ row: Int, _ other: Extreme, isDescending: Bool
    ) -> Bool {
        let order = column.compare(value, other.value, isDescending: isDescending)
        return order != 0 ? order < 0 : row < other.row
    }

    func value(_ function: AggregateFunction) -> AggregateValue {
        switch function {
        case .count: .cell(.integer(Int64(count)))
        case .sum: sum.sum
        case .mean: sum.mean
        case .least: cell(least)
        case .greatest: cell(greatest)
        case .distinct: .cell(.integer(Int64(distinct.count)))
        }
    }

    private func cell(_ extreme: Extreme?) -> AggregateValue {
        switch extreme?.value {
        case nil, .missing: .none
        case .integer(let number): .cell(.integer(number))
        case .real(let real): .cell(.real(real))
        case .blob(let byteCount): .cell(.blob(bytes: [], byteCount: byteCount))
        case .text(let code):
            column.dictionary.withEntry(code) { entry in
                guard case .text(let raw, _) = entry else { return .none }
                return .cell(Cell(textBytes: raw))
            }
        }
    }
}
