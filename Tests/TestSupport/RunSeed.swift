import Foundation

/// The seed of this run: VALET_SEED, else a new one. Tests print it with what fails.
package let runSeed: UInt64 =
    ProcessInfo.processInfo.environment["VALET_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1 << 32)

/// The seeds of a test that runs once with each: `count` of them, from the seed of this run on.
/// VALET_SEEDS is how many there are instead.
package func runSeeds(_ count: Int) -> [UInt64] {
    let wanted = ProcessInfo.processInfo.environment["VALET_SEEDS"].flatMap { Int($0) }
    return (0..<max(0, wanted ?? count)).map { runSeed &+ UInt64($0) }
}
