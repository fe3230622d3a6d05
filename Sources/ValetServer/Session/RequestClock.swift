import NIOCore
import ValetProtocol

/// When a request was read off the socket, and when work on it began.
struct RequestClock: Equatable {
    let readAt: NIODeadline
    let beganAt: NIODeadline

    /// What the answer says of its time.
    /// - Parameter queuedMicroseconds: how long its build waited for a thread.
    func times(at now: NIODeadline, queuedMicroseconds: UInt32 = 0) -> Times {
        let total = (now - readAt).clampedMicroseconds
        let beforeWork = (beganAt - readAt).clampedMicroseconds
        // A build that others had ordered may have waited longer than this request.
        let waited = min(total, UInt32(clamping: UInt64(beforeWork) + UInt64(queuedMicroseconds)))
        return Times(waitedMicroseconds: waited, workedMicroseconds: total - waited)
    }
}
