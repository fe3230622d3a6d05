/// Times what is too short for a clock: many turns at a time, again and again.
struct MicroTimer {
    let seconds: Double

    private static let fewestBatches = 5
    private static let mostBatches = 500

    /// - Parameters:
    ///   - batch: turns between two readings of the clock.
    ///   - body: one turn. The sum of all results is checked, because the compiler removes work
    ///     whose result is unused.
    func measure(
        _ id: String, _ name: String, batch: Int = 1, _ body: (_ turn: Int) throws -> Int
    ) rethrows -> Measurement {
        let clock = ContinuousClock()
        var sum = 0
        // Warms the caches up, and the tables that are made when they are first used.
        for turn in 0..<batch { sum &+= try body(turn) }
        var means: [Double] = []
        let end = clock.now + .seconds(seconds)
        var turn = 0
        while means.count < Self.fewestBatches
            || means.count < Self.mostBatches && clock.now < end
        {
            let start = clock.now
            for _ in 0..<batch {
                sum &+= try body(turn)
                turn += 1
            }
            means.append((clock.now - start) / .microseconds(1) / Double(batch))
        }
        precondition(sum != 0, "\(id) did nothing")
        means.sort()
        return Measurement(
            id: "micro.\(id)", name: name, samples: turn, p50: means[means.count / 2],
            p99: means[(means.count - 1) * 99 / 100])
    }
}
