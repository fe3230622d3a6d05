import NIOCore
import ValetProtocol

/// When a request was read from the socket, and when work on it began.
struct RequestClock: Equatable {
    let readAt: NIODeadline
    let beganAt: NIODeadline

    /// The times to report in the answer.
    /// - Parameter queuedMicroseconds: how long its build was queued.
    func times(at now: NIODeadline, queuedMicroseconds: UInt32 = 0) -> Times {
        let total = (now - readAt).clampedMicroseconds
        let beforeWork = (beganAt - readAt).clampedMicroseconds
        // A shared build may have been queued before this request arrived.
        let waited = min(total, UInt32(clamping: UInt64(beforeWork) + UInt64(queuedMicroseconds)))
        return Times(waitedMicroseconds: waited, workedMicroseconds: total - waited)
    }
}
