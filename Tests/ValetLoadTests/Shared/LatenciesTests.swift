import Testing
import ValetModel

@testable import ValetLoad

private func isNear(_ value: Double?, _ expected: Double) -> Bool {
    guard let value else { return false }
    return abs(value - expected) <= expected / 1_000
}

@Test func percentilesAreOfWhatWasRecorded() {
    var times = Latencies()
    for number in 1...1_000 { times.record(.microseconds(number)) }
    #expect(times.count == 1_000)
    #expect(isNear(times.percentile(50), 500))
    #expect(isNear(times.percentile(99), 990))
    #expect(isNear(times.percentile(100), 1_000))
}

@Test func percentilesOfNothingAreNone() {
    #expect(Latencies().percentile(50) == nil)
}

@Test func oneTimeIsEveryPercentile() {
    var times = Latencies()
    times.record(.seconds(2))
    #expect(isNear(times.percentile(50), 2_000_000))
    #expect(isNear(times.percentile(99), 2_000_000))
}

@Test func timesOutOfRangeCountAtItsEnds() {
    var times = Latencies()
    times.record(.seconds(-1))
    times.record(.seconds(90_000))
    #expect(times.count == 2)
    #expect(times.percentile(1) == 0)
    #expect(isNear(times.percentile(100), 3_600_000_000))
}

@Test func addingJoinsTheTimesOfBoth() {
    var (times, others) = (Latencies(), Latencies())
    for _ in 0..<90 { times.record(.microseconds(10)) }
    for _ in 0..<10 { others.record(.microseconds(1_000)) }
    times.add(others)
    #expect(times.count == 100)
    #expect(isNear(times.percentile(50), 10))
    #expect(isNear(times.percentile(99), 1_000))
}

@Test func failuresAreNotTimed() {
    var times = Latencies()
    #expect(throws: ValetError.self) {
        try times.time { () throws in throw ValetError(.timedOut, "late") }
    }
    #expect(times.count == 0)
}
