import NIOPosix
import ValetModel
import ValetStore

/// Refreshes lists, on threads of its own: what a `RefreshBook` says.
final class Refresher: Sendable {
    typealias Ticket = RefreshBook.Ticket

    private struct Waiter {
        let list: Int
        let progressed: @Sendable (RefreshProgress) -> Void
        let ended: @Sendable (RefreshEnding) -> Void
    }

    private struct State {
        var book: RefreshBook
        var waiters: [Ticket: Waiter] = [:]
        var stops: [Int: RefreshStop] = [:]
        var lastTicket: Ticket = 0
        var isStopped = false
    }

    private let database: Database
    private let writer: FileWriter
    private let program: String?
    private let threads = NIOThreadPool(numberOfThreads: Limits.refreshesAtOnce)
    private let state: Mutex<State>

    /// nil if no list is loaded from elsewhere.
    /// - Parameter interval: between the beginnings of two refreshes of one list.
    init?(database: Database, writer: FileWriter, program: String?, interval: Duration) {
        guard database.listSources.contains(where: { $0 != nil }) else { return nil }
        self.database = database
        self.writer = writer
        self.program = program
        state = Mutex(State(book: RefreshBook(interval: interval)))
        threads.start()
    }

    /// - Parameters:
    ///   - progressed: called until the end, at most ten times a second.
    ///   - ended: called once. Both are called on any thread.
    func refresh(
        _ list: Int, progressed: @escaping @Sendable (RefreshProgress) -> Void,
        ended: @escaping @Sendable (RefreshEnding) -> Void
    ) throws(ValetError) -> Ticket {
        let (ticket, starts) = try state.withLock { state throws(ValetError) in
            guard !state.isStopped else { throw .shuttingDown }
            let ticket = state.lastTicket + 1
            let starts = try state.book.asked(list, ticket, at: .now)
            state.lastTicket = ticket
            state.waiters[ticket] = Waiter(list: list, progressed: progressed, ended: ended)
            if starts { state.stops[list] = RefreshStop() }
            return (ticket, starts)
        }
        if starts { start(list) }
        return ticket
    }

    /// The one who asked no longer waits, and gets `cancelled` if nothing else was answered.
    func leave(_ ticket: Ticket) {
        let (waiter, stop) = state.withLock { state -> (Waiter?, RefreshStop?) in
            guard let waiter = state.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
            let stops = state.book.left(waiter.list, ticket)
            return (waiter, stops ? state.stops[waiter.list] : nil)
        }
        stop?.stop()
        waiter?.ended(.cancelled)
    }

    /// Cancels all refreshes, for a server that ends.
    func stop() {
        let (tickets, stops) = state.withLock { state in
            state.isStopped = true
            return (Array(state.waiters.keys), Array(state.stops.values))
        }
        for stop in stops { stop.stop() }
        for ticket in tickets { leave(ticket) }
    }

    /// Returns when the threads have ended.
    func finish() async {
        stop()
        try? await threads.shutdownGracefully()
    }

    private func start(_ list: Int) {
        guard let source = database.listSources[list], let stop = state.withLock({ $0.stops[list] })
        else { return ended(list, .cancelled) }
        let refresh = ListRefresh(
            database: database, list: list, source: source, writer: writer, program: program,
            stop: stop, progressed: { [weak self] in self?.progressed(list, $0) })
        threads.submit { [self] state in
            ended(list, state == .active ? refresh.run() : .cancelled)
        }
    }

    private func progressed(_ list: Int, _ progress: RefreshProgress) {
        let waiters = state.withLock { state in
            state.book.waiting(for: list).compactMap { state.waiters[$0] }
        }
        for waiter in waiters { waiter.progressed(progress) }
    }

    private func ended(_ list: Int, _ ending: RefreshEnding) {
        let (waiters, startsAgain) = state.withLock { state in
            let (answered, startsAgain) = state.book.ended(list, at: .now)
            state.stops[list] = startsAgain ? RefreshStop() : nil
            return (answered.compactMap { state.waiters.removeValue(forKey: $0) }, startsAgain)
        }
        for waiter in waiters { waiter.ended(ending) }
        if startsAgain { start(list) }
    }
}

/// Stops a refresh: kills the process that loads, and is polled by all else.
final class RefreshStop: Sendable {
    private let state = Mutex((isStopped: false, child: FetchProcess?.none))

    var isStopped: Bool { state.withLock(\.isStopped) }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.child?.stop()
        }
    }

    /// - Parameter child: the process that runs now; nil when it has ended.
    func watch(_ child: FetchProcess?) {
        state.withLock { state in
            state.child = child
            if state.isStopped { child?.stop() }
        }
    }
}
