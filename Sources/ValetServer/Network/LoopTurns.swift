import Collections
import NIOCore
import ValetModel

/// What a connection may do before others have their turn, in about microseconds.
struct Turn {
    private var left: Int
    /// True until the first piece of work of a turn of its own, which is done whatever it costs.
    private var isFresh: Bool
    /// Others may have as much in the same pass of the loop.
    let isShared: Bool

    /// With the bytes that a connection has just sent.
    static var shared: Turn { Turn(left: Limits.workAtOnce, isFresh: false, isShared: true) }
    /// A turn of its own.
    static var own: Turn { Turn(left: Limits.workPerTurn, isFresh: true, isShared: false) }

    /// - Returns: whether there is room for the work, which then counts.
    mutating func spend(_ cost: Int) -> Bool {
        guard isFresh || cost <= left else { return false }
        isFresh = false
        left -= cost
        return true
    }
}

/// Turns of the connections of one event loop that have more to do than may be done at once: one
/// turn in each pass of the loop over its sockets, so that connections with little to do go
/// between. Touched on that loop only.
final class LoopTurns {
    /// Tasks that are due run before the loop looks at its sockets again, so a task that is to run
    /// after that has to be due a little later.
    private static var pause: TimeAmount { .microseconds(20) }

    private let eventLoop: any EventLoop
    private var waiting: Deque<() -> Void> = []
    /// True from a turn to the end of the loop's pass.
    private var isTaken = false

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// - Returns: whether this pass's turn was free, and is the caller's now.
    func takeNow() -> Bool {
        guard !isTaken, waiting.isEmpty else { return false }
        scheduleNext()
        return true
    }

    /// Runs `turn` in a later pass, when those who came before have had theirs.
    func wait(_ turn: @escaping () -> Void) {
        waiting.append(turn)
        if !isTaken { scheduleNext() }
    }

    private func scheduleNext() {
        isTaken = true
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: Self.pause) { this.value.passEnded() }
    }

    private func passEnded() {
        isTaken = false
        guard let next = waiting.popFirst() else { return }
        scheduleNext()
        next()
    }
}
