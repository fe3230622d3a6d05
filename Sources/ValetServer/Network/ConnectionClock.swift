import NIOCore
import ValetModel

/// How long a connection may take to greet, to finish a frame, and to say anything.
struct ConnectionClock {
    private let opened: NIODeadline
    private var lastReceived: NIODeadline
    /// Since when the first bytes of an unfinished frame wait for the others.
    private var partialSince: NIODeadline?

    init(now: NIODeadline) {
        opened = now
        lastReceived = now
    }

    mutating func bytesReceived(at now: NIODeadline, isPartial: Bool) {
        lastReceived = now
        partialSince = isPartial ? partialSince ?? now : nil
    }

    /// When to look again: soon while nothing was said yet, else every frame's time.
    var deadline: NIODeadline {
        let hello = opened + .seconds(Int64(Limits.secondsUntilHello))
        return max(hello, .now() + .seconds(Int64(Limits.secondsPerFrame) / 2))
    }

    /// The rule that was broken, if one was.
    func overdue(at now: NIODeadline, isGreeted: Bool) -> ValetError? {
        if !isGreeted, now >= opened + .seconds(Int64(Limits.secondsUntilHello)) {
            return ValetError(
                .timedOut, "no hello within \(Limits.secondsUntilHello) seconds")
        }
        if let partialSince, now >= partialSince + .seconds(Int64(Limits.secondsPerFrame)) {
            return ValetError(
                .timedOut, "a frame took longer than \(Limits.secondsPerFrame) seconds")
        }
        if now >= lastReceived + .seconds(Int64(Limits.secondsOfSilence)) {
            return ValetError(.timedOut, "silent for \(Limits.secondsOfSilence) seconds")
        }
        return nil
    }
}
