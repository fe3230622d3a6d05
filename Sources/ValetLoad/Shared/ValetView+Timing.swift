import ValetClient
import ValetModel

extension ValetView {
    /// A whole window, and when its last row was decoded.
    ///
    /// The time is taken on the connection's event loop, so that delays of a busy harness do not
    /// count.
    func timedWindow(
        at anchor: Anchor, rowsBefore: Int = 0, rows: Int, velocity: Int = 0,
        isSettled: Bool = true
    ) async throws(ValetError) -> (window: Window, end: Instant) {
        let (result, end) = await withCheckedContinuation { continuation in
            requestWindow(
                at: anchor, rowsBefore: rowsBefore, rows: rows, velocity: velocity,
                isSettled: isSettled, wantsParts: false
            ) { continuation.resume(returning: ($0, ContinuousClock.now)) }
        }
        return (try result.get(), end)
    }
}
