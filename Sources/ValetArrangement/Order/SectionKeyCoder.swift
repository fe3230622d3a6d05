import ValetModel

/// Codes sort keys for sections that cover several values, as `SortKeyCoder` does for whole values.
struct SectionKeyCoder: KeyCoder {
    let bits: Int
    private let column: Column
    private let expression: SectionExpression
    private let zone: ZoneClock?
    private let isDescending: Bool
    /// The bounds of the section keys.
    private let bounds: ClosedRange<Int64>
    /// Keys by dictionary code, so that each text is parsed once.
    private let keys: [SectionKey]

    init(
        _ column: Column, _ expression: SectionExpression, zone: ZoneClock?, isDescending: Bool,
        isCancelled: () -> Bool
    ) throws(CancellationError) {
        self.column = column
        self.expression = expression
        self.zone = zone
        self.isDescending = isDescending
        let dictionary = column.dictionary
        var keys: [SectionKey] = []
        keys.reserveCapacity(dictionary.count)
        var numbers = KeyBounds()
        for chunk in 0..<dictionary.chunkCount {
            if isCancelled() { throw CancellationError() }
            dictionary.withChunk(chunk) {
                $0.forEachEntry { _, entry in
                    let key = SectionKey(entry, expression, zone: zone)
                    keys.append(key)
                    numbers.add(key)
                }
            }
        }
        self.keys = keys
        try numbers.addNumbers(of: column, expression, zone: zone, isCancelled: isCancelled)
        let bounds = numbers.bounds ?? 0...0
        self.bounds = bounds
        let highestCode = UInt64(bounds.upperBound - bounds.lowerBound) + 2
        bits = UInt64.bitWidth - highestCode.leadingZeroBitCount
    }

    @inline(__always)
    func forEachKey(
        isCancelled: () -> Bool, _ body: (_ slot: Int, _ key: UInt64) -> Void
    ) throws(CancellationError) {
        let missing = code(.missing)
        for number in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[number]
            let first = number * ColumnChunk.slots
            switch chunk.kind {
            case .code:
                chunk.forEachNumber { body(first + $0, $1.map { code(keys[Int($0)]) } ?? missing) }
            case .integer:
                chunk.forEachNumber { index, number in
                    let key = number.map { SectionKey(.integer($0), expression, zone: zone) }
                    body(first + index, key.map { code($0) } ?? missing)
                }
            case .decimal, .real:
                chunk.forEachReal { index, real in
                    let key = real.map { SectionKey(.real($0), expression, zone: zone) }
                    body(first + index, key.map { code($0) } ?? missing)
                }
            }
        }
    }

    @inline(__always)
    private func code(_ key: SectionKey) -> UInt64 {
        switch key {
        case .number(let number):
            UInt64(isDescending ? bounds.upperBound - number : number - bounds.lowerBound)
        case .noLetter: UInt64(bounds.upperBound - bounds.lowerBound) + 1
        case .missing: UInt64(bounds.upperBound - bounds.lowerBound) + 2
        }
    }
}

/// The bounds of a column's section keys.
private struct KeyBounds {
    private(set) var bounds: ClosedRange<Int64>?

    mutating func add(_ key: SectionKey) {
        guard case .number(let number) = key else { return }
        bounds = min(number, bounds?.lowerBound ?? .max)...max(number, bounds?.upperBound ?? .min)
    }

    /// Adds the keys of values without codes. Ranges and all date parts but the hour are monotonic,
    /// so for integers a chunk's lowest and highest value suffice. A clock that is put back may
    /// show an earlier day again, but none before or after what its least and greatest offset say.
    mutating func addNumbers(
        of column: Column, _ expression: SectionExpression, zone: ZoneClock?,
        isCancelled: () -> Bool
    ) throws(CancellationError) {
        for index in 0..<column.chunks.count {
            if isCancelled() { throw CancellationError() }
            let chunk = column.chunks[index]
            switch chunk.kind {
            case .code: break
            case .integer where expression == .hourOfDay:
                add(.number(0))
                add(.number(23))
            case .integer:
                guard let bounds = chunk.numberBounds() else { continue }
                let offsets = zone?.offsets ?? 0...0
                for number in [
                    bounds.lowerBound.clamped(adding: offsets.lowerBound),
                    bounds.upperBound.clamped(adding: offsets.upperBound),
                ] {
                    add(SectionKey(.integer(number), expression, zone: nil))
                }
            case .decimal, .real:
                chunk.forEachReal { _, real in
                    guard let real else { return }
                    add(SectionKey(.real(real), expression, zone: zone))
                }
            }
        }
    }
}
