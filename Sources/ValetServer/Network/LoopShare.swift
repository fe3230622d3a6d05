import NIOCore
import ValetModel

/// The work budget of a turn, in approximate microseconds.
struct Turn {
    private var left = Limits.workPerTurn
    /// True until the first piece of work, which runs whatever its cost.
    private var isFresh = true

    /// - Returns: whether the budget allows the work, which is then charged.
    mutating func spend(_ cost: Int) -> Bool {
        guard isFresh || cost <= left else { return false }
        isFresh = false
        left -= cost
        return true
    }
}

/// What may be done when bytes arrive, in approximate microseconds; it fills again with time. The
/// connections that a principal has on one event loop have it together.
final class WorkAtOnce {
    private static let timeToGain = TimeAmount.microseconds(25)
    static let timeToFill = timeToGain * Limits.workAtOnce

    private var allowance: Allowance

    init(now: NIODeadline) {
        allowance = Allowance(of: Limits.workAtOnce, gainingOneIn: Self.timeToGain, now: now)
    }

    func spend(_ cost: Int, at now: NIODeadline) -> Bool { allowance.spend(cost, at: now) }
}

/// A connection's share of its event loop's time, in approximate microseconds: what it may do when
/// bytes arrive, what its turn has left, and whether it asks for no more than a person does.
///
/// Work is charged before it is done, with what such work usually costs. What it took would charge
/// a client for pauses of the machine, too.
///
/// A client that sends without pause waits for turns, and however many do so, others find the
/// loop's passes short.
struct LoopShare {
    private static var nanosecondsToForget: Int64 { 100_000 }
    /// What a person may ask for in a moment: some thirty windows.
    private static var mostOfLight: Int { 500 }
    /// More is not remembered, so that whoever stops is of light use again within 200 ms.
    private static var mostUsed: Int { 4 * mostOfLight }

    var atOnce: WorkAtOnce
    /// The turn that runs.
    private var turn: Turn?
    /// Work of late; forgotten with time.
    private var used = 0
    private var forgotten: NIODeadline

    init(now: NIODeadline) {
        atOnce = WorkAtOnce(now: now)
        forgotten = now
    }

    /// Whether the connection asks for no more than a person at a terminal does: a hundredth of an
    /// event loop's time, and no turns.
    var isLight: Bool { used < Self.mostOfLight }

    /// Work that may be done now is charged. When nothing more may be done at once, the loop's turn
    /// is taken if it is free.
    ///
    /// - Parameter takingTurn: whether that is so; it is then taken.
    mutating func spend(_ cost: Int, at now: NIODeadline, takingTurn: () -> Bool) -> Bool {
        if turn == nil {
            if atOnce.spend(cost, at: now) { return true }
            guard takingTurn() else { return false }
            beginTurn()
        }
        return turn?.spend(cost) ?? false
    }

    mutating func beginTurn() {
        waitsForTurn()
        turn = Turn()
    }

    mutating func endTurn() { turn = nil }

    /// A connection that waits for its turns uses little time only because it gets no more.
    mutating func waitsForTurn() { used = Self.mostUsed }

    /// Counts work for `isLight`.
    mutating func count(_ cost: Int, at now: NIODeadline) {
        let past = max(0, (now - forgotten).nanoseconds / Self.nanosecondsToForget)
        forgotten = forgotten + .nanoseconds(Self.nanosecondsToForget * past)
        used = min(max(0, used - Int(past)) + cost, Self.mostUsed)
    }
}
