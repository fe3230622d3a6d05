import DequeModule
import ValetModel

/// A list's changes as they are committed, oldest first.
///
/// ```swift
/// let feed = try await connection.follow("cars")
/// while true {
///     changes += try await feed.next()
/// }
/// ```
///
/// The server sends no more than the connection's credit before `next` is called, and buffers
/// nothing: a slow client gets its changes from the log. The feed ends with its last reference.
public final class ValetFeed: Sendable {
    /// Where the feed began.
    public let start: FeedPosition
    private let number: UInt32
    private let connection: ValetConnection
    private let arrivals: FeedArrivals

    fileprivate init(
        _ connection: ValetConnection, number: UInt32, start: FeedPosition, _ arrivals: FeedArrivals
    ) {
        self.connection = connection
        self.number = number
        self.start = start
        self.arrivals = arrivals
    }

    deinit {
        connection.execute { [number, arrivals] handler in
            handler.unfollow(number)
            handler.changesTaken(arrivals.drop())
        }
    }

    /// Waits for the next changes, at least one.
    /// - Throws: `.expired` if the next changes are no longer kept; the error that ended the
    ///   connection.
    public func next() async throws(ValetError) -> [LoggedChange] {
        while true {
            if let (changes, byteCount) = try arrivals.take() {
                connection.execute { $0.changesTaken(byteCount) }
                return changes
            }
            try await arrivals.wait()
        }
    }
}

extension ValetConnection {
    /// Follows a list's log.
    /// - Parameter start: goes on from there; from now on without it.
    /// - Throws: `.expired` if changes after the start are no longer kept.
    public func follow(
        _ list: String, from start: FeedPosition? = nil
    ) async throws(ValetError) -> ValetFeed {
        let arrivals = FeedArrivals()
        let (number, position) = try await onLoop {
            (handler: ClientHandler, waiter: Waiter<(UInt32, FeedPosition)>) in
            handler.follow(list, from: start) { delivery in
                switch delivery {
                case .changes(let changes, let byteCount): arrivals.add(changes, byteCount)
                case .failed(let error): arrivals.fail(error)
                case .window, .interrupted, .progress, .refreshProgress, .goingAway: break
                }
            } _: { number, result in
                let isAwaited = waiter.finish(
                    Self.read(result) {
                        if case .following(let position) = $0 { (number, position) } else { nil }
                    })
                if !isAwaited { handler.unfollow(number) }
            }
        }
        return ValetFeed(self, number: number, start: position, arrivals)
    }
}

/// Changes that have arrived and were not taken yet: at most the connection's credit.
private final class FeedArrivals: Sendable {
    private struct State {
        var arrived: Deque<(changes: [LoggedChange], byteCount: Int)> = []
        var failure: ValetError?
        var waiters: [Waiter<Void>] = []
    }

    private let state = Mutex(State())

    func add(_ changes: [LoggedChange], _ byteCount: Int) {
        wake { $0.arrived.append((changes, byteCount)) }
    }

    func fail(_ error: ValetError) { wake { $0.failure = $0.failure ?? error } }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.finish(.success(())) }
    }

    /// nil if nothing has arrived.
    func take() throws(ValetError) -> (changes: [LoggedChange], byteCount: Int)? {
        try state.withLock { state throws(ValetError) in
            if let first = state.arrived.popFirst() { return first }
            if let failure = state.failure { throw failure }
            return nil
        }
    }

    /// Drops what was not taken.
    /// - Returns: its bytes, which are credit to give back.
    func drop() -> Int {
        state.withLock { exchange(&$0.arrived, with: []) }.reduce(0) { $0 + $1.byteCount }
    }

    func wait() async throws(ValetError) {
        let waiter = Waiter<Void>()
        let isThere = state.withLock { state in
            guard state.arrived.isEmpty, state.failure == nil else { return true }
            // Cancelled waiters would pile up.
            state.waiters.removeAll(where: \.isFinished)
            state.waiters.append(waiter)
            return false
        }
        if !isThere { try await waiter.answer() }
    }
}
