import DequeModule
import NIOCore
import OrderedCollections

/// Looks at the connections of one event loop that watch something, when it changes: in passes over
/// all of them, at most one in each interval, in turns with other work. Used on that loop only.
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
    private var watchers: OrderedDictionary<ObjectIdentifier, ConnectionHandler> = [:]
    /// Connections that the current pass has not reached.
    private var left: Deque<ObjectIdentifier> = []
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
        watchers[ObjectIdentifier(watcher)] = watcher
    }

    func unwatch(_ watcher: ConnectionHandler) {
        watchers[ObjectIdentifier(watcher)] = nil
    }

    /// Something has changed.
    func lookSoon() {
        // Connections look when they begin to watch, so none misses the change.
        if watchers.isEmpty { begins() }
        look(at: began + interval)
    }

    /// Begins a pass at `due`, or sooner if one is due sooner.
    func look(at due: NIODeadline) {
        guard !watchers.isEmpty else { return }
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
        guard left.isEmpty else {
            // Those that the pass has come to already are looked at in the next.
            return look(at: eventLoop.now + interval)
        }
        began = eventLoop.now
        begins()
        left = Deque(watchers.keys)
        turns.waitForAll { self.goOn() }
    }

    private func goOn() {
        var turn = Turn()
        var next: NIODeadline?
        while turn.spend(Self.costPerLook), let identifier = left.popFirst() {
            guard let watcher = watchers[identifier] else { continue }
            let look = lookAt(watcher)
            if let due = look.next { next = min(next ?? due, due) }
            if look.cost > 0, !turn.spend(look.cost) { break }
        }
        if let next { self.look(at: next) }
        if !left.isEmpty { turns.waitForAll { self.goOn() } }
    }
}
