import ValetModel

/// Counts connections, up to a limit.
final class Admission: Sendable {
    struct Counts: Sendable {
        var now = 0
        var most = 0
        /// That were let in, or refused at the limit, since the start.
        var admitted = 0
        var refused = 0
    }

    let limit: Int
    private let state = Mutex(Counts())

    init(limit: Int) {
        self.limit = limit
    }

    var counts: Counts { state.withLock { $0 } }

    /// - Returns: whether one more connection is admitted; `leave` frees its place.
    func enter() -> Bool {
        state.withLock { counts in
            guard counts.now < limit else {
                counts.refused += 1
                return false
            }
            counts.now += 1
            counts.admitted += 1
            counts.most = max(counts.most, counts.now)
            return true
        }
    }

    func leave() {
        state.withLock { $0.now -= 1 }
    }

    /// How many may wait to be let in. If the server is full, a few may: they are told so.
    var newcomersAtMost: Int {
        min(max(limit - counts.now, Limits.newcomersAtOnce), Limits.newcomersWaiting)
    }

    /// Counts one that was closed while it waited.
    func refuse() { state.withLock { $0.refused += 1 } }
}
