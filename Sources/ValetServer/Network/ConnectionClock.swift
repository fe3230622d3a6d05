import NIOCore
import ValetModel

/// The timeouts of a connection: for the hello, for finishing a frame, and for silence.
struct ConnectionClock {
    private let timeouts: Timeouts
    private let opened: NIODeadline
    private(set) var lastReceived: NIODeadline
    /// When the first bytes of the unfinished frame arrived.
    private var partialSince: NIODeadline?

    init(now: NIODeadline, timeouts: Timeouts = Timeouts()) {
        self.timeouts = timeouts
        opened = now
        lastReceived = now
    }

    mutating func bytesReceived(at now: NIODeadline) {
        lastReceived = now
    }

    /// All complete frames have been taken.
    /// - Parameters:
    ///   - hadFrame: whether there was one: the remaining bytes then arrived after it.
    ///   - isPartial: whether bytes of an incomplete frame are left.
    mutating func framesTaken(at now: NIODeadline, hadFrame: Bool, isPartial: Bool) {
        if !isPartial {
            partialSince = nil
        } else if hadFrame || partialSince == nil {
            partialSince = now
        }
    }

    /// When to check again: at the next timeout, and at least twice in a frame's time, so that a
    /// frame that starts meanwhile is checked on time.
    func deadline(at now: NIODeadline, isGreeted: Bool) -> NIODeadline {
        var next = now + .nanoseconds(timeouts.frame.nanoseconds / 2)
        next = min(next, lastReceived + timeouts.silence)
        if !isGreeted { next = min(next, opened + timeouts.hello) }
        if let partialSince { next = min(next, partialSince + timeouts.frame) }
        return next
    }

    /// The error of the timeout that has expired, if any.
    func overdue(at now: NIODeadline, isGreeted: Bool) -> ValetError? {
        if !isGreeted, now >= opened + timeouts.hello {
            return ValetError(
                .timedOut, "no hello within \(timeouts.hello.wholeSeconds) seconds")
        }
        if let partialSince, now >= partialSince + timeouts.frame {
            return ValetError(
                .timedOut, "a frame took longer than \(timeouts.frame.wholeSeconds) seconds")
        }
        if now >= lastReceived + timeouts.silence {
            return ValetError(
                .timedOut, "silent for \(timeouts.silence.wholeSeconds) seconds")
        }
        return nil
    }
}
