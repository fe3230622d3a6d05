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
        let check = now + .nanoseconds(timeouts.frame.nanoseconds / 2)
        return limits(isGreeted: isGreeted).map(\.end).reduce(check, min)
    }

    /// The error of the timeout that has expired, if any.
    func overdue(at now: NIODeadline, isGreeted: Bool) -> ValetError? {
        limits(isGreeted: isGreeted).first { now >= $0.end }.map {
            ValetError(.timedOut, "\($0.reason) \($0.timeout.wholeSeconds) seconds")
        }
    }

    /// The timeouts that run.
    private func limits(
        isGreeted: Bool
    ) -> [(end: NIODeadline, timeout: TimeAmount, reason: String)] {
        let all: [(start: NIODeadline?, timeout: TimeAmount, reason: String)] = [
            (isGreeted ? nil : opened, timeouts.hello, "no hello within"),
            (partialSince, timeouts.frame, "a frame took longer than"),
            (lastReceived, timeouts.silence, "silent for"),
        ]
        return all.compactMap { start, timeout, reason in
            start.map { ($0 + timeout, timeout, reason) }
        }
    }
}

/// The timeouts of a server. A value, so that tests can use shorter ones.
package struct Timeouts: Sendable {
    /// From the connection to the client's hello.
    package var hello = TimeAmount.seconds(Int64(Limits.secondsUntilHello))
    /// From a frame's first byte to its last.
    package var frame = TimeAmount.seconds(Int64(Limits.secondsPerFrame))
    /// From one byte of a client to the next.
    package var silence = TimeAmount.seconds(Int64(Limits.secondsOfSilence))
    /// From a server's shutdown to the end of its connections.
    package var drain = TimeAmount.seconds(Int64(Limits.secondsToDrain))
    /// From the last message to the close, if the client does not close first.
    package var linger = TimeAmount.seconds(Int64(Limits.secondsToLinger))

    package init() {}
}

extension TimeAmount {
    var wholeSeconds: Int { Int(nanoseconds / 1_000_000_000) }

    var clampedMicroseconds: UInt32 { UInt32(clamping: nanoseconds / 1_000) }
}
