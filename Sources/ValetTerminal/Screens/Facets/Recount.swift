/// When counts that stay on the screen are asked for again, since others change the rows. Ticks and
/// answers go in; whether to ask comes out.
struct Recount: Hashable, Sendable {
    private var askedAt: Int?
    /// nil until the first tick behind an answer.
    private var next: Int?
    private(set) var isUnderWay = false

    private static let milliseconds = 2_000
    /// An answer that takes long is not asked for again soon.
    private static let restsPerAnswer = 20

    /// nil while an answer is awaited.
    var dueMilliseconds: Int? { isUnderWay ? nil : next ?? 0 }

    /// - Returns: whether to ask.
    mutating func tick(at now: Int) -> Bool {
        guard let dueMilliseconds, now >= dueMilliseconds else { return false }
        guard next != nil else {
            next = now + max(Self.restsPerAnswer * (now - (askedAt ?? now)), Self.milliseconds)
            return false
        }
        (askedAt, next, isUnderWay) = (now, nil, true)
        return true
    }

    mutating func answered() { isUnderWay = false }
}
