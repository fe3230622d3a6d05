/// The exact sum of doubles: a fixed-point number as wide as their whole range, rounded once at the
/// end. So neither order nor cancellation changes the result.
///
/// A superaccumulator with delayed carries (Neal 2015, https://arxiv.org/abs/1505.05571): each limb
/// has 32 bits of value and 31 bits to collect carries, so an addition touches three or four limbs.
struct RealSum {
    private static let limbBits = 32
    private static let limbMask = (1 << 32) - 1 as Int64
    /// Bits below the least subnormal, 2⁻¹⁰⁷⁴. They hold the fraction of a mean and put integers on
    /// a limb border.
    private static let fractionBits = 46
    /// The bit of 2⁰.
    private static let unitBit = 1_074 + fractionBits
    /// The greatest double times 2⁶⁴, and a limb for the sign.
    private static let limbCount = (unitBit + 1_024 + 64) / limbBits + 1
    /// An addition changes a limb by less than 2³², and this many fit 63 bits.
    private static let additionsPerCarry = 1 << 30

    private var limbs = [Int64](repeating: 0, count: limbCount)
    private var additions = 0
    private var hasPositiveInfinity = false
    private var hasNegativeInfinity = false
    private var hasNaN = false

    /// Adds `real` as often as `times` says.
    @inline(__always)
    mutating func add(_ real: Double, times: UInt32 = 1) {
        let bits = real.bitPattern
        let exponent = Int(bits >> 52 & 0x7FF)
        let fraction = bits & (1 << 52 - 1)
        guard exponent != 0x7FF else {
            if times > 0 { addSpecial(real) }
            return
        }
        let mantissa = exponent == 0 ? fraction : fraction | 1 << 52
        add(
            UInt128(mantissa) * UInt128(times), at: Self.fractionBits + max(exponent, 1) - 1,
            isNegative: real.sign == .minus)
    }

    mutating func add(_ whole: Int128) {
        add(whole.magnitude, at: Self.unitBit, isNegative: whole < 0)
    }

    private mutating func addSpecial(_ real: Double) {
        if real.isNaN { hasNaN = true }
        if real == .infinity { hasPositiveInfinity = true }
        if real == -.infinity { hasNegativeInfinity = true }
    }

    /// Adds `magnitude` × 2^`bit`. The magnitude has 96 bits, or 128 on a limb border.
    @inline(__always)
    private mutating func add(_ magnitude: UInt128, at bit: Int, isNegative: Bool) {
        if additions == Self.additionsPerCarry { carry() }
        additions += 1
        var index = bit / Self.limbBits
        var rest = magnitude << UInt128(bit % Self.limbBits)
        while rest != 0 {
            let part = Int64(truncatingIfNeeded: rest) & Self.limbMask
            limbs[index] += isNegative ? -part : part
            rest >>= UInt128(Self.limbBits)
            index += 1
        }
    }

    /// Brings all limbs but the last to 0 ..< 2³²; the last has the sign.
    private mutating func carry() {
        additions = 0
        for index in 0..<Self.limbCount - 1 {
            limbs[index + 1] += limbs[index] >> Int64(Self.limbBits)
            limbs[index] &= Self.limbMask
        }
    }

    /// The sum divided by `divisor`, rounded once, half to even; nil for ∞ − ∞ and NaN.
    ///
    /// Beyond the greatest double it is infinite. A sum of zero is positive.
    func quotient(by divisor: UInt64) -> Double? {
        if hasNaN || hasPositiveInfinity && hasNegativeInfinity { return nil }
        if hasPositiveInfinity { return .infinity }
        if hasNegativeInfinity { return -.infinity }
        var sum = self
        sum.carry()
        let isNegative = sum.limbs[Self.limbCount - 1] < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        let hasRemainder = sum.divide(by: divisor)
        let magnitude = sum.rounded(isInexact: hasRemainder)
        return isNegative ? -magnitude : magnitude
    }

    /// Long division of a positive sum after its carries.
    ///
    /// - Returns: true if there is a remainder.
    private mutating func divide(by divisor: UInt64) -> Bool {
        guard divisor > 1 else { return false }
        var remainder: UInt128 = 0
        for index in limbs.indices.reversed() {
            let part = remainder << UInt128(Self.limbBits) | UInt128(limbs[index])
            limbs[index] = Int64(part / UInt128(divisor))
            remainder = part % UInt128(divisor)
        }
        return remainder != 0
    }

    /// The nearest double to a positive sum after its carries.
    ///
    /// - Parameter isInexact: true if the sum is a little more than the limbs say.
    private func rounded(isInexact: Bool) -> Double {
        guard let last = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        let highest = last * Self.limbBits + 63 - limbs[last].leadingZeroBitCount
        // Where the mantissa begins: subnormals have fewer bits.
        let lowest = max(highest - 52, Self.fractionBits)
        var mantissa = bits(from: lowest, count: 53)
        let half = bits(from: lowest - 1, count: 1) == 1
        let isMore = isInexact || hasBits(below: lowest - 1)
        if half, isMore || mantissa & 1 == 1 { mantissa += 1 }
        // The mantissa's 53rd bit adds one to the exponent, and so does its carry.
        let pattern = mantissa + UInt64(lowest - Self.fractionBits) << 52
        return pattern < Double.infinity.bitPattern ? Double(bitPattern: pattern) : .infinity
    }

    private func bits(from bit: Int, count: Int) -> UInt64 {
        let first = bit / Self.limbBits
        var word: UInt128 = 0
        for index in (first..<min(first + 3, Self.limbCount)).reversed() {
            word = word << UInt128(Self.limbBits) | UInt128(limbs[index])
        }
        return UInt64(truncatingIfNeeded: word >> UInt128(bit % Self.limbBits))
            & (1 << UInt64(count) - 1)
    }

    private func hasBits(below bit: Int) -> Bool {
        let (first, rest) = bit.quotientAndRemainder(dividingBy: Self.limbBits)
        return limbs[..<first].contains { $0 != 0 }
            || bits(from: first * Self.limbBits, count: rest) != 0
    }
}
