import ValetModel

/// A test of single values.
protocol ValueTest {
    func matches(_ entry: ValueDictionary.Entry) -> Bool
    func matches(_ number: Int64) -> Bool
    func matches(_ real: Double) -> Bool
    /// Whether a missing value passes.
    var matchesMissing: Bool { get }
    /// Whether all values that are not missing pass; nil if it depends on the value.
    var matchOfAll: Bool? { get }
    /// The numbers that pass, as chunks of a kind store them; nil where each number is tested.
    func passingNumbers(_ kind: ColumnChunk.Kind) -> PassingNumbers?
    /// Calls `body` with each matching text of a part of a chunk of nothing but text.
    func forEachMatch(in chunk: DictionaryChunk, _ part: Range<Int>, _ body: (_ index: Int) -> Void)
}

/// Numbers that pass: those in a few ranges, or all others.
struct PassingNumbers {
    /// Integers, or decimals times their power of ten.
    let ranges: [ClosedRange<Int64>]
    let isNegated: Bool

    /// A number is compared with each range that its chunk may have numbers of.
    static let mostRanges = 32
}

extension ValueTest {
    var matchOfAll: Bool? { nil }
    func passingNumbers(_ kind: ColumnChunk.Kind) -> PassingNumbers? { nil }

    /// Whether the value at a slot passes.
    func matches(_ slot: UInt32, in column: Column) -> Bool {
        switch column.stored(slot) {
        case .missing: matchesMissing
        case .integer(let number): matches(number)
        case .real(let real): matches(real)
        case .code(let code): column.dictionary.withEntry(code) { matches($0) }
        }
    }

    @inline(__always)
    func forEachMatch(
        in chunk: DictionaryChunk, _ part: Range<Int>, _ body: (_ index: Int) -> Void
    ) {
        chunk.forEachEntry(in: part) { if matches($1) { body($0) } }
    }
}
