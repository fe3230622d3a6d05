import ValetModel

/// Passes over a whole chunk: its form is checked once per 4,096 values.
///
/// Always inlined, so that the bodies are compiled into the loops.
extension ColumnChunk {
    /// Calls `body` with each index and its number: a code, an integer, or a decimal times its
    /// power of ten; nil for a missing value. Not for chunks of plain reals.
    @inline(__always)
    func forEachNumber(_ body: (_ index: Int, _ number: Int64?) -> Void) {
        switch storage {
        case .bytes(let offsets): forEachNumber(of: offsets, body)
        case .shorts(let offsets): forEachNumber(of: offsets, body)
        case .words(let offsets): forEachNumber(of: offsets, body)
        case .longs(let numbers):
            for index in numbers.indices {
                body(index, numbers[index] == base ? nil : numbers[index])
            }
        case .reals: preconditionFailure("plain reals are no numbers")
        }
    }

    @inline(__always)
    private func forEachNumber<Offset: FixedWidthInteger>(
        of offsets: [Offset], _ body: (_ index: Int, _ number: Int64?) -> Void
    ) {
        // `base − 1` may wrap below the 64-bit minimum; adding an offset then wraps back.
        let zero = base &- 1
        for index in offsets.indices {
            let offset = offsets[index]
            body(index, offset == 0 ? nil : zero &+ Int64(truncatingIfNeeded: offset))
        }
    }

    /// Calls `body` with each index and its real; nil for a missing value. Only for chunks of reals
    /// and decimals.
    @inline(__always)
    func forEachReal(_ body: (_ index: Int, _ real: Double?) -> Void) {
        if case .reals(let reals) = storage {
            for index in reals.indices { body(index, reals[index].isNaN ? nil : reals[index]) }
            return
        }
        let scale: Int = if case .decimal(let scale) = kind { scale } else { 0 }
        let power = Decimals.powers[scale]
        forEachNumber { body($0, $1.map { Double($0) / power }) }
    }

    /// The lowest and highest number of `forEachNumber`; nil when all values are missing.
    func numberBounds() -> ClosedRange<Int64>? {
        var lowest = Int64.max
        var highest = Int64.min
        forEachNumber { _, number in
            guard let number else { return }
            lowest = min(lowest, number)
            highest = max(highest, number)
        }
        return lowest <= highest ? lowest...highest : nil
    }
}
