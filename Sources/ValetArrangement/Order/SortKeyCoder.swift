import ValetModel

/// Turns the values of a column into integers of `bits` bits.
protocol KeyCoder {
    var bits: Int { get }
    /// Calls `body` with each slot's key, in slot order; polls for cancellation at each chunk.
    func forEachKey(
        isCancelled: () -> Bool, _ body: (_ slot: Int, _ key: UInt64) -> Void
    ) throws(CancellationError)
}

/// Maps a column's values to order-preserving integers of as few bits as possible, so that a row's
/// keys fit one word and can be radix-sorted.
///
/// The integers belong to one build: no rank is kept, so a new value never forces a re-ranking.
struct SortKeyCoder: KeyCoder {
    private enum Form {
        /// Indexed by dictionary code, for columns without numbers.
        case ranks([UInt32])
        /// For integers, or decimals of one scale, relative to the lowest; codes have their own
        /// keys.
        case numbers(from: Int64, codes: [UInt64])
        /// For numbers that are all exact doubles; codes have their own keys.
        case doubles(codes: [UInt64])
        /// Indexed by slot, for values that only comparison can order.
        case slots([UInt32])
    }

    let bits: Int
    private let column: Column
    private let isDescending: Bool
    private let form: Form
    /// The highest key of a number or code in ascending order.
    private let last: UInt64
    private let missing: UInt64

    /// Codes a column by its whole values.
    init(
        _ column: Column, slotCount: Int, isDescending: Bool, isCancelled: () -> Bool
    ) throws(CancellationError) {
        self.column = column
        self.isDescending = isDescending
        let summary = try ColumnSummary(column, isCancelled: isCancelled)
        if !summary.hasNumbers {
            let ranks = try Ranks(
                codesOf: column, withNumbers: true, isDescending: isDescending,
                isCancelled: isCancelled)
            form = .ranks(ranks.table)
            last = UInt64(max(1, ranks.count)) - 1
        } else if let numbers = summary.numbers {
            let lowest = numbers.lowerBound
            let codes = try CodeKeys(
                column, behind: UInt64(numbers.upperBound - lowest), isCancelled: isCancelled
            ) { value in
                guard case .integer(let number) = value else { return nil }
                return UInt64(number - lowest)
            }
            form = .numbers(from: lowest, codes: codes.table)
            last = codes.last
        } else if summary.areDoubles {
            let codes = try CodeKeys(
                column, behind: Self.key(ofReal: .infinity), isCancelled: isCancelled
            ) { value in
                switch value {
                case .integer(let number): Self.key(ofReal: Double(number))
                case .real(let real): Self.key(ofReal: real)
                case .text, .blob, .missing: nil
                }
            }
            form = .doubles(codes: codes.table)
            last = codes.last
        } else {
            // Rare and slower: integers that span more than 63 bits, or that stand among reals
            // without being exact doubles.
            let ranks = try Ranks(count: slotCount, isCancelled: isCancelled) {
                column.compare(column[$0], column[$1], isDescending: isDescending)
            }
            form = .slots(ranks.table)
            last = UInt64(max(1, ranks.count)) - 1
        }
        missing = last + 1
        bits = UInt64.bitWidth - missing.leadingZeroBitCount
    }

    @inline(__always)
    func forEachKey(
        isCancelled: () -> Bool, _ body: (_ slot: Int, _ key: UInt64) -> Void
    ) throws(CancellationError) {
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            switch (form, chunk.kind) {
            case (.ranks(let table), _):
                chunk.forEachNumber {
                    body(first + $0, $1.map { UInt64(table[Int($0)]) } ?? missing)
                }
            case (.numbers(_, let codes), .code), (.doubles(let codes), .code):
                chunk.forEachNumber {
                    body(first + $0, $1.map { directed(codes[Int($0)]) } ?? missing)
                }
            case (.numbers(let lowest, _), _):
                chunk.forEachNumber {
                    body(first + $0, $1.map { directed(UInt64($0 - lowest)) } ?? missing)
                }
            case (.doubles, .integer):
                chunk.forEachNumber { index, number in
                    let key = number.map { directed(Self.key(ofReal: Double($0))) }
                    body(first + index, key ?? missing)
                }
            case (.doubles, _):
                chunk.forEachReal {
                    body(first + $0, $1.map { directed(Self.key(ofReal: $0)) } ?? missing)
                }
            case (.slots(let table), _):
                for slot in first..<first + chunk.count { body(slot, UInt64(table[slot])) }
            }
        }
    }

    @inline(__always)
    private func directed(_ key: UInt64) -> UInt64 { isDescending ? last - key : key }

    @inline(__always)
    private static func key(ofReal real: Double) -> UInt64 {
        // −0 and 0 are equal; flipping the sign bit turns the order into an unsigned one.
        let pattern = (real == 0 ? 0 : real).bitPattern
        return pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
    }
}

/// Ascending keys by dictionary code for columns that also have numbers: numbers with codes get
/// number keys, and other values come after all numbers.
private struct CodeKeys {
    private(set) var table: [UInt64] = []
    private(set) var last: UInt64

    /// - Parameter number: the key of a number; nil for other values.
    init(
        _ column: Column, behind lastNumber: UInt64, isCancelled: () -> Bool,
        number: (KeyValue) -> UInt64?
    ) throws(CancellationError) {
        last = lastNumber
        guard column.dictionary.count > 0 else { return }
        let others = try Ranks(
            codesOf: column, withNumbers: false, isDescending: false, isCancelled: isCancelled)
        table = try Array(zeros: column.dictionary.count, unless: isCancelled)
        var check = CancellationCheck()
        for code in table.indices {
            try check.step(isCancelled)
            table[code] =
                number(column.value(of: UInt32(code)))
                ?? lastNumber + 1 + UInt64(others.table[code])
        }
        last += UInt64(others.count)
    }
}

/// The kinds and bounds of a column's numbers. In a text column no value counts as one.
private struct ColumnSummary {
    private(set) var hasNumbers = false
    /// The scaled bounds, if all numbers are integers or decimals of one scale.
    private(set) var numbers: ClosedRange<Int64>?
    /// Whether every number is an exact double.
    private(set) var areDoubles = true

    /// The range of integers that are all exact doubles.
    private static let doubles = -(1 << 53)...(1 << 53) as ClosedRange<Int64>

    init(_ column: Column, isCancelled: () -> Bool) throws(CancellationError) {
        guard !column.isText else { return }
        var bounds: ClosedRange<Int64>?
        var scales: Set<Int> = []
        var hasPlainReals = false
        func add(_ found: ClosedRange<Int64>, scale: Int?) {
            let low = min(found.lowerBound, bounds?.lowerBound ?? .max)
            bounds = low...max(found.upperBound, bounds?.upperBound ?? .min)
            scales.insert(scale ?? 0)
            if scale == nil, !Self.doubles.contains(found) { areDoubles = false }
        }
        for index in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[index]
            switch chunk.kind {
            case .code: break
            case .real: hasPlainReals = true
            case .integer:
                // Chunks of missing values only count as integers.
                if let found = chunk.numberBounds() { add(found, scale: nil) }
            case .decimal(let scale):
                if let found = chunk.numberBounds() { add(found, scale: scale) }
            }
        }
        // Entries that no row uses any more count too, since they have keys like all others.
        if !column.dictionary.isAllText {
            for number in 0..<column.dictionary.chunkCount {
                if isCancelled() { throw CancellationError() }
                column.dictionary.withChunk(number) {
                    $0.forEachEntry { _, entry in
                        switch entry {
                        case .integer(let number): add(number...number, scale: nil)
                        case .real: hasPlainReals = true
                        case .text, .blob: break
                        }
                    }
                }
            }
        }
        hasNumbers = bounds != nil || hasPlainReals
        guard let bounds, scales.count == 1, !hasPlainReals else { return }
        let (range, overflow) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
        if !overflow, range < .max { numbers = bounds }
    }
}
