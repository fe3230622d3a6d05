import NIOCore

/// Looks at those on one event loop that watch something, when it changes: in passes over all of
/// them, at most one in each interval, in turns with other work. A payer whose watchers take long
/// skips passes while it rests. Used on that loop only.
final class LoopPasses<Watcher: AnyObject> {
    /// - Returns: the cost in approximate microseconds, and when to look again even without a
    ///   change.
    typealias Look = (Watcher) -> (cost: Int, next: NIODeadline?)

    /// The cost of a watcher with nothing to answer, in approximate microseconds.
    private static var costPerLook: Int { 1 }

    private let eventLoop: any EventLoop
    private let turns: LoopTurns
    private let interval: TimeAmount
    private let begins: () -> Void
    private let lookAt: Look
    private var rounds = PassRounds<Watcher>()
    private var hasChanged = false
    private var waitsForTurn = false
    /// The next pass, which serves all changes until it begins.
    private var timer: (due: NIODeadline, task: Scheduled<Void>)?
    private var began = NIODeadline.distantPast

    /// - Parameters:
    ///   - begins: called when a pass begins, and at each change if nobody watches.
    ///   - look: looks at one watcher.
    init(
        eventLoop: any EventLoop, turns: LoopTurns, interval: TimeAmount,
        begins: @escaping () -> Void = {}, look: @escaping Look
    ) {
        self.eventLoop = eventLoop
        self.turns = turns
        self.interval = interval
        self.begins = begins
        lookAt = look
    }

    /// - Parameter payer: the same until it watches no more.
    func watch(_ watcher: Watcher, of payer: Payer) { rounds.add(watcher, of: payer) }

    func unwatch(_ watcher: Watcher, of payer: Payer) { rounds.remove(watcher, of: payer) }

    /// Something has changed.
    func lookSoon() {
        // Watchers are looked at when they begin to watch, so none misses the change.
        if rounds.isEmpty { begins() }
        hasChanged = true
        begin(at: began + interval)
    }

    /// Looks at the payer's watchers at `due` though nothing changes, or when its rest is over.
    func look(at due: NIODeadline, for payer: Payer) {
        rounds.wants(payer, at: due)
        begin(at: due)
    }

    /// Begins a pass then, or sooner if one is due sooner.
    private func begin(at due: NIODeadline) {
        guard !rounds.isEmpty else { return }
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let task = eventLoop.scheduleTask(deadline: max(due, began + interval)) {
            this.value.timer = nil
            this.value.begin()
        }
        timer = (due, task)
    }

    private func begin() {
        began = eventLoop.now
        begins()
        if hasChanged { rounds.changed() }
        hasChanged = false
        if let later = rounds.begin(at: began) { begin(at: later) }
        waitForTurn()
    }

    private func goOn() {
        waitsForTurn = false
        var turn = Turn()
        while turn.spend(Self.costPerLook), let (watcher, payer) = rounds.next() {
            let look = lookAt(watcher)
            if let next = look.next { self.look(at: next, for: payer) }
            let due = rounds.looked(
                of: payer, cost: Self.costPerLook + look.cost, at: eventLoop.now,
                isShared: turns.areShared(besides: payer))
            if let due { begin(at: due) }
            if look.cost > 0, !turn.spend(look.cost) { break }
        }
        waitForTurn()
    }

    private func waitForTurn() {
        guard rounds.isUnderWay, !waitsForTurn else { return }
        waitsForTurn = true
        turns.waitForAll { self.goOn() }
    }
}
