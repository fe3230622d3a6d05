import ValetModel

/// The twin of `SortKeyCoder` for sections by less than the whole value.
struct SectionKeyCoder: KeyCoder {
    let bits: Int
    private let column: Column
    private let expression: SectionExpression
    private let isDescending: Bool
    /// The numbers that section keys lie between.
    private let bounds: ClosedRange<Int64>
    /// Coded keys by dictionary code, so that a text is looked at once.
    private let table: [UInt64]

    init(_ column: Column, _ expression: SectionExpression, isDescending: Bool) {
        self.column = column
        self.expression = expression
        self.isDescending = isDescending
        let dictionary = column.dictionary
        let keys = (0..<UInt32(dictionary.count)).map {
            SectionKey(column.value(of: $0), expression, in: dictionary)
        }
        var numbers = KeyBounds()
        keys.forEach { numbers.add($0) }
        numbers.addNumbers(of: column, expression)
        let bounds = numbers.bounds ?? 0...0
        self.bounds = bounds
        let highestCode = UInt64(bounds.upperBound - bounds.lowerBound) + 2
        bits = UInt64.bitWidth - highestCode.leadingZeroBitCount
        table = keys.map { Self.code($0, bounds, isDescending: isDescending) }
    }

    @inline(__always)
    func forEachKey(_ body: (_ slot: Int, _ key: UInt64) -> Void) {
        let missing = column.defaultCode.map { table[Int($0)] } ?? code(.missing)
        for number in 0..<column.chunks.count {
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            switch chunk.kind {
            case .code:
                chunk.forEachNumber { body(first + $0, $1.map { table[Int($0)] } ?? missing) }
            case .integer:
                chunk.forEachNumber { body(first + $0, $1.map { code(.integer($0)) } ?? missing) }
            case .decimal, .real:
                chunk.forEachReal { body(first + $0, $1.map { code(.real($0)) } ?? missing) }
            }
        }
    }

    private func code(_ value: KeyValue) -> UInt64 {
        let key = SectionKey(value, expression, in: column.dictionary)
        return Self.code(key, bounds, isDescending: isDescending)
    }

    private static func code(
        _ key: SectionKey, _ bounds: ClosedRange<Int64>, isDescending: Bool
    ) -> UInt64 {
        switch key {
        case .number(let number):
            UInt64(isDescending ? bounds.upperBound - number : number - bounds.lowerBound)
        case .noLetter: UInt64(bounds.upperBound - bounds.lowerBound) + 1
        case .missing: UInt64(bounds.upperBound - bounds.lowerBound) + 2
        }
    }
}

/// The numbers between which a column's section keys lie.
private struct KeyBounds {
    private(set) var bounds: ClosedRange<Int64>?

    mutating func add(_ key: SectionKey) {
        guard case .number(let number) = key else { return }
        bounds = min(number, bounds?.lowerBound ?? .max)...max(number, bounds?.upperBound ?? .min)
    }

    /// Adds the keys of values that have no code. Each part of a moment but the hour grows with the
    /// moment, and so do ranges: of whole numbers, a chunk's lowest and highest are enough.
    mutating func addNumbers(of column: Column, _ expression: SectionExpression) {
        for index in 0..<column.chunks.count {
            let chunk = column.chunks[index]
            switch chunk.kind {
            case .code: break
            case .integer where expression == .hourOfDay:
                add(.number(0))
                add(.number(23))
            case .integer:
                guard let bounds = chunk.numberBounds() else { continue }
                for number in [bounds.lowerBound, bounds.upperBound] {
                    add(SectionKey(.integer(number), expression, in: column.dictionary))
                }
            case .decimal, .real:
                chunk.forEachReal { _, real in
                    guard let real else { return }
                    add(SectionKey(.real(real), expression, in: column.dictionary))
                }
            }
        }
    }
}
