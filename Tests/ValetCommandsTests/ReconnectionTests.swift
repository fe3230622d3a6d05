import Testing

@testable import ValetCommands

@Test func delaysDoubleUpToTheLongest() {
    var reconnection = Reconnection()
    let delays = (0..<9).map { _ in reconnection.nextDelay(random: 1) }
    #expect(
        delays == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
    #expect(reconnection.attempts == 9)
}

@Test func aThousandAttemptsLaterTheDelayIsStillTheLongest() {
    var reconnection = Reconnection()
    for _ in 0..<1_000 { _ = reconnection.nextDelay(random: 1) }
    #expect(reconnection.nextDelay(random: 1) == .seconds(Reconnection.longest))
}

@Test func chanceShortensAndNeverLengthens() {
    var reconnection = Reconnection()
    #expect(reconnection.nextDelay(random: 0.5) == .seconds(0.25))
    for _ in 0..<20 { #expect(reconnection.nextDelay() <= .seconds(Reconnection.longest)) }
}

@Test func successBeginsAnew() {
    var reconnection = Reconnection()
    _ = reconnection.nextDelay(random: 1)
    _ = reconnection.nextDelay(random: 1)
    reconnection.succeeded()
    #expect(reconnection.nextDelay(random: 1) == .milliseconds(500))
}
