/// How long to wait before the next attempt: half a second, doubling up to thirty, each shortened
/// by chance so that a room full of stations does not come back at once.
struct BackOff {
    static let longest = 30.0
    /// Seconds.
    let first: Double
    /// Attempts before giving up.
    let most: Int
    private(set) var attempts = 0
    private var doublings = 0

    init(first: Double = 0.5, most: Int = .max) {
        self.first = first
        self.most = most
    }

    /// - Parameter random: from 0.5 to 1.
    /// - Returns: nil when no attempts are left.
    mutating func nextDelay(random: Double) -> Duration? {
        guard attempts < most else { return nil }
        let delay = min(Self.longest, first * Double(1 << min(doublings, 10)))
        attempts += 1
        doublings += 1
        return .seconds(delay * random)
    }

    mutating func succeeded() { (attempts, doublings) = (0, 0) }

    /// The server has said that it goes away: the next attempt is soon, though it counts.
    mutating func wentAway() { doublings = 0 }
}
