import ValetModel
import ValetTerminal

/// Windows per second that a server sends to fifty clients that only ask, and what a person waits
/// beside them.
struct LoadBench {
    let plan: BenchPlan
    let server: any LoadServer
    let rows: Int
    let grouping: String

    /// Windows that are asked for: all of them are in the server's cache soon.
    private static let places = 200
    /// Requests of a client under way, each in a view of its own.
    private static let mostInFlight = 8

    func measure() async throws -> [Measurement] {
        var alone = LoadWitness(plan: plan, rows: rows, grouping: grouping)
        try await alone.watch(server)
        var measurements = alone.measurements(0)
        for inFlight in [1, Self.mostInFlight] {
            var (rates, figures): ([Double], LoadFigures) = ([], LoadFigures())
            for _ in 0..<plan.loadRounds {
                let round = try await load(inFlight) {
                    try await Task.sleep(for: .seconds(plan.secondsPerLoad))
                }
                rates.append(round.perSecond)
                figures += round
            }
            var witness = LoadWitness(plan: plan, rows: rows, grouping: grouping)
            _ = try await load(inFlight) { try await witness.watch(server) }
            measurements += Self.measurements(rates, figures, inFlight)
            measurements += witness.measurements(inFlight)
        }
        return measurements
    }

    private static func measurements(
        _ rates: [Double], _ figures: LoadFigures, _ inFlight: Int
    ) -> [Measurement] {
        let (id, each) = inFlight == 1 ? ("", "") : (".\(inFlight)", ", \(inFlight) in flight")
        let count = figures.latencies.count
        return [
            Measurement(
                id: "load.windows" + id, name: "windows a second" + each, unit: .perSecond,
                samples: count, p50: rates.isEmpty ? nil : rates.sorted()[rates.count / 2],
                note: "answer and pages of 50 cached rows, "
                    + "\((figures.bytes / max(1, count)).grouped) B"),
            Measurement("load.window" + id, "time of one of them", figures.latencies),
        ]
    }

    /// - Parameter body: what is done while the clients ask, after they have warmed up.
    private func load(
        _ inFlight: Int, while body: () async throws -> Void
    ) async throws -> LoadFigures {
        var stations: [BenchStation] = []
        for number in 0..<BenchPlan.clientsOfLoad {
            let station = try await BenchStation.connect(
                port: server.port, as: UInt64(number + 1), creditBytes: Limits.creditBytes)
            let lanes = Self.lanes(inFlight, rows: rows, seed: plan.seed, client: number)
            try await station.onLoop { [grouping] handler in
                for (number, places) in lanes.enumerated() {
                    handler.load(UInt16(number + 1), places, grouping)
                }
            }
            stations.append(station)
        }
        try await Task.sleep(for: .seconds(plan.secondsPerLoad / 4))
        for station in stations { try await station.onLoop { $0.restartLoad() } }
        try await body()
        var figures = LoadFigures()
        for station in stations { figures += try await station.onLoop { try $0.loadFigures() } }
        await EditBench.close(stations)
        return figures
    }

    /// The places of each view. Clients begin at different ones. Views keep to parts of the list of
    /// their own: a page is sent once to a connection, so no two may wait for the same.
    static func lanes(_ count: Int, rows: Int, seed: UInt64, client: Int) -> [[Int]] {
        var numbers = SeededNumbers(seed: seed, index: -5)
        let length = rows / count
        let room = max(1, length - BenchPlan.rowsPerWindow - 2 * Limits.rowsPerLeaf)
        return (0..<count).map { lane in
            let places = (0..<places / count).map { _ in lane * length + numbers.below(room) }
            let first = client * places.count / BenchPlan.clientsOfLoad
            return Array(places[first...] + places[..<first])
        }
    }
}
