import ValetClient
import ValetModel

/// A person who scrolls and searches, alone or while others ask without pause.
struct LoadWitness {
    let plan: BenchPlan
    let rows: Int
    let grouping: String
    private var numbers: SeededNumbers
    private var windows = Latencies()
    private var searches = Latencies()

    /// Between two of a person's requests.
    private static let pause = Duration.milliseconds(5)
    private static let windowsPerSearch = 5
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    init(plan: BenchPlan, rows: Int, grouping: String) {
        self.plan = plan
        self.rows = rows
        self.grouping = grouping
        numbers = SeededNumbers(seed: plan.seed, index: -6)
    }

    /// Takes as long as a turn of the load.
    mutating func watch(_ server: any LoadServer) async throws(ValetError) {
        let connection = try await server.connect(as: 10_000)
        let scrolled = try await connection.openView(
            list: Bench.list, Query(grouping: grouping))
        let searched = try await connection.openView(
            list: Bench.list, Query(grouping: grouping))
        let end = ContinuousClock.now + .seconds(plan.secondsPerLoad)
        while ContinuousClock.now < end {
            for _ in 0..<Self.windowsPerSearch {
                try? await Task.sleep(for: Self.pause)
                let place = numbers.below(rows - BenchPlan.rowsPerWindow)
                try await windows.time { () async throws(ValetError) in
                    _ = try await scrolled.window(
                        at: .ordinal(place), rows: BenchPlan.rowsPerWindow)
                }
            }
            let text = String((0..<2).map { _ in Self.letters[numbers.below(Self.letters.count)] })
            try await searches.time { () async throws(ValetError) in
                _ = try await searched.rearrange(
                    Query(grouping: grouping, search: .init(text: text)))
            }
        }
        await connection.close()
    }

    /// - Parameter inFlight: requests of each of the others; 0 if there are none.
    func measurements(_ inFlight: Int) -> [Measurement] {
        let others = inFlight == 0 ? "alone" : "beside \(inFlight) in flight"
        return [
            Measurement("load.person.window.\(inFlight)", "a person's window, \(others)", windows),
            Measurement("load.person.search.\(inFlight)", "a person's search, \(others)", searches),
        ]
    }
}
