import ValetModel

/// The refreshes that run, and who waits for each: a value.
///
/// A list is refreshed once at a time, for everyone who asks. When nobody waits any more it is
/// stopped, and whoever asks before it has ended waits for the next one. A list is not loaded more
/// often than an interval allows, since a source may be somebody else's.
struct RefreshBook {
    /// Of one who waits.
    typealias Ticket = UInt64

    private struct Refresh {
        var waiting: Set<Ticket>
        var isStopping = false
        /// Those who wait for the next refresh.
        var next: Set<Ticket> = []
    }

    private let interval: Duration
    private var refreshes: [Int: Refresh] = [:]
    /// When each list's newest refresh began.
    private var begun: [Int: ContinuousClock.Instant] = [:]

    init(interval: Duration) {
        self.interval = interval
    }

    /// - Returns: whether the refresh is to be started; else it runs already.
    mutating func asked(
        _ list: Int, _ ticket: Ticket, at now: ContinuousClock.Instant
    ) throws(ValetError) -> Bool {
        if refreshes[list]?.isStopping == false {
            refreshes[list]?.waiting.insert(ticket)
            return false
        }
        if let last = begun[list], now < last + interval {
            throw ValetError(
                .busy, "it was loaded just now: try again in a moment (secondsBetweenRefreshes)",
                retryAfter: last + interval - now)
        }
        if refreshes[list] != nil {
            refreshes[list]?.next.insert(ticket)
            return false
        }
        guard refreshes.count < Limits.refreshesAtOnce else {
            throw ValetError(
                .busy,
                "\(Limits.refreshesAtOnce) lists are being loaded (refreshesAtOnce): try again "
                    + "later")
        }
        refreshes[list] = Refresh(waiting: [ticket])
        begun[list] = now
        return true
    }

    /// One no longer waits, if it did.
    /// - Returns: whether the list's refresh is to be stopped.
    mutating func left(_ list: Int, _ ticket: Ticket) -> Bool {
        refreshes[list]?.next.remove(ticket)
        guard refreshes[list]?.waiting.remove(ticket) != nil, refreshes[list]?.waiting == []
        else { return false }
        refreshes[list]?.isStopping = true
        return true
    }

    /// Those who are told of the progress.
    func waiting(for list: Int) -> Set<Ticket> { refreshes[list]?.waiting ?? [] }

    /// - Returns: who waited for it, and whether it is to be started again.
    mutating func ended(
        _ list: Int, at now: ContinuousClock.Instant
    ) -> (answered: Set<Ticket>, startsAgain: Bool) {
        guard let refresh = refreshes.removeValue(forKey: list) else { return ([], false) }
        guard !refresh.next.isEmpty else { return (refresh.waiting, false) }
        refreshes[list] = Refresh(waiting: refresh.next)
        begun[list] = now
        return (refresh.waiting, true)
    }
}
