import Collections
import NIOCore
import ValetModel

/// The work budget of a connection's turn, in approximate microseconds.
struct Turn {
    private var left: Int
    /// True until the first piece of work in an own turn, which runs whatever its cost.
    private var isFresh: Bool
    /// Whether other connections may do as much in the same pass of the loop.
    let isShared: Bool

    /// For bytes that have just arrived.
    static var shared: Turn { Turn(left: Limits.workAtOnce, isFresh: false, isShared: true) }
    /// For a turn that the connection had to wait for.
    static var own: Turn { Turn(left: Limits.workPerTurn, isFresh: true, isShared: false) }

    /// - Returns: whether the budget allows the work, which is then charged.
    mutating func spend(_ cost: Int) -> Bool {
        guard isFresh || cost <= left else { return false }
        isFresh = false
        left -= cost
        return true
    }
}

/// Schedules the connections of one event loop that have more work than may be done at once: one
/// turn in each pass of the loop over its sockets, so that connections with little work run in
/// between. Used on that loop only.
final class LoopTurns {
    /// Due tasks run before the loop polls its sockets again, so a task that is to run after that
    /// must be due a little later than the turn's end.
    private static var pause: TimeAmount { .microseconds(20) }

    private let eventLoop: any EventLoop
    private var waiting: Deque<() -> Void> = []
    /// True from a turn to the end of the loop's pass.
    private var isTaken = false

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// - Returns: whether this pass's turn was free; it is then taken.
    func takeNow() -> Bool {
        guard !isTaken, waiting.isEmpty else { return false }
        scheduleNext()
        return true
    }

    /// Runs `turn` in a later pass, after those that were queued before it.
    func wait(_ turn: @escaping () -> Void) {
        waiting.append(turn)
        if !isTaken { scheduleNext() }
    }

    private func scheduleNext() {
        isTaken = true
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        // The turn may take longer than the pause, which begins when it is over.
        eventLoop.execute {
            this.value.eventLoop.scheduleTask(in: Self.pause) { this.value.passEnded() }
        }
    }

    private func passEnded() {
        isTaken = false
        guard let next = waiting.popFirst() else { return }
        scheduleNext()
        next()
    }
}
