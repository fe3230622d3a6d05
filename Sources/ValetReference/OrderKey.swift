import ValetModel

/// A cell as order and search see it, worked out from what a page carried and nothing else.
package enum OrderKey: Equatable, Sendable {
    case number(Int64)
    case real(Double)
    /// Folded. The end of a long text is unknown, because pages cut it.
    case text([UInt8], isCut: Bool)
    case blob(byteCount: Int)
    case missing

    package init(_ cell: Cell) {
        switch cell {
        case .null, .text(""): self = .missing
        case .integer(let number): self = .number(number)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(TextFolding.fold(text), isCut: false)
        case .cutText(let text, _): self = .text(TextFolding.fold(text), isCut: true)
        case .malformedText(let bytes, let byteCount):
            var folded: [UInt8] = []
            bytes.withUnsafeBytes { TextFolding.fold($0, into: &folded) }
            self = .text(folded, isCut: bytes.count < byteCount)
        case .blob(_, let byteCount): self = .blob(byteCount: byteCount)
        }
    }

    /// Numbers, then texts, then blobs; missing values come last, also in a descending order. nil
    /// when the cut part of a text would decide.
    package static func compare(_ left: OrderKey, _ right: OrderKey, isDescending: Bool) -> Int? {
        switch (left, right) {
        case (.missing, .missing): return 0
        case (.missing, _): return 1
        case (_, .missing): return -1
        case (.number, _), (.real, _), (.text, _), (.blob, _):
            return compare(present: left, right).map { isDescending ? -$0 : $0 }
        }
    }

    private static func compare(present left: OrderKey, _ right: OrderKey) -> Int? {
        switch (left, right) {
        case (.number(let a), .number(let b)): order(a, b)
        case (.real(let a), .real(let b)): order(a, b)
        case (.number(let a), .real(let b)): compare(a, b)
        case (.real(let a), .number(let b)): -compare(b, a)
        case (.text(let a, let isCut), .text(let b, let isOtherCut)):
            compare(a, b, isCut: isCut || isOtherCut)
        case (.blob(let a), .blob(let b)): order(a, b)
        case (.number, _), (.real, _), (.text, _), (.blob, _), (.missing, _):
            order(left.rank, right.rank)
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    /// Exactly: a whole number of 64 bits may have no double. A wrong server may send what is no
    /// number at all.
    private static func compare(_ left: Int64, _ right: Double) -> Int {
        if right >= 0x1p63 || right.isNaN { return -1 }
        if right < -0x1p63 { return 1 }
        let floor = right.rounded(.down)
        if left != Int64(floor) { return order(left, Int64(floor)) }
        return floor < right ? -1 : 0
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8], isCut: Bool) -> Int? {
        let common = min(left.count, right.count)
        for index in 0..<common where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return isCut ? nil : order(left.count, right.count)
    }

    private var rank: Int {
        switch self {
        case .number, .real: 0
        case .text: 1
        case .blob: 2
        case .missing: 3
        }
    }
}
