import Testing

@testable import ValetCluster

@Suite struct NodeDelayTests {
    private var delay = NodeDelay(at: 1_000)

    @Test mutating func whoHearsNothingIsMoreAndMoreBehind() {
        #expect(delay.milliseconds(at: 1_000) == 0 && delay.milliseconds(at: 4_000) == 3_000)
        delay.has(50)
        #expect(delay.milliseconds(at: 4_000) == 3_000, "nobody says that this is all")
        #expect(delay.milliseconds(at: 0) == 0)
    }

    @Test mutating func whoHasWhatItHeardOfIsAsOfThen() {
        delay.heard(5, at: 2_000)
        delay.heard(9, at: 3_000)
        delay.has(8)
        #expect(delay.milliseconds(at: 5_000) == 3_000)
        delay.has(9)
        #expect(delay.milliseconds(at: 5_000) == 2_000)
        delay.heard(9, at: 5_000)
        delay.has(9)
        #expect(delay.milliseconds(at: 5_000) == 0)
    }

    /// A node that is always a little late is as late as it is, not later and later.
    @Test mutating func whoKeepsPaceStaysAsFarBehind() {
        for time in stride(from: Int64(1_000), to: 100_000, by: 200) {
            delay.heard(UInt64(time), at: time)
            if time >= 2_000 { delay.has(UInt64(time - 1_000)) }
            if time > 2_000 { #expect(delay.milliseconds(at: time) == 1_000) }
        }
    }

    @Test mutating func whoIsFarBehindKeepsLittle() {
        for time in Int64(1_001)...11_000 { delay.heard(UInt64(time), at: time) }
        delay.has(11_000)
        #expect(delay.milliseconds(at: 11_000) == 11_000 - 1_064, "the next one says more")
        delay.heard(11_000, at: 11_000)
        delay.has(11_000)
        #expect(delay.milliseconds(at: 11_000) == 0)
    }

    @Test mutating func aLeaderIsNeverBehind() {
        delay.heard(5, at: 2_000)
        delay.leads(at: 9_000)
        #expect(delay.milliseconds(at: 9_500) == 500)
    }
}
