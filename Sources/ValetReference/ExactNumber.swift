/// An exact sum the slow way: magnitudes of arbitrary size in units of 2⁻¹⁰⁷⁴, rounded by the
/// conversion of decimal digits.
struct ExactNumber {
    private var positive = Magnitude()
    private var negative = Magnitude()

    mutating func add(_ number: Int64) {
        add(Magnitude(number.magnitude, shiftedBy: 1_074), isNegative: number < 0)
    }

    /// Not for infinities.
    mutating func add(_ real: Double) {
        let exponent = Int(real.exponentBitPattern)
        let mantissa = real.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
        add(
            Magnitude(mantissa, shiftedBy: max(exponent, 1) - 1), isNegative: real.sign == .minus)
    }

    private mutating func add(_ magnitude: Magnitude, isNegative: Bool) {
        if isNegative { negative.add(magnitude) } else { positive.add(magnitude) }
    }

    /// The nearest double to the sum divided by `divisor`.
    func rounded(dividedBy divisor: UInt32 = 1) -> Double {
        var (magnitude, sign) = (positive, 1.0)
        if !magnitude.subtract(negative) {
            (magnitude, sign) = (negative, -1)
            _ = magnitude.subtract(positive)
        }
        // n × 2⁻¹⁰⁷⁴ is n × 5¹⁰⁷⁴ × 10⁻¹⁰⁷⁴; twenty more digits show on which side of a tie it is.
        for _ in 0..<179 { magnitude.multiply(by: 15_625) }
        for _ in 0..<4 { magnitude.multiply(by: 100_000) }
        let isInexact = magnitude.divide(by: divisor) != 0
        let text = magnitude.digits + (isInexact ? "1" : "0") + "e-1095"
        let value = Double(text) ?? .nan
        return value == 0 ? 0 : sign * value
    }

    private struct Magnitude {
        private var limbs: [UInt32] = []

        init() {}

        init(_ word: UInt64, shiftedBy bits: Int) {
            limbs = Array(repeating: 0, count: bits / 32)
            var rest = UInt128(word) << UInt128(bits % 32)
            while rest > 0 {
                limbs.append(UInt32(truncatingIfNeeded: rest))
                rest >>= 32
            }
        }

        mutating func add(_ other: Magnitude) {
            var carry: UInt64 = 0
            for index in 0..<max(limbs.count, other.limbs.count) {
                if index == limbs.count { limbs.append(0) }
                carry += UInt64(limbs[index])
                if index < other.limbs.count { carry += UInt64(other.limbs[index]) }
                limbs[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            if carry > 0 { limbs.append(UInt32(carry)) }
        }

        /// - Returns: false, with a wrong result, if `other` is larger.
        mutating func subtract(_ other: Magnitude) -> Bool {
            var borrow: Int64 = 0
            for index in 0..<max(limbs.count, other.limbs.count) {
                if index == limbs.count { limbs.append(0) }
                borrow += Int64(limbs[index])
                if index < other.limbs.count { borrow -= Int64(other.limbs[index]) }
                limbs[index] = UInt32(truncatingIfNeeded: borrow)
                borrow >>= 32
            }
            return borrow == 0
        }

        mutating func multiply(by factor: UInt32) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                carry += UInt64(limbs[index]) * UInt64(factor)
                limbs[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            if carry > 0 { limbs.append(UInt32(carry)) }
        }

        /// - Returns: the remainder.
        mutating func divide(by divisor: UInt32) -> UInt32 {
            var remainder: UInt64 = 0
            for index in limbs.indices.reversed() {
                remainder = remainder << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(remainder / UInt64(divisor))
                remainder %= UInt64(divisor)
            }
            while limbs.last == 0 { limbs.removeLast() }
            return UInt32(remainder)
        }

        var digits: String {
            var rest = self
            var groups: [String] = []
            while !rest.limbs.isEmpty {
                let group = String(rest.divide(by: 1_000_000_000))
                groups.append(String(repeating: "0", count: 9 - group.count) + group)
            }
            return groups.isEmpty ? "0" : groups.reversed().joined()
        }
    }
}
