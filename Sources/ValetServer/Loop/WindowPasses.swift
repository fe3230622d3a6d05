import Collections
import NIOCore
import ValetModel

/// A connection whose windows are looked at after publications.
protocol WindowWatcher: AnyObject {
    /// Answers windows again whose answers would be others now.
    /// - Returns: the cost, and when to look again though nothing else happens.
    func lookAtWindows() -> (cost: Int, next: NIODeadline?)
}

/// Has the windows of one event loop looked at after publications: in passes over all connections
/// with windows that changes concern, a pass at most every millisecond, in turns with other work.
/// Used on that loop only.
final class WindowPasses {
    private static var interval: TimeAmount { .milliseconds(1) }
    /// The cost of a connection with nothing to answer, in approximate microseconds.
    private static var costPerLook: Int { 1 }

    private let eventLoop: any EventLoop
    private let turns: LoopTurns
    private var watchers: OrderedDictionary<ObjectIdentifier, any WindowWatcher> = [:]
    /// Connections that the pass under way has not come to.
    private var left: Deque<ObjectIdentifier> = []
    /// The next pass is due; another publication needs no other.
    private var timer: (due: NIODeadline, task: Scheduled<Void>)?
    private var began = NIODeadline.distantPast

    init(eventLoop: any EventLoop, turns: LoopTurns) {
        self.eventLoop = eventLoop
        self.turns = turns
    }

    func watch(_ watcher: some WindowWatcher) {
        watchers[ObjectIdentifier(watcher)] = watcher
    }

    func unwatch(_ watcher: some WindowWatcher) {
        watchers[ObjectIdentifier(watcher)] = nil
    }

    /// Rows have changed.
    func published() {
        look(at: began + Self.interval)
    }

    /// Begins a pass at `due`, or sooner if one is due sooner.
    func look(at due: NIODeadline) {
        guard !watchers.isEmpty else { return }
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let task = eventLoop.scheduleTask(deadline: max(due, began + Self.interval)) {
            this.value.timer = nil
            this.value.begin()
        }
        timer = (due, task)
    }

    private func begin() {
        guard left.isEmpty else {
            // Those that the pass has come to already are looked at in the next.
            return look(at: eventLoop.now + Self.interval)
        }
        began = eventLoop.now
        left = Deque(watchers.keys)
        turns.wait { self.goOn() }
    }

    private func goOn() {
        var turn = Turn()
        var next: NIODeadline?
        while turn.spend(Self.costPerLook), let identifier = left.popFirst() {
            guard let watcher = watchers[identifier] else { continue }
            let look = watcher.lookAtWindows()
            if let due = look.next { next = min(next ?? due, due) }
            if look.cost > 0, !turn.spend(look.cost) { break }
        }
        if let next { look(at: next) }
        if !left.isEmpty { turns.wait { self.goOn() } }
    }
}
