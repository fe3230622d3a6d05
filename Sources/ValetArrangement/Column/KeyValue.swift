import ValetModel

/// A stored value as sorting, sections and search see it.
///
/// NULL and empty text are the same missing value here; pages carry what is stored. A text is its
/// code in the column's dictionary, a blob only its size.
package enum KeyValue: Equatable, Sendable {
    case missing
    case integer(Int64)
    case real(Double)
    case text(code: UInt32)
    case blob(byteCount: Int)
}

/// A value as a chunk holds it: anything but an integer or a real is a code.
enum ChunkValue: Equatable, Sendable {
    case missing
    case integer(Int64)
    case real(Double)
    case code(UInt32)
}

/// Exact order across integers and reals: 2 and 2.0 are equal, 2⁵³ + 1 and 2.0⁵³ are not.
enum NumberOrder {
    static func compare<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : (left > right ? 1 : 0)
    }

    static func compare(_ left: Int64, _ right: Double) -> Int {
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = right.rounded(.towardZero)
        let truncated = Int64(whole)
        if left != truncated { return left < truncated ? -1 : 1 }
        return compare(whole, right)
    }
}
