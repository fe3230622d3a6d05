import ValetModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Column {
    /// Order of two values of this column: numbers, then texts by folded bytes, then blobs by size.
    /// Missing values come last in both directions.
    func compare(_ left: KeyValue, _ right: KeyValue, isDescending: Bool) -> Int {
        switch (left, right) {
        case (.missing, .missing): return 0
        case (.missing, _): return 1
        case (_, .missing): return -1
        default:
            let ascending = compare(present: left, right)
            return isDescending ? -ascending : ascending
        }
    }

    private func compare(present left: KeyValue, _ right: KeyValue) -> Int {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): NumberOrder.compare(a, b)
        case (.real(let a), .real(let b)): NumberOrder.compare(a, b)
        case (.integer(let a), .real(let b)): NumberOrder.compare(a, b)
        case (.real(let a), .integer(let b)): -NumberOrder.compare(b, a)
        case (.text(let a), .text(let b)): compareTexts(a, b)
        case (.blob(let a), .blob(let b)): NumberOrder.compare(a, b)
        case (.missing, _), (.integer, _), (.real, _), (.text, _), (.blob, _):
            NumberOrder.compare(left.rank, right.rank)
        }
    }

    private func compareTexts(_ left: UInt32, _ right: UInt32) -> Int {
        if left == right { return 0 }
        return dictionary.withFolded(left) { left in
            dictionary.withFolded(right) { compareBytes(left, $0) }
        }!!
    }

    /// Where a value stands beside a text that `compare` knows by its folded bytes.
    func compare(_ value: KeyValue, toText compare: (UnsafeRawBufferPointer) -> Int) -> Int {
        switch value {
        case .integer, .real: -1
        // A code of something else than a text can't be: it would be a number or a blob.
        case .text(let code): dictionary.withFolded(code, compare) ?? 1
        case .blob, .missing: 1
        }
    }
}

/// Order of texts by their folded bytes.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0 {
        let order = memcmp(left.baseAddress!, right.baseAddress!, common)
        if order != 0 { return order < 0 ? -1 : 1 }
    }
    return NumberOrder.compare(left.count, right.count)
}

extension KeyValue {
    fileprivate var rank: Int {
        switch self {
        case .integer, .real: 0
        case .text: 1
        case .blob: 2
        case .missing: 3
        }
    }
}
