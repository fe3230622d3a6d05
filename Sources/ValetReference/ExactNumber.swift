import Foundation

/// An exact sum the slow way: a whole number of units of 2⁻¹⁰⁷⁴, of which every double is a
/// multiple, rounded by the C library's conversion of hexadecimal digits.
struct ExactNumber {
    /// 32 bits each, the lowest first, and each with the sign that its numbers left. The largest
    /// sum does not reach the last one, which shows the sign of all.
    private var limbs: [Int64] = Array(repeating: 0, count: 70)

    mutating func add(_ number: Int64) {
        add(number.magnitude, shiftedBy: 1_074, isNegative: number < 0)
    }

    /// Not for infinities.
    mutating func add(_ real: Double) {
        let exponent = Int(real.exponentBitPattern)
        let mantissa = real.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
        add(mantissa, shiftedBy: max(exponent, 1) - 1, isNegative: real.sign == .minus)
    }

    private mutating func add(_ magnitude: UInt64, shiftedBy bits: Int, isNegative: Bool) {
        var rest = UInt128(magnitude) << UInt128(bits % 32)
        var index = bits / 32
        while rest > 0 {
            let limb = Int64(rest & 0xFFFF_FFFF)
            limbs[index] += isNegative ? -limb : limb
            rest >>= 32
            index += 1
        }
    }

    /// The nearest double to the sum divided by `divisor`.
    func rounded(dividedBy divisor: UInt32 = 1) -> Double {
        let divisor = UInt64(divisor)
        let isNegative = Self.carried(limbs).last != 0
        let magnitude = Self.carried(isNegative ? limbs.map { -$0 } : limbs)
        var digits = "0x"
        var remainder: UInt64 = 0
        // Two more limbs and a last digit show on which side of a tie the quotient is.
        for limb in magnitude.reversed() + [0, 0] {
            remainder = remainder << 32 | UInt64(limb)
            digits += String(format: "%08x", UInt32(remainder / divisor))
            remainder %= divisor
        }
        let value = strtod(digits + (remainder == 0 ? "0" : "1") + "p-1142", nil)
        return value == 0 ? 0 : isNegative ? -value : value
    }

    /// The limbs of the same number, all of them from 0 to 2³² - 1, as in two's complement.
    private static func carried(_ limbs: [Int64]) -> [Int64] {
        var carry: Int64 = 0
        return limbs.map { limb in
            carry += limb
            defer { carry >>= 32 }
            return carry & 0xFFFF_FFFF
        }
    }
}
