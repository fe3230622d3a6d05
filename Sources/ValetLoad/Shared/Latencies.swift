import Histogram

/// Times of one kind of request, as an HdrHistogram: three digits, nothing kept per request.
struct Latencies: Sendable {
    /// Nanoseconds. Longer ones than an hour count as an hour.
    private var histogram = Histogram<UInt32>(
        highestTrackableValue: longest, numberOfSignificantValueDigits: .three)
    private static let longest: UInt64 = 3_600_000_000_000

    var count: Int { Int(histogram.totalCount) }

    mutating func record(_ duration: Duration) {
        let nanoseconds = duration / .nanoseconds(1)
        histogram.record(UInt64(min(max(nanoseconds, 0), Double(Self.longest))))
    }

    mutating func clear() {
        histogram.reset()
    }

    mutating func add(_ other: Latencies) {
        histogram.add(other.histogram)
    }

    /// In microseconds; nil when nothing was recorded.
    func percentile(_ percent: Double) -> Double? {
        count == 0 ? nil : Double(histogram.valueAtPercentile(percent)) / 1_000
    }

    /// A percentile as people read it; a dash when nothing was recorded.
    func text(_ percent: Double) -> String {
        percentile(percent).map(FigureUnit.microseconds.text) ?? "–"
    }

    /// Runs `body` and records how long it took, if it does not fail.
    /// - Parameter counts: false while warming up: nothing is recorded.
    mutating func time<Value, Failure: Error>(
        counts: Bool = true, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let clock = ContinuousClock()
        let start = clock.now
        let value = try await body()
        if counts { record(clock.now - start) }
        return value
    }

    mutating func time<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let clock = ContinuousClock()
        let start = clock.now
        let value = try body()
        record(clock.now - start)
        return value
    }
}
