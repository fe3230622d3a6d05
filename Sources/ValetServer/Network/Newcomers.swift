import NIOCore
import ValetModel

/// How many connections are let in at once, and how long after that the next.
struct EntryPace {
    let atOnce: Int
    let pause: TimeAmount

    static let plain = EntryPace(Limits.newcomersAtOnce, perSecond: Limits.newcomersPerSecond)

    /// Each handshake takes about a millisecond of an event loop, for which others wait.
    static func encrypted(loops: Int) -> EntryPace {
        EntryPace(
            Limits.handshakesAtOncePerLoop * loops,
            perSecond: Limits.handshakesPerSecondAndLoop * Int64(loops))
    }

    private init(_ atOnce: Int, perSecond: Int64) {
        (self.atOnce, pause) = (atOnce, .nanoseconds(1_000_000_000 / perSecond))
    }
}

/// Decides when connections that come are let in: a few at once, and then one after the other, with
/// others served in between. Addresses take turns, however many come from one.
///
/// Time is a parameter.
struct Newcomers<Connection> {
    typealias Source = FailedAttempts.Source

    private var waiting = Rotation<Source?, Connection>()
    private var allowance: Allowance

    init(_ pace: EntryPace = .plain, now: NIODeadline) {
        allowance = Allowance(of: pace.atOnce, gainingOneIn: pace.pause, now: now)
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
