import ValetModel

/// Passes over a whole chunk: one look at its form for 4,096 values, not one for each.
///
/// Always inlined, so that the bodies become part of the loops.
extension ColumnChunk {
    /// Calls `body` with each place and its number: a code, a whole number, or a decimal times its
    /// power of ten; nil where the value is missing. Not for chunks of plain reals.
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
        // base − 1 could be one too low for 64 bits, but then no offset reaches beyond.
        let zero = base &- 1
        for index in offsets.indices {
            let offset = offsets[index]
            body(index, offset == 0 ? nil : zero &+ Int64(truncatingIfNeeded: offset))
        }
    }

    /// Calls `body` with each place and its real; nil where the value is missing. Only for chunks
    /// of reals and decimals.
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
