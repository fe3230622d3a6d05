import Testing

@testable import ValetClient

@Suite struct BackOffTests {
    @Test func delaysDoubleUpToTheLongest() {
        var backOff = BackOff()
        let delays = (0..<9).map { _ in backOff.nextDelay(random: 1) }
        #expect(delays == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(backOff.attempts == 9)
    }

    @Test func aThousandAttemptsLaterTheDelayIsStillTheLongest() {
        var backOff = BackOff()
        for _ in 0..<1_000 { _ = backOff.nextDelay(random: 1) }
        #expect(backOff.nextDelay(random: 1) == .seconds(BackOff.longest))
    }

    @Test func chanceShortens() {
        var backOff = BackOff()
        #expect(backOff.nextDelay(random: 0.5) == .seconds(0.25))
    }

    @Test func successBeginsAnew() {
        var backOff = BackOff()
        _ = backOff.nextDelay(random: 1)
        _ = backOff.nextDelay(random: 1)
        backOff.succeeded()
        #expect(backOff.nextDelay(random: 1) == .milliseconds(500))
    }

    /// Programs try only so often, also a server that goes away again and again.
    @Test func aServerThatGoesAwayIsSoonTriedAgainButNotForEver() {
        var backOff = BackOff(most: 4)
        for _ in 0..<3 { _ = backOff.nextDelay(random: 1) }
        backOff.wentAway()
        #expect(backOff.nextDelay(random: 1) == .milliseconds(500))
        backOff.wentAway()
        #expect(backOff.nextDelay(random: 1) == nil)
    }

    @Test func attemptsHaveAnEnd() {
        var backOff = BackOff(most: 2)
        #expect(backOff.nextDelay(random: 1) != nil && backOff.nextDelay(random: 1) != nil)
        #expect(backOff.nextDelay(random: 1) == nil)
        backOff.succeeded()
        #expect(backOff.nextDelay(random: 1) != nil)
    }
}
