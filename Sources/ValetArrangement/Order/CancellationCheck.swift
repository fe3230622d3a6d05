/// Polls for cancellation now and then in a long loop.
struct CancellationCheck {
    /// Polls about once per millisecond: a step takes up to 200 ns, the cost of reading a text that
    /// is not in the processor's cache.
    static let stepsPerCheck = 1 << 13

    private var left = stepsPerCheck

    @inline(__always)
    mutating func step(_ isCancelled: () -> Bool) throws(CancellationError) {
        left -= 1
        if left == 0 { try ask(isCancelled) }
    }

    private mutating func ask(_ isCancelled: () -> Bool) throws(CancellationError) {
        left = Self.stepsPerCheck
        if isCancelled() { throw CancellationError() }
    }
}

/// Steps of a few nanoseconds: this many take less than a millisecond.
private let simpleStepsPerCheck = 1 << 16

extension Range<Int> {
    /// Calls `body` with each number and polls for cancellation now and then.
    @inline(__always)
    func forEach(unless isCancelled: () -> Bool, _ body: (Int) -> Void) throws(CancellationError) {
        for start in stride(from: lowerBound, to: upperBound, by: simpleStepsPerCheck) {
            if isCancelled() { throw CancellationError() }
            for number in start..<Swift.min(start + simpleStepsPerCheck, upperBound) {
                body(number)
            }
        }
    }
}

extension Array where Element: FixedWidthInteger {
    /// An array of zeros. The first write to new memory is slow, so this polls for cancellation.
    init(zeros count: Int, unless isCancelled: () -> Bool) throws(CancellationError) {
        self = []
        reserveCapacity(count)
        for start in stride(from: 0, to: count, by: simpleStepsPerCheck) {
            if isCancelled() { throw CancellationError() }
            append(
                contentsOf: repeatElement(0, count: Swift.min(simpleStepsPerCheck, count - start)))
        }
    }
}
