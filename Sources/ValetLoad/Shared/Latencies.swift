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
    mutating func time<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        record(.now - start)
        return value
    }

    mutating func time<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        let value = try body()
        record(.now - start)
        return value
    }

    /// Runs `body` with each of `turns`, and times all but the first `warmUp` of them.
    static func of<Turn>(
        _ turns: some Sequence<Turn>, warmUp: Int = 0, _ body: (Turn) async throws -> Void
    ) async rethrows -> Latencies {
        var times = Latencies()
        for (number, turn) in turns.enumerated() {
            try await times.time { try await body(turn) }
            if number + 1 == warmUp { times.clear() }
        }
        return times
    }
}
