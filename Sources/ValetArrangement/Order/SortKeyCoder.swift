import ValetModel

/// Turns the values of a column into whole numbers of `bits` bits.
protocol KeyCoder {
    var bits: Int { get }
    /// Calls `body` with each slot's key, in slot order.
    func forEachKey(_ body: (_ slot: Int, _ key: UInt64) -> Void)
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
        let summary = ColumnSummary(column)
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
            let order = Self.comparedRanks(
                of: column, slotCount: slotCount, isDescending: isDescending)
            form = .slots(order.table)
            highestKey = UInt64(order.count)
        }
        missing = highestKey
        bits = UInt64.bitWidth - highestKey.leadingZeroBitCount
    }

    @inline(__always)
    func forEachKey(_ body: (_ slot: Int, _ key: UInt64) -> Void) {
        for number in 0..<column.chunks.count {
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

    init(_ column: Column) {
        var bounds: ClosedRange<Int64>?
        var scales: Set<Int> = []
        var hasPlainReals = false
        for index in 0..<column.chunks.count {
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
    /// Ranks by code, equal for codes of equal folded forms, and how many ranks there are.
    private static func ranks(
        of column: Column, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) -> (table: [UInt32], count: Int) {
        let dictionary = column.dictionary
        guard dictionary.isAllText else {
            return denseRanks(count: dictionary.count) {
                column.compare(
                    column.value(of: $0), column.value(of: $1), isDescending: isDescending)
            }
        }
        // Most texts differ in their first eight bytes, which compare as one number.
        struct Entry {
            var prefix: UInt64
            var code: UInt32
        }
        var entries: [Entry] = []
        entries.reserveCapacity(dictionary.count)
        dictionary.forEachEntry { code, entry in
            guard case .text(_, let folded) = entry else { return }
            entries.append(Entry(prefix: prefix(of: folded), code: UInt32(code)))
        }
        func order(_ left: Entry, _ right: Entry) -> Int {
            if left.prefix != right.prefix { return left.prefix < right.prefix ? -1 : 1 }
            return column.compare(
                .text(code: left.code), .text(code: right.code), isDescending: false)
        }
        try RadixSort.sort(&entries, by: 0..<64, isCancelled: isCancelled) { $0.prefix }
        var start = 0
        while start < entries.count {
            let rest = entries[start...].dropFirst()
            let end = rest.firstIndex { $0.prefix != entries[start].prefix } ?? entries.count
            if end - start > 1 { entries[start..<end].sort { order($0, $1) < 0 } }
            start = end
        }
        var table = [UInt32](repeating: 0, count: entries.count)
        var rank: UInt32 = 0
        for index in entries.indices {
            if index > 0, order(entries[index - 1], entries[index]) != 0 { rank += 1 }
            table[Int(entries[index].code)] = rank
        }
        if isDescending { for code in table.indices { table[code] = rank - table[code] } }
        return (table, Int(rank) + 1)
    }

    private static func prefix(of folded: UnsafeRawBufferPointer) -> UInt64 {
        if folded.count >= 8 {
            return UInt64(bigEndian: folded.loadUnaligned(as: UInt64.self))
        }
        var prefix: UInt64 = 0
        for byte in folded { prefix = prefix << 8 | UInt64(byte) }
        return folded.isEmpty ? 0 : prefix << UInt64(8 * (8 - folded.count))
    }

    /// Ranks by slot, when numbers and codes stand in one column: rare, and slower.
    private static func comparedRanks(
        of column: Column, slotCount: Int, isDescending: Bool
    ) -> (table: [UInt32], count: Int) {
        denseRanks(count: slotCount) {
            column.compare(column[$0], column[$1], isDescending: isDescending)
        }
    }

    private static func denseRanks(
        count: Int, _ compare: (UInt32, UInt32) -> Int
    ) -> (table: [UInt32], count: Int) {
        let sorted = (0..<UInt32(count)).sorted { compare($0, $1) < 0 }
        var table = [UInt32](repeating: 0, count: count)
        var rank: UInt32 = 0
        for (index, item) in sorted.enumerated() {
            if index > 0, compare(sorted[index - 1], item) != 0 { rank += 1 }
            table[Int(item)] = rank
        }
        return (table, Int(rank) + 1)
    }
}
