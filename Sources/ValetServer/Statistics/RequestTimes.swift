import Histogram
import NIOCore

/// How long requests of one kind took, as an HdrHistogram of microseconds: two digits, nothing kept
/// per request.
struct RequestTimes: Sendable {
    private static let longest: UInt64 = 60_000_000

    private var histogram = Histogram<UInt64>(
        highestTrackableValue: longest, numberOfSignificantValueDigits: .two)
    /// Of all of them.
    private(set) var nanoseconds: UInt64 = 0

    var count: UInt64 { histogram.totalCount }

    /// Longer ones than a minute count as a minute.
    mutating func record(_ time: TimeAmount) {
        let taken = UInt64(max(0, time.nanoseconds))
        nanoseconds &+= taken
        histogram.record(min(taken / 1_000, Self.longest))
    }

    mutating func add(_ other: RequestTimes) {
        histogram.add(other.histogram)
        nanoseconds &+= other.nanoseconds
    }

    /// In microseconds; 0 if there was none.
    func percentile(_ percent: Double) -> Int {
        count == 0 ? 0 : Int(clamping: histogram.valueAtPercentile(percent))
    }

    /// How many took at most so many microseconds, for each of some bounds in rising order.
    func counts(upTo bounds: [UInt64]) -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: bounds.count)
        for value in histogram.recordedValues() {
            // It stands for all that look alike, which begin here.
            let start = histogram.lowestEquivalentForValue(value.value)
            guard let place = bounds.firstIndex(where: { start <= $0 }) else { break }
            counts[place] += value.count
        }
        return counts.indices.map { counts[...$0].reduce(0, +) }
    }
}
