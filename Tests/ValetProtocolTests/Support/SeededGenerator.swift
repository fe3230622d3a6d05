import Foundation

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One time in `n`.
    mutating func once(in n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

/// The seed of this run: VALET_SEED, else a new one. Tests print it with what fails.
let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["VALET_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 32)
