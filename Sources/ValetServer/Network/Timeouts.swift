import NIOCore
import ValetModel

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
