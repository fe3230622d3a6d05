import NIOCore

/// Looks at the connections of one event loop that watch something, when it changes: in passes over
/// all of them, at most one in each interval, in turns with other work. A payer with so many that
/// looking at them takes long is left out of some. Used on that loop only.
final class LoopPasses {
    /// - Returns: the cost in approximate microseconds, and when to look again even without a
    ///   change.
    typealias Look = (ConnectionHandler) -> (cost: Int, next: NIODeadline?)

    /// The cost of a connection with nothing to answer, in approximate microseconds.
    private static var costPerLook: Int { 1 }

    private let eventLoop: any EventLoop
    private let turns: LoopTurns
    private let interval: TimeAmount
    private let begins: () -> Void
    private let lookAt: Look
    private var rounds = PassRounds<ConnectionHandler>()
    private var waitsForTurn = false
    /// The next pass, which serves all changes until it begins.
    private var timer: (due: NIODeadline, task: Scheduled<Void>)?
    private var began = NIODeadline.distantPast

    /// - Parameters:
    ///   - begins: called when a pass begins, and at each change if no connection watches.
    ///   - look: looks at one connection.
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

    func watch(_ watcher: ConnectionHandler) {
        rounds.add(watcher, of: watcher.owner.payer)
    }

    func unwatch(_ watcher: ConnectionHandler) {
        rounds.remove(watcher, of: watcher.owner.payer)
    }

    /// Something has changed.
    func lookSoon() {
        // Connections look when they begin to watch, so none misses the change.
        if rounds.isEmpty { begins() }
        look(at: began + interval)
    }

    /// Begins a pass at `due`, or sooner if one is due sooner.
    func look(at due: NIODeadline) {
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
        rounds.begin(at: began)
        goOnSoon()
    }

    private func goOn() {
        waitsForTurn = false
        var turn = Turn()
        var next: NIODeadline?
        while turn.spend(Self.costPerLook), let (watcher, payer) = rounds.next(at: eventLoop.now) {
            let look = lookAt(watcher)
            rounds.spent(Self.costPerLook + look.cost, by: payer)
            if let due = look.next { next = min(next ?? due, due) }
            if look.cost > 0, !turn.spend(look.cost) { break }
        }
        if let next { self.look(at: next) }
        goOnSoon()
    }

    private func goOnSoon() {
        if let due = rounds.takeDue() { look(at: due) }
        guard rounds.isUnderWay, !waitsForTurn else { return }
        waitsForTurn = true
        turns.waitForAll { self.goOn() }
    }
}
