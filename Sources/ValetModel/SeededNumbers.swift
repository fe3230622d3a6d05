/// SplitMix64 (Steele, Lea and Flood 2014): a seed gives the same numbers everywhere, for whatever
/// must be reproducible: generated fleets, simulated people, and tests.
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// An independent sequence for each `index` of a `seed`.
    package init(seed: UInt64, index: Int) {
        state = Self.mixed(seed ^ Self.mixed(UInt64(bitPattern: Int64(index))))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number in 0 ..< `bound`, by multiplication: the bias is below 2⁻³² for bounds below 2³².
    ///
    /// The standard library's `random(in:using:)` won't do where numbers end up in files, since its
    /// algorithm may change between releases.
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
