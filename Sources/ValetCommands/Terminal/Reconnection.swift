import Foundation

/// How long to wait before the next attempt: half a second, doubling up to thirty, each shortened
/// by chance so that a room full of stations does not come back at once.
struct Reconnection {
    static let longest = 30.0
    private(set) var attempts = 0

    mutating func nextDelay(random: Double = .random(in: 0.5...1)) -> Duration {
        let delay = min(Self.longest, 0.5 * Double(1 << min(attempts, 10)))
        attempts += 1
        return .seconds(delay * random)
    }

    mutating func succeeded() {
        attempts = 0
    }
}
