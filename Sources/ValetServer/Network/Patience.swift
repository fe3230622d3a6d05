import NIOCore
import ValetModel

/// How long a server waits for its clients. A value, so that tests can use shorter times.
package struct Patience: Sendable {
    package var untilHello = TimeAmount.seconds(Int64(Limits.secondsUntilHello))
    /// From a frame's first byte to its last.
    package var perFrame = TimeAmount.seconds(Int64(Limits.secondsPerFrame))
    package var ofSilence = TimeAmount.seconds(Int64(Limits.secondsOfSilence))
    package var toDrain = TimeAmount.seconds(Int64(Limits.secondsToDrain))
    package var toLinger = TimeAmount.seconds(Int64(Limits.secondsToLinger))

    package init() {}
}

extension TimeAmount {
    var wholeSeconds: Int { Int(nanoseconds / 1_000_000_000) }
}
