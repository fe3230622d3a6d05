import Foundation

/// The seed of this run: VALET_SEED, else a new one. Tests print it with what fails.
package let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["VALET_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 32)
