import Foundation
import ValetModel

extension SeededNumbers {
    /// One time in `n`.
    mutating func once(in n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

/// The seed of this run: VALET_SEED, else a new one. Tests print it with what fails.
let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["VALET_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 32)
