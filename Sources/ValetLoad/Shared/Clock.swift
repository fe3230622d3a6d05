/// A moment of the clock that all times of the harness are taken with.
typealias Instant = ContinuousClock.Instant

extension Task where Success == Never, Failure == Never {
    /// Waits until `condition` holds, the time is up or the task is cancelled.
    /// - Returns: whether it holds.
    @discardableResult
    static func poll(
        every pause: Duration, until end: Instant? = nil,
        _ condition: () throws -> Bool
    ) async rethrows -> Bool {
        while try !condition() {
            if isCancelled || end.map({ .now >= $0 }) ?? false { return false }
            try? await sleep(for: pause, tolerance: .zero)
        }
        return true
    }
}
