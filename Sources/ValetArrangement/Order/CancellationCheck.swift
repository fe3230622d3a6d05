/// Asks whether anyone still waits, but not at every step of a long loop.
struct CancellationCheck {
    /// Steps of up to some 200 ns, which is what a look at a text takes that is not in the
    /// processor's nearest memory: a question about every millisecond.
    static let stepsPerQuestion = 1 << 13

    private var left = stepsPerQuestion

    @inline(__always)
    mutating func step(_ isCancelled: () -> Bool) throws(CancellationError) {
        left -= 1
        if left == 0 { try ask(isCancelled) }
    }

    private mutating func ask(_ isCancelled: () -> Bool) throws(CancellationError) {
        left = Self.stepsPerQuestion
        if isCancelled() { throw CancellationError() }
    }
}
