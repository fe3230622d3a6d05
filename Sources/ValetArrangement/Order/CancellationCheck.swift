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

/// Steps of a few nanoseconds, of which so many take less than a millisecond.
private let simpleStepsPerQuestion = 1 << 16

extension Range<Int> {
    /// Calls `body` with each number, and asks now and then whether anyone still waits.
    @inline(__always)
    func forEach(
        unless isCancelled: () -> Bool, _ body: (Int) -> Void
    ) throws(CancellationError) {
        for start in stride(from: lowerBound, to: upperBound, by: simpleStepsPerQuestion) {
            if isCancelled() { throw CancellationError() }
            for number in start..<Swift.min(start + simpleStepsPerQuestion, upperBound) {
                body(number)
            }
        }
    }
}

extension Array where Element: FixedWidthInteger {
    /// Zeros. New memory takes time when it is first written, so asks meanwhile.
    init(zeros count: Int, unless isCancelled: () -> Bool) throws(CancellationError) {
        self = []
        reserveCapacity(count)
        for start in stride(from: 0, to: count, by: simpleStepsPerQuestion) {
            if isCancelled() { throw CancellationError() }
            append(
                contentsOf: repeatElement(
                    0, count: Swift.min(simpleStepsPerQuestion, count - start)))
        }
    }
}
