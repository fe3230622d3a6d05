import NIOCore
import ValetModel

/// How long a connection may take to greet, to finish a frame, and to say anything.
struct ConnectionClock {
    private let patience: Patience
    private let opened: NIODeadline
    private(set) var lastReceived: NIODeadline
    /// Since when the first bytes of an unfinished frame wait for the others.
    private var partialSince: NIODeadline?

    init(now: NIODeadline, patience: Patience = Patience()) {
        self.patience = patience
        opened = now
        lastReceived = now
    }

    mutating func bytesReceived(at now: NIODeadline) {
        lastReceived = now
    }

    /// The frames that were whole have been taken.
    /// - Parameters:
    ///   - hadFrame: whether there was one: then what is left began after it.
    ///   - isPartial: whether bytes are left that wait for more of their frame.
    mutating func framesTaken(at now: NIODeadline, hadFrame: Bool, isPartial: Bool) {
        if !isPartial {
            partialSince = nil
        } else if hadFrame || partialSince == nil {
            partialSince = now
        }
    }

    /// When to look again: when something is due, and at least twice in a frame's time, so that a
    /// frame that begins meanwhile is looked at when it is due.
    func deadline(at now: NIODeadline, isGreeted: Bool) -> NIODeadline {
        var next = now + .nanoseconds(patience.perFrame.nanoseconds / 2)
        next = min(next, lastReceived + patience.ofSilence)
        if !isGreeted { next = min(next, opened + patience.untilHello) }
        if let partialSince { next = min(next, partialSince + patience.perFrame) }
        return next
    }

    /// The rule that was broken, if one was.
    func overdue(at now: NIODeadline, isGreeted: Bool) -> ValetError? {
        if !isGreeted, now >= opened + patience.untilHello {
            return ValetError(
                .timedOut, "no hello within \(patience.untilHello.wholeSeconds) seconds")
        }
        if let partialSince, now >= partialSince + patience.perFrame {
            return ValetError(
                .timedOut, "a frame took longer than \(patience.perFrame.wholeSeconds) seconds")
        }
        if now >= lastReceived + patience.ofSilence {
            return ValetError(
                .timedOut, "silent for \(patience.ofSilence.wholeSeconds) seconds")
        }
        return nil
    }
}
