import NIOCore
import ValetModel
import ValetProtocol

/// What a client is told without a request: windows again, presence, progress.
extension ConnectionHandler {
    /// Takes part in the loop's passes while changes of rows concern a window.
    func watchRows() {
        let watches = session.watchingWindows > 0
        guard watches != isWatching, context != nil || !watches else { return }
        isWatching = watches
        guard watches else { return loop.windows.unwatch(self, of: owner.payer) }
        loop.windows.watch(self, of: owner.payer)
        // Rows may have changed since the window was answered.
        if let now = context?.eventLoop.now { loop.windows.look(at: now, for: owner.payer) }
    }

    func lookAtWindows() -> (cost: Int, next: NIODeadline?) {
        // What a client does not read is answered when it reads again.
        guard let context, context.channel.isWritable else {
            session.windowsHeldUp()
            return (0, nil)
        }
        let looks = session.lookAtWindows(loop)
        if !looks.actions.isEmpty {
            run(looks.actions)
            pump()
            flush()
        }
        return (looks.cost, looks.next)
    }

    /// Answers windows that have waited for credit or for their last pages.
    /// - Returns: whether any was.
    func answerAgain() -> Bool {
        watchRows()
        guard session.hasPendingWindow else { return false }
        let looks = session.lookAtWindows(loop)
        if let next = looks.next { loop.windows.look(at: next, for: owner.payer) }
        run(looks.actions)
        return !looks.actions.isEmpty
    }

    func nodeChanged(_ node: ServingNode) {
        // A client that does not read need not hear each second that it goes on so.
        if case .behind = node.condition, context?.channel.isWritable != true { return }
        finish(session.nodeChanged(node))
    }

    // MARK: The presence of this client and of others

    /// Names this connection to others.
    var number: UInt32 { UInt32(truncatingIfNeeded: owner.number) }

    func appear(list: Int?, _ presence: Presence) {
        guard context != nil else { return }
        loop.presences.watch(self, of: owner.payer)
        let station = session.station.name
        shared.presence.moved(
            number, to: list, PresenceOfOthers.Other(station: station, presence: presence))
        if let next = lookAtPresence().next { loop.presences.look(at: next, for: owner.payer) }
    }

    func lookAtPresence() -> (cost: Int, next: NIODeadline?) {
        // A client that does not read gets the newest state when it reads again.
        guard let context, context.channel.isWritable else { return (0, nil) }
        let guests = shared.presence.guests(in: session.presenceNews?.list)
        let looks = session.lookAtGuests(
            guests, besides: number, at: context.eventLoop.now, loop)
        if !looks.actions.isEmpty {
            run(looks.actions)
            flush()
        }
        return (looks.cost, looks.next)
    }

    // MARK: Progress of builds: no timer runs while nothing waits

    /// Schedules the next report. An answer does not cancel the timer, which would cost more with
    /// many quick answers than letting it fire and find nothing to report.
    func scheduleProgress() {
        guard progressTimer == nil, let due = waits.nextDue, let this = bound else { return }
        progressTimer = this.eventLoop.scheduleTask(deadline: due) { this.value.sendProgress() }
    }

    private func sendProgress() {
        progressTimer = nil
        guard let context else { return }
        let due = waits.due(at: context.eventLoop.now)
        // A client that does not read gets the report later, or never.
        if context.channel.isWritable {
            finish(due.flatMap { session.progressed($0.order, thousandths: $0.thousandths) })
        }
        scheduleProgress()
    }
}

/// The arrangements that a connection waits for, and when to report their progress. Time is a
/// parameter, so that tests need not wait.
struct BuildWaits {
    /// Builds that finish sooner report no progress.
    static let untilFirst = TimeAmount.milliseconds(200)
    static let interval = TimeAmount.milliseconds(100)

    private struct Wait {
        let arrangement: PendingArrangement
        var due: NIODeadline
        /// The last reported progress, which never decreases.
        var thousandths = -1
    }

    private var waits: [ArrangeOrder: Wait] = [:]

    mutating func begin(
        _ order: ArrangeOrder, _ arrangement: PendingArrangement, at now: NIODeadline
    ) {
        waits[order] = Wait(arrangement: arrangement, due: now + Self.untilFirst)
    }

    /// - Returns: what the order was still waiting for.
    mutating func end(_ order: ArrangeOrder) -> PendingArrangement? {
        waits.removeValue(forKey: order)?.arrangement
    }

    /// The time of the next report; nil if nothing is waiting.
    var nextDue: NIODeadline? { waits.values.map(\.due).min() }

    /// The reports to send now: for orders that have waited long enough and have made progress
    /// since their last report.
    mutating func due(at now: NIODeadline) -> [(order: ArrangeOrder, thousandths: UInt32)] {
        var due: [(order: ArrangeOrder, thousandths: UInt32)] = []
        for (order, wait) in waits where wait.due <= now {
            waits[order]?.due = now + Self.interval
            guard let done = wait.arrangement.thousandthsDone, done > wait.thousandths else {
                continue
            }
            waits[order]?.thousandths = done
            due.append((order, min(UInt32(clamping: done), BuildProgress.whole)))
        }
        return due.sorted { $0.order.stream < $1.order.stream }
    }
}
