import NIOCore
import TestSupport
import Testing
import ValetModel

@testable import ValetServer

@Suite struct OpenMetricsTests {
    /// Readings with every number, and times of windows in milliseconds.
    private func readings(windows: [Int64] = []) -> ServerReadings {
        var readings = ServerReadings()
        for (number, name) in ServerStatistics.Name.allCases.enumerated() {
            readings.statistics.add(name, number)
        }
        for time in windows { readings.requests.answered(.window, in: .milliseconds(time)) }
        readings.requests.failed(.busy)
        readings.requests.failed(.busy)
        readings.requests.failed(.unknownList)
        return readings
    }

    private func lines(_ readings: ServerReadings) -> [Substring] {
        OpenMetrics.text(of: readings).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// What a scraper reads: families with their types, then their samples, then the end.
    @Test func itIsWhatScrapersRead() throws {
        let lines = lines(readings(windows: [1, 2, 3]))
        #expect(lines.suffix(2) == ["# EOF", ""])
        var (family, type): (Substring, Substring) = ("", "")
        var seen: Set<Substring> = []
        for line in lines.dropLast(2) {
            if let found = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter|histogram)/) {
                (family, type) = (found.1, found.2)
                #expect(seen.insert(family).inserted, "\(family) twice")
                continue
            }
            if line.hasPrefix("# HELP ") {
                #expect(line.hasPrefix("# HELP \(family) ") && line.hasSuffix("."), "\(line)")
                continue
            }
            let sample = try #require(
                line.wholeMatch(of: /([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? ([0-9.e-]+)/),
                "\(line)")
            let suffixes =
                switch type {
                case "counter": ["_total"]
                case "histogram": ["_bucket", "_count", "_sum"]
                case _: [""]
                }
            #expect(suffixes.contains { sample.1 == family + $0 }, "\(line)")
        }
        let text = OpenMetrics.text(of: readings())
        #expect(text.contains("valet_errors_total{code=\"busy\"} 2\n"))
        #expect(text.contains("valet_errors_total{code=\"unknown-list\"} 1\n"))
    }

    @Test func everyNumberHasANameOfItsOwn() {
        let named = ServerStatistics.Name.allCases.compactMap(Metric.of)
        #expect(Set(named.map(\.name)).count == named.count && named.count > 30)
        let text = OpenMetrics.text(of: readings())
        for (number, name) in ServerStatistics.Name.allCases.enumerated() {
            guard let metric = Metric.of(name) else { continue }
            let line = "\n\(metric.name)\(metric.isCounter ? "_total" : "") \(number)\n"
            #expect(text.contains(line), "\(name)")
        }
    }

    @Test func bucketsCountUpwards() {
        let text = OpenMetrics.text(of: readings(windows: [1, 2, 3, 30, 40_000]))
        for (bound, count) in [
            ("0.0001", 0), ("0.001", 1), ("0.0025", 2), ("0.05", 4), ("+Inf", 5),
        ] {
            let line = "valet_request_seconds_bucket{kind=\"window\",le=\"\(bound)\"} \(count)\n"
            #expect(text.contains(line), "\(bound)")
        }
        #expect(text.contains("valet_request_seconds_count{kind=\"window\"} 5\n"))
        #expect(text.contains("valet_request_seconds_sum{kind=\"window\"} 40.036\n"))
        #expect(text.contains("valet_request_seconds_count{kind=\"command\"} 0\n"))
    }
}

@Suite struct RequestTimesTests {
    @Test func theyAreCountedByTheirLengths() {
        var (numbers, all): (SeededNumbers, [Int64]) = (SeededNumbers(seed: runSeed), [])
        var times = RequestTimes()
        var half = RequestTimes()
        for _ in 0..<2_000 {
            let nanoseconds = Int64(numbers.below(1 << (1 + numbers.below(34))))
            all.append(nanoseconds)
            if nanoseconds % 2 == 0 {
                half.record(.nanoseconds(nanoseconds))
            } else {
                times.record(.nanoseconds(nanoseconds))
            }
        }
        times.add(half)
        #expect(times.count == 2_000)
        #expect(times.nanoseconds == UInt64(all.reduce(0, +)))
        let bounds = OpenMetrics.bounds
        for (bound, count) in zip(bounds, times.counts(upTo: bounds)) {
            // Two digits: what is within a hundredth of a bound may be on either side of it.
            func number(below factor: Double) -> Int {
                all.count { Double($0) / 1_000 <= Double(bound) * factor }
            }
            #expect(
                (number(below: 0.98)...number(below: 1.02)).contains(Int(count)),
                "\(bound), VALET_SEED=\(runSeed)")
        }
        let (median, sorted) = (times.percentile(50), all.sorted())
        #expect(abs(Double(median) - Double(sorted[1_000]) / 1_000) <= Double(median) / 20 + 2)
    }

    @Test func extremesAreCounted() {
        var times = RequestTimes()
        #expect(times.percentile(99) == 0 && times.counts(upTo: [1, 2]) == [0, 0])
        for time in [Int64.min, -1, 0, .max] { times.record(.nanoseconds(time)) }
        #expect(times.count == 4)
        #expect(times.counts(upTo: [100, 59_000_000]) == [3, 3])
        #expect((59_000_000...61_000_000).contains(times.percentile(99)))
    }
}
