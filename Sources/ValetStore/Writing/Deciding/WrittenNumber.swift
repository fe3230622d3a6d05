/// A number as a text writes it in decimal digits, for comparison with what SQLite makes of it:
/// `1.50`, `+1.5` and `15e-1` are equal. A double holds few of these numbers exactly.
struct WrittenNumber: Equatable {
    private var isNegative = false
    /// Without zeros at either end; empty for zero.
    private var digits: ArraySlice<UInt8> = []
    /// Of ten, for the last digit.
    private var exponent = 0

    /// nil for a text that SQLite does not read as a number.
    ///
    /// Source: sqlite.org/datatype3.html, “well-formed integer or real literal”; white space around
    /// one is ignored.
    init?(_ text: String) {
        var text = text
        let number = text.withUTF8 { Self(reading: $0[...]) }
        guard let number else { return nil }
        self = number
    }

    private init?(reading text: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = text.drop(while: Self.isSpace)
        isNegative = Self.takeSign(&rest)
        var all = Self.takeDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = Self.takeDigits(&rest)
            exponent = -fraction.count
            all += fraction
        }
        guard !all.isEmpty else { return nil }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            let isBelow = Self.takeSign(&rest)
            let power = Self.takeDigits(&rest)
            guard !power.isEmpty else { return nil }
            // No text is so long that a greater exponent could make a number of it again.
            let size = Int(String(decoding: power, as: UTF8.self)) ?? .max
            exponent += (isBelow ? -1 : 1) * min(size, 1 << 40)
        }
        guard rest.allSatisfy(Self.isSpace) else { return nil }
        digits = all.drop { $0 == UInt8(ascii: "0") }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func takeSign(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
            return false
        }
        rest.removeFirst()
        return sign == UInt8(ascii: "-")
    }

    private static func takeDigits(
        _ rest: inout Slice<UnsafeBufferPointer<UInt8>>
    ) -> ArraySlice<UInt8> {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest = rest[digits.endIndex...]
        return ArraySlice(digits)
    }
}
