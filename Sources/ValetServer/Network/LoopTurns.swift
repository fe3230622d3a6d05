import Collections
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

/// The work that a connection may do when bytes arrive, without waiting for a turn, in approximate
/// microseconds. It fills again with time, so a client that sends without pause waits for turns,
/// and however many do so, others find the loop's passes short.
struct WorkAtOnce {
    private static var nanosecondsToGain: Int64 { 25_000 }
    static var timeToFill: TimeAmount {
        .nanoseconds(nanosecondsToGain * Int64(Limits.workAtOnce))
    }

    private var left = Limits.workAtOnce
    private var filled: NIODeadline

    init(now: NIODeadline) {
        filled = now
    }

    /// - Returns: whether the budget allows the work, which is then charged.
    mutating func spend(_ cost: Int, at now: NIODeadline) -> Bool {
        fill(at: now)
        guard cost <= left else { return false }
        left -= cost
        return true
    }

    private mutating func fill(at now: NIODeadline) {
        let gained = (now - filled).nanoseconds / Self.nanosecondsToGain
        guard gained > 0 else { return }
        left = min(left + Int(gained), Limits.workAtOnce)
        filled = filled + .nanoseconds(Self.nanosecondsToGain * gained)
    }
}

/// Schedules the connections of one event loop that have more work than may be done at once: one
/// turn in each pass of the loop over its sockets, so that connections with little work run in
/// between. Used on that loop only.
final class LoopTurns {
    private let eventLoop: any EventLoop
    private var waiting: Deque<() -> Void> = []
    /// Work for all connections, which has every second turn.
    private var waitingForAll: Deque<() -> Void> = []
    private var wasForAll = false
    /// True from a turn to the end of the loop's pass.
    private var isTaken = false
    private let lastLightUse: LastLightUse

    init(eventLoop: any EventLoop, lastLightUse: LastLightUse) {
        self.eventLoop = eventLoop
        self.lastLightUse = lastLightUse
    }

    /// - Returns: whether this pass's turn was free; it is then taken.
    func takeNow() -> Bool {
        guard !isTaken, waiting.isEmpty, waitingForAll.isEmpty else { return false }
        scheduleNext()
        return true
    }

    /// Runs `turn` in a later pass, after those that were queued before it.
    func wait(_ turn: @escaping () -> Void) {
        waiting.append(turn)
        if !isTaken { scheduleNext() }
    }

    /// The time between two turns. Due tasks run before the loop polls its sockets again, so even a
    /// lone turn comes a little after the one before. When many wait, three quarters of the loop's
    /// time are left to people, and to the threads that search for them, while there are any.
    private var pause: TimeAmount {
        let isShared = waiting.count > 1 && lastLightUse.isRecent(at: eventLoop.now)
        return .microseconds(isShared ? min(250 * Int64(waiting.count), 1_000) : 20)
    }

    /// As `wait`, for work that is not one connection's: it waits for one turn of theirs at most.
    func waitForAll(_ turn: @escaping () -> Void) {
        waitingForAll.append(turn)
        if !isTaken { scheduleNext() }
    }

    private func scheduleNext() {
        isTaken = true
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        // The turn may take longer than the pause, which begins when it is over.
        eventLoop.execute {
            let turns = this.value
            turns.eventLoop.scheduleTask(in: turns.pause) { this.value.passEnded() }
        }
    }

    private func passEnded() {
        isTaken = false
        let isForAll = !waitingForAll.isEmpty && (waiting.isEmpty || !wasForAll)
        guard let next = isForAll ? waitingForAll.popFirst() : waiting.popFirst() else { return }
        wasForAll = isForAll
        scheduleNext()
        next()
    }
}
