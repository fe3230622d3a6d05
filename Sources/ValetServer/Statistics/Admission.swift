import Synchronization

/// Counts connections, up to a limit.
final class Admission: Sendable {
    let limit: Int
    private let counts = Mutex((now: 0, most: 0))

    init(limit: Int) {
        self.limit = limit
    }

    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }

    /// - Returns: whether one more connection is admitted; `leave` frees its place.
    func enter() -> Bool {
        counts.withLock { counts in
            guard counts.now < limit else { return false }
            counts.now += 1
            counts.most = max(counts.most, counts.now)
            return true
        }
    }

    func leave() {
        counts.withLock { $0.now -= 1 }
    }
}
