/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers from the same seed everywhere, for
/// what must be repeatable: generated fleets, simulated people, and tests.
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Numbers of their own for each `index` of each `seed`.
    package init(seed: UInt64, index: Int) {
        state = Self.mixed(seed ^ Self.mixed(UInt64(bitPattern: Int64(index))))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// 0 ..< `bound`, by multiplication: the bias is below 2⁻³² for bounds below 2³².
    ///
    /// Not the standard library's `random(in:using:)`, where numbers end in files: its way from
    /// bits to numbers may change with a release.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    package mutating func happens(perThousand chance: Int) -> Bool {
        below(1_000) < chance
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
