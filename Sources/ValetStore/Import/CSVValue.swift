import ValetModel

/// What a cell of a CSV file is, and what a column of them is: the least that holds them all.
enum CSVType: Int, Comparable {
    /// Nothing but empty cells so far.
    case empty
    case integer
    case real
    case text

    static func < (left: CSVType, right: CSVType) -> Bool { left.rawValue < right.rawValue }

    var declared: NewColumn.DeclaredType {
        switch self {
        case .integer: .integer
        case .real: .real
        case .empty, .text: .text
        }
    }

    /// The type of a cell. Leading zeros and plus signs are kept, so such a cell is a text: `007`
    /// is the name of somebody, and `+49 30` a telephone.
    init(of cell: UnsafeRawBufferPointer) {
        if cell.isEmpty {
            self = .empty
        } else if let shape = NumberShape(cell) {
            // Minus zero is a number, but no whole one.
            let isWhole = !shape.hasFraction && !shape.isMinusZero && CSVType.integer(cell) != nil
            self = isWhole ? .integer : CSVType.real(cell) == nil ? .text : .real
        } else {
            self = .text
        }
    }

    static func integer(_ cell: UnsafeRawBufferPointer) -> Int64? {
        var value: Int64 = 0
        let isNegative = cell.first == UInt8(ascii: "-")
        for byte in cell.dropFirst(isNegative ? 1 : 0) {
            let digit = Int64(byte) - 48
            guard (0...9).contains(digit) else { return nil }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            // Counted downwards, since there is one negative number more.
            let (sum, overflows) = tens.subtractingReportingOverflow(digit)
            if isTooLarge || overflows { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// nil for what is no number, or too large to be one.
    static func real(_ cell: UnsafeRawBufferPointer) -> Double? {
        guard let value = Double(String(decoding: cell, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}

/// The form of a number: `-`, digits without leading zeros, a fraction, an exponent.
private struct NumberShape {
    private(set) var hasFraction = false
    private(set) var isMinusZero = false

    init?(_ cell: UnsafeRawBufferPointer) {
        var rest = cell[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let whole = rest.prefix(while: Self.isDigit)
        if whole.count > 1, whole.first == UInt8(ascii: "0") { return nil }
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            hasFraction = true
            rest = rest.dropFirst()
            let fraction = rest.prefix(while: Self.isDigit)
            if fraction.isEmpty { return nil }
            rest = rest.dropFirst(fraction.count)
        } else if whole.isEmpty {
            return nil
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            hasFraction = true
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            if rest.isEmpty { return nil }
            rest = rest.drop(while: Self.isDigit)
        }
        if !rest.isEmpty { return nil }
        isMinusZero = isNegative && !hasFraction && whole.elementsEqual([UInt8(ascii: "0")])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
