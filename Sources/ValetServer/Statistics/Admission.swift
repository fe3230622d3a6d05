import Synchronization

/// Counts connections, up to a limit.
final class Admission: Sendable {
    private struct Counts {
        var now = 0
        var most = 0
    }

    let limit: Int
    private let counts = Mutex(Counts())

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
