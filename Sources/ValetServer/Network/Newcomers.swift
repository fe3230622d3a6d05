import NIOCore
import ValetModel

/// Decides when connections that come are let in: some at once, and then one a millisecond, so that
/// whoever is served waits for one of them at most. Addresses take turns, however many come from
/// one.
///
/// Time is a parameter.
struct Newcomers<Connection> {
    typealias Source = FailedAttempts.Source

    private static var nanosecondsToGain: Int64 { 1_000_000_000 / Limits.newcomersPerSecond }
    static var pause: TimeAmount { .nanoseconds(nanosecondsToGain) }

    private var waiting = Rotation<Source?, Connection>()
    /// So many may be let in now.
    private var left = Limits.newcomersAtOnce
    private var filled: NIODeadline

    init(now: NIODeadline) {
        filled = now
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter limit: of those that wait.
    /// - Returns: who has to go instead: the newest of the address from which most wait.
    mutating func came(_ connection: Connection, from source: Source?, limit: Int) -> Connection? {
        waiting.append(connection, for: source)
        return waiting.count > limit ? waiting.popLastOfMost() : nil
    }

    /// Who is let in now; nil if nobody waits, or it is too early.
    mutating func next(at now: NIODeadline) -> Connection? {
        let gained = (now - filled).nanoseconds / Self.nanosecondsToGain
        if gained > 0 {
            left = Int(min(Int64(left) + gained, Int64(Limits.newcomersAtOnce)))
            filled = filled + .nanoseconds(Self.nanosecondsToGain * gained)
        }
        guard left > 0, let next = waiting.popFirst() else { return nil }
        left -= 1
        return next
    }

    /// Forgets those that wait.
    mutating func takeAll() -> [Connection] { exchange(&waiting, with: Rotation()).elements }
}
