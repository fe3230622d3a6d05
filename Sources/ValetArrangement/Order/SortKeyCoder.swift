import ValetModel

/// Turns the values of a column into whole numbers of `bits` bits.
protocol KeyCoder {
    var bits: Int { get }
    /// Calls `body` with each slot's key, in slot order. Asks at each chunk whether anyone still
    /// waits.
    func forEachKey(
        isCancelled: () -> Bool, _ body: (_ slot: Int, _ key: UInt64) -> Void
    ) throws(CancellationError)
}

/// Turns one column's values into whole numbers with the same order, of as few bits as possible, so
/// that the keys of a row fit one word and sort by radix.
///
/// The numbers are scratch of one build: a rank is never kept, so a new value re-ranks nothing.
struct SortKeyCoder: KeyCoder {
    private enum Form {
        /// By dictionary code.
        case ranks([UInt32])
        /// By whole number between these, or by decimal times its power of ten.
        case numbers(ClosedRange<Int64>)
        case doubles
        /// By slot: values that only comparison can order.
        case slots([UInt32])
    }

    let bits: Int
    private let column: Column
    private let isDescending: Bool
    private let form: Form
    private let missing: UInt64

    /// Order of a column's whole values.
    init(
        _ column: Column, slotCount: Int, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) {
        self.column = column
        self.isDescending = isDescending
        let summary = try ColumnSummary(column, isCancelled: isCancelled)
        let highestKey: UInt64
        if column.isText || !summary.hasIntegers && !summary.hasReals {
            let ranks = try Self.ranks(
                of: column, isDescending: isDescending, isCancelled: isCancelled)
            form = .ranks(ranks.table)
            highestKey = UInt64(ranks.count)
        } else if let numbers = summary.numbers {
            form = .numbers(numbers)
            highestKey = UInt64(numbers.upperBound - numbers.lowerBound) + 1
        } else if !summary.hasCodes && !summary.hasIntegers {
            form = .doubles
            highestKey = .max
        } else {
            // Rare, and slower: numbers and codes stand in one column.
            let ranks = try Ranks(count: slotCount, isCancelled: isCancelled) {
                column.compare(column[$0], column[$1], isDescending: isDescending)
            }
            form = .slots(ranks.table)
            highestKey = UInt64(ranks.count)
        }
        missing = highestKey
        bits = UInt64.bitWidth - highestKey.leadingZeroBitCount
    }

    @inline(__always)
    func forEachKey(
        isCancelled: () -> Bool, _ body: (_ slot: Int, _ key: UInt64) -> Void
    ) throws(CancellationError) {
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            switch form {
            case .ranks(let table):
                let missing = column.defaultCode.map { UInt64(table[Int($0)]) } ?? missing
                chunk.forEachNumber {
                    body(first + $0, $1.map { UInt64(table[Int($0)]) } ?? missing)
                }
            case .numbers(let bounds):
                chunk.forEachNumber { index, number in
                    let key = number.map {
                        isDescending ? bounds.upperBound - $0 : $0 - bounds.lowerBound
                    }
                    body(first + index, key.map { UInt64($0) } ?? missing)
                }
            case .doubles:
                guard chunk.kind != .integer else {
                    for index in 0..<chunk.count { body(first + index, missing) }
                    continue
                }
                chunk.forEachReal { body(first + $0, $1.map(key(ofReal:)) ?? missing) }
            case .slots(let table):
                for slot in first..<first + chunk.count { body(slot, UInt64(table[slot])) }
            }
        }
    }

    private func key(ofReal real: Double) -> UInt64 {
        // −0 and 0 are one value; the sign bit turns the others into unsigned order.
        let pattern = (real == 0 ? 0 : real).bitPattern
        let ascending = pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
        return isDescending ? ~ascending : ascending
    }
}

/// What kinds of value a column has, and between which numbers they lie.
private struct ColumnSummary {
    private(set) var hasCodes = false
    private(set) var hasIntegers = false
    private(set) var hasReals = false
    /// When all values are whole numbers, or decimals of one scale: those numbers' bounds.
    private(set) var numbers: ClosedRange<Int64>?

    init(_ column: Column, isCancelled: () -> Bool) throws(CancellationError) {
        var bounds: ClosedRange<Int64>?
        var scales: Set<Int> = []
        var hasPlainReals = false
        for index in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[index]
            switch chunk.kind {
            case .code: hasCodes = true
            case .real:
                hasReals = true
                hasPlainReals = true
            case .integer, .decimal:
                // Chunks of nothing but missing values count as whole numbers.
                guard let found = chunk.numberBounds() else { continue }
                let low = min(found.lowerBound, bounds?.lowerBound ?? .max)
                bounds = low...max(found.upperBound, bounds?.upperBound ?? .min)
                if case .decimal(let scale) = chunk.kind {
                    hasReals = true
                    scales.insert(scale)
                } else {
                    hasIntegers = true
                    scales.insert(0)
                }
            }
        }
        guard let bounds, scales.count == 1, !hasCodes, !hasPlainReals, !(hasIntegers && hasReals)
        else { return }
        let (range, overflow) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
        if !overflow, range < .max { numbers = bounds }
    }
}

extension SortKeyCoder {
    /// Ranks by code, equal for codes of equal folded forms.
    private static func ranks(
        of column: Column, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) -> Ranks {
        let dictionary = column.dictionary
        if dictionary.isAllText {
            return try Ranks(
                of: dictionary, isDescending: isDescending, isCancelled: isCancelled)
        }
        return try Ranks(count: dictionary.count, isCancelled: isCancelled) {
            column.compare(column.value(of: $0), column.value(of: $1), isDescending: isDescending)
        }
    }
}
