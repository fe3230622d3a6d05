import ValetModel

/// Turns one column's values into whole numbers with the same order, of as few bits as possible, so
/// that the keys of a row fit one word and sort by radix.
///
/// The numbers are scratch of one build: a rank is never kept, so a new value re-ranks nothing.
struct SortKeyCoder {
    private enum Form {
        /// By dictionary code.
        case ranks([UInt32])
        /// A number in lowest…highest, or that number of a power of ten.
        case numbers(lowest: Int64, highest: Int64, scale: Int?)
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
    init(_ column: Column, slotCount: Int, isDescending: Bool) {
        self.column = column
        self.isDescending = isDescending
        let summary = ColumnSummary(column)
        let highestKey: UInt64
        if summary.isOnlyCodes || column.isText {
            let ranks = Self.ranks(of: column, isDescending: isDescending)
            form = .ranks(ranks.table)
            highestKey = UInt64(ranks.count)
        } else if let numbers = summary.numbers {
            form = .numbers(
                lowest: numbers.lowest, highest: numbers.highest, scale: summary.scale)
            highestKey = UInt64(numbers.highest - numbers.lowest) + 1
        } else if summary.isOnlyReals {
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

    /// Calls `body` with each slot's key, in slot order.
    func forEachKey(_ body: (_ slot: Int, _ key: UInt64) -> Void) {
        var slot = 0
        for index in 0..<column.chunks.count {
            let chunk = column.chunks[index]
            for place in 0..<chunk.count {
                body(slot, key(of: chunk[place], slot: slot))
                slot += 1
            }
        }
    }

    private func key(of value: ChunkValue, slot: Int) -> UInt64 {
        switch form {
        case .ranks(let table):
            switch value {
            case .code(let code): return UInt64(table[Int(code)])
            case .missing: return column.defaultCode.map { UInt64(table[Int($0)]) } ?? missing
            case .integer, .real: preconditionFailure("a number without a code")
            }
        case .numbers(let lowest, let highest, let scale):
            let number: Int64
            switch value {
            case .missing: return missing
            case .integer(let whole): number = whole
            case .real(let real): number = Decimals.number(of: real, scale: scale!)!
            case .code: preconditionFailure("a code among numbers")
            }
            return UInt64(isDescending ? highest - number : number - lowest)
        case .doubles:
            guard case .real(let real) = value else { return missing }
            // −0 and 0 are one value; the sign bit turns the others into unsigned order.
            let pattern = (real == 0 ? 0 : real).bitPattern
            let ascending = pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
            return isDescending ? ~ascending : ascending
        case .slots(let table):
            return UInt64(table[slot])
        }
    }
}

/// What kinds of value a column has, and between which numbers they lie.
private struct ColumnSummary {
    private(set) var isOnlyCodes = true
    private(set) var isOnlyReals = true
    /// Lowest and highest, when all values are whole numbers, or decimals of one scale.
    private(set) var numbers: (lowest: Int64, highest: Int64)?
    private(set) var scale: Int?

    init(_ column: Column) {
        var lowest = Int64.max
        var highest = Int64.min
        var scales: Set<Int?> = []
        var isOnlyNumbers = true
        for index in 0..<column.chunks.count {
            let chunk = column.chunks[index]
            let scale: Int? = if case .decimal(let scale) = chunk.kind { scale } else { nil }
            for place in 0..<chunk.count {
                switch chunk[place] {
                case .missing: continue
                case .code:
                    isOnlyReals = false
                    isOnlyNumbers = false
                case .integer(let number):
                    isOnlyCodes = false
                    isOnlyReals = false
                    scales.insert(nil)
                    lowest = min(lowest, number)
                    highest = max(highest, number)
                case .real(let real):
                    isOnlyCodes = false
                    guard let scale, let number = Decimals.number(of: real, scale: scale) else {
                        isOnlyNumbers = false
                        continue
                    }
                    scales.insert(scale)
                    lowest = min(lowest, number)
                    highest = max(highest, number)
                }
            }
        }
        guard isOnlyNumbers, scales.count == 1, let scale = scales.first,
            !highest.subtractingReportingOverflow(lowest).overflow,
            highest - lowest < .max
        else { return }
        numbers = (lowest, highest)
        self.scale = scale
    }
}

extension SortKeyCoder {
    /// Ranks by code, equal for codes of equal folded forms, and how many ranks there are.
    private static func ranks(
        of column: Column, isDescending: Bool
    ) -> (table: [UInt32], count: Int) {
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
        RadixSort.sort(&entries, by: 0..<64) { $0.prefix }
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
