import DequeModule
import NIOCore
import ValetModel

/// When connections of light use last asked for something, on any event loop: all of them, and the
/// threads that search, share the processors. Nobody waits for another thread here: what one loop
/// can't tell now it tells with the next request.
final class LastLightUse: Sendable {
    /// A person who scrolls or types asks again sooner.
    private static var timeOut: TimeAmount { .milliseconds(250) }

    private struct Use {
        let payer: Payer
        let time: NIODeadline
    }

    /// The last, and the last of another payer.
    private let uses = Mutex<(last: Use?, other: Use?)>((nil, nil))

    /// - Parameter payer: whose own use doesn't count.
    func isRecent(besides payer: Payer?, at now: NIODeadline) -> Bool {
        uses.withLockIfAvailable { uses in
            let isOwn = payer != nil && uses.last?.payer == payer
            guard let use = isOwn ? uses.other : uses.last else { return false }
            return now - use.time < Self.timeOut
        } ?? true
    }

    func set(_ now: NIODeadline, by payer: Payer) {
        _ = uses.withLockIfAvailable { uses in
            if let last = uses.last, last.payer != payer { uses.other = last }
            uses.last = Use(payer: payer, time: now)
        }
    }
}

/// Schedules the connections of one event loop that have more work than may be done at once: one
/// turn in each pass of the loop over its sockets, so that connections with little work run in
/// between. Payers take turns, however many connections they have. Used on that loop only.
final class LoopTurns {
    private let eventLoop: any EventLoop
    private var waiting = Rotation<Payer, () -> Void>()
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

    /// Runs `turn` in a later pass, after those of the payer that were queued before it.
    func wait(for payer: Payer, _ turn: @escaping () -> Void) {
        waiting.append(turn, for: payer)
        if !isTaken { scheduleNext() }
    }

    /// Whether others than the payer ask as people do.
    func areShared(besides payer: Payer?) -> Bool {
        lastLightUse.isRecent(besides: payer, at: eventLoop.now)
    }

    /// The time between two turns. Due tasks run before the loop polls its sockets again, so even a
    /// lone turn comes a little after the one before. While others ask as people do, three quarters
    /// of the loop's time, nine tenths when many wait, are left to them and to the threads that
    /// search for them.
    private var pause: TimeAmount {
        let isShared = !waiting.isEmpty && areShared(besides: waiting.onlyKey)
        return isShared ? .milliseconds(min(Int64(waiting.count), 3)) : Self.shortestPause
    }

    /// A sanitizer has the loop take longer to begin a task.
    static var shortestPause: TimeAmount {
        #if SANITIZED
            .milliseconds(1)
        #else
            .microseconds(20)
        #endif
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
