import NIOCore
import ValetModel

/// Decides when connections that come are let in: a few at once, and then two a millisecond, with
/// others served in between. Addresses take turns, however many come from one.
///
/// Time is a parameter.
struct Newcomers<Connection> {
    typealias Source = FailedAttempts.Source

    /// Between two that are let in, when many wait.
    static var pause: TimeAmount { .nanoseconds(1_000_000_000 / Limits.newcomersPerSecond) }

    private var waiting = Rotation<Source?, Connection>()
    private var allowance: Allowance

    init(now: NIODeadline) {
        allowance = Allowance(of: Limits.newcomersAtOnce, gainingOneIn: Self.pause, now: now)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter limit: of those that wait.
    /// - Returns: who has to go, if so many wait: the one that came if its address has more than an
    ///   even share, or the newest of the address with most. So a flood is no work on all of them.
    mutating func came(_ connection: Connection, from source: Source?, limit: Int) -> Connection? {
        let isFull = waiting.count >= limit
        if isFull {
            let count = waiting.count(of: source)
            let addresses = waiting.keyCount + (count == 0 ? 1 : 0)
            if (count + 1) * addresses > waiting.count { return connection }
        }
        waiting.append(connection, for: source)
        return isFull ? waiting.popLastOfMost() : nil
    }

    /// Who is let in now; nil if nobody waits, or it is too early.
    mutating func next(at now: NIODeadline) -> Connection? {
        guard !isEmpty, allowance.spend(1, at: now) else { return nil }
        return waiting.popFirst()
    }

    /// Forgets those that wait.
    mutating func takeAll() -> [Connection] { exchange(&waiting, with: Rotation()).elements }
}
