import NIOCore

/// What may be spent at once, and fills again with time.
///
/// Time is a parameter.
struct Allowance {
    private let most: Int
    private let timeToGain: TimeAmount
    private var left: Int
    private var filled: NIODeadline

    /// It is full at first.
    init(of most: Int, gainingOneIn timeToGain: TimeAmount, now: NIODeadline) {
        (self.most, self.timeToGain) = (most, timeToGain)
        (left, filled) = (most, now)
    }

    /// - Returns: whether so much was left, which is then spent.
    mutating func spend(_ cost: Int, at now: NIODeadline) -> Bool {
        let gained = (now - filled).nanoseconds / timeToGain.nanoseconds
        if gained > 0 {
            left = Int(min(Int64(left) + gained, Int64(most)))
            filled = filled + .nanoseconds(timeToGain.nanoseconds * gained)
        }
        guard cost <= left else { return false }
        left -= cost
        return true
    }
}
