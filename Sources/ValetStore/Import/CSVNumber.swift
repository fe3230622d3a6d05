/// A cell that SQLite would convert to a number, and the numbers that represent it without loss.
///
/// SQLite also converts `007`, `+5`, ` 5` and `5.` and drops their spelling, though `007` may be a
/// name and `+49 30` a phone number. Such cells have neither `integer` nor `real`, and neither do
/// numbers with more digits than can be read back. `1.50` and `1e3` do, since 1.5 and 1000 are the
/// same numbers.
struct CSVNumber {
    private typealias Digits = Slice<UnsafeRawBufferPointer>

    private let text: UnsafeRawBufferPointer
    private let isNegative: Bool
    private let whole: Digits
    private let fraction: Digits
    /// nil without one; clamped, since no text is so long that a greater one could make a number
    /// of it again.
    private let exponent: Int?
    /// In plain notation: no blanks, plus sign, leading zeros, or point without digits.
    private let isPlain: Bool

    /// nil if SQLite keeps the cell as text in every column (https://www.sqlite.org/datatype3.html,
    /// "Type Affinity").
    init?(_ cell: UnsafeRawBufferPointer) {
        var rest = cell.drop(while: Self.isBlank)
        isNegative = rest.first == UInt8(ascii: "-")
        let hasSign = isNegative || rest.first == UInt8(ascii: "+")
        if hasSign { rest = rest.dropFirst() }
        whole = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(whole.count)
        let hasPoint = rest.first == UInt8(ascii: ".")
        if hasPoint { rest = rest.dropFirst() }
        fraction = hasPoint ? rest.prefix(while: Self.isDigit) : rest.prefix(0)
        rest = rest.dropFirst(fraction.count)
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            guard let (exponent, count) = Self.exponent(rest.dropFirst()) else { return nil }
            self.exponent = exponent
            rest = rest.dropFirst(1 + count)
        } else {
            exponent = nil
        }
        guard rest.allSatisfy(Self.isBlank) else { return nil }
        let hasBlanks = !rest.isEmpty || cell.first.map(Self.isBlank) == true
        let hasLeadingZeros = whole.count > 1 && whole.first == UInt8(ascii: "0")
        isPlain =
            !hasBlanks && isNegative == hasSign && !hasLeadingZeros
            && !(hasPoint && fraction.isEmpty)
        text = cell
    }

    /// A sign and at least one digit, and the number of their bytes.
    private static func exponent(_ bytes: Digits) -> (Int, count: Int)? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let hasSign = isNegative || bytes.first == UInt8(ascii: "+")
        let digits = bytes.dropFirst(hasSign ? 1 : 0).prefix(while: isDigit)
        guard !digits.isEmpty else { return nil }
        let value = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1 << 40) }
        return (isNegative ? -value : value, digits.count + (hasSign ? 1 : 0))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    // MARK: Storing

    /// The integer, if the cell is written as one and fits 64 bits.
    var integer: Int64? {
        guard isPlain, fraction.isEmpty, exponent == nil else { return nil }
        var value: Int64 = 0
        for byte in whole {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            // Negative, since there is one more negative number than positive ones.
            let (sum, overflows) = tens.subtractingReportingOverflow(digit)
            if isTooLarge || overflows { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// The double that reads back with the digits of the cell.
    var real: Double? {
        guard isPlain, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite,
            hasFewDigits || isDecimal(of: value)
        else { return nil }
        return value
    }

    /// The same as `real != nil`, usually without computing it.
    var hasReal: Bool { isPlain && hasFewDigits || real != nil }

    /// A double preserves any 15 digits.
    private var hasFewDigits: Bool {
        whole.count + fraction.count <= 15 && (-200...200).contains(exponent ?? 0)
    }

    /// True if the shortest decimal of `value` is this number.
    private func isDecimal(of value: Double) -> Bool { WrittenNumber("\(value)") == written }

    var written: WrittenNumber {
        WrittenNumber(
            isNegative: isNegative, whole: whole, fraction: Array(fraction),
            exponent: exponent ?? 0)
    }
}
