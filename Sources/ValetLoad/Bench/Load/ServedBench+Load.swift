import ValetModel
import ValetTerminal

/// Windows per second that a server sends to fifty clients that only ask, and what a person waits
/// beside them.
extension ServedBench {
    /// Windows that are asked for: all of them are in the server's cache soon.
    private static let places = 200
    /// Requests of a client under way, each in a view of its own.
    private static let mostInFlight = 8

    func load() async throws -> [Measurement] {
        let grouping = try await connected(as: 1) { try await Bench.groupings($0)[0] }
        var measurements = try await person(grouping, beside: 0)
        for inFlight in [1, Self.mostInFlight] {
            var (rates, figures): ([Double], LoadFigures) = ([], LoadFigures())
            for _ in 0..<plan.loadRounds {
                let (_, round) = try await load(inFlight, grouping) {
                    try await Task.sleep(for: .seconds(plan.secondsPerLoad))
                }
                rates.append(round.perSecond)
                figures += round
            }
            let (waits, _) = try await load(inFlight, grouping) {
                try await person(grouping, beside: inFlight)
            }
            let (id, each) = inFlight == 1 ? ("", "") : (".\(inFlight)", ", \(inFlight) in flight")
            let count = figures.latencies.count
            measurements += [
                Measurement(
                    "load.windows" + id, "windows a second" + each, rates.median, .perSecond,
                    of: count,
                    note: "answer and pages of 50 cached rows, "
                        + "\((figures.bytes / max(1, count)).grouped) B"),
                Measurement("load.window" + id, "time of one of them", figures.latencies),
            ]
            measurements += waits
        }
        return measurements
    }

    /// - Parameter body: what is done while the clients ask, after they have warmed up.
    private func load<Result>(
        _ inFlight: Int, _ grouping: String, while body: () async throws -> Result
    ) async throws -> (Result, LoadFigures) {
        var stations: [BenchStation] = []
        for number in 0..<plan.clientsOfLoad {
            let station = try await BenchStation.connect(
                port: server.port, as: UInt64(number + 1), creditBytes: Limits.creditBytes)
            let start = Double(number) / Double(plan.clientsOfLoad)
            let lanes = Self.lanes(inFlight, rows: rows, seed: plan.seed, from: start)
            try await station.onLoop { handler in
                for (number, places) in lanes.enumerated() {
                    handler.load(UInt16(number + 1), places, grouping)
                }
            }
            stations.append(station)
        }
        try await Task.sleep(for: .seconds(plan.secondsPerLoad / 4))
        for station in stations { try await station.onLoop { $0.restartLoad() } }
        let result = try await body()
        var figures = LoadFigures()
        for station in stations { figures += try await station.onLoop { try $0.loadFigures() } }
        await stations.close()
        return (result, figures)
    }

    /// The places of each view. Clients begin at different ones. Views keep to parts of the list of
    /// their own: a page is sent once to a connection, so no two may wait for the same.
    /// - Parameter start: the share of the places that come last, less than 1.
    static func lanes(_ count: Int, rows: Int, seed: UInt64, from start: Double) -> [[Int]] {
        var numbers = SeededNumbers(seed: seed, index: -5)
        let length = rows / count
        let room = max(1, length - BenchPlan.rowsPerWindow - 2 * Limits.rowsPerLeaf)
        return (0..<count).map { lane in
            let places = (0..<places / count).map { _ in lane * length + numbers.below(room) }
            let first = Int(start * Double(places.count))
            return Array(places[first...] + places[..<first])
        }
    }
}

// MARK: - Beside them

/// A person who scrolls and searches, alone or while others ask without pause.
extension ServedBench {
    /// Between two of a person's requests.
    private static let pause = Duration.milliseconds(5)
    private static let windowsPerSearch = 5
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    /// Takes as long as a turn of the load.
    /// - Parameter inFlight: requests of each of the others; 0 if there are none.
    private func person(_ grouping: String, beside inFlight: Int) async throws -> [Measurement] {
        var (windows, searches) = (Latencies(), Latencies())
        var numbers = numbers(-6)
        try await viewing(as: 10_000, grouping) { connection, scrolled in
            let searched = try await connection.openView(
                list: Bench.list, Query(grouping: grouping))
            let end = ContinuousClock.now + .seconds(plan.secondsPerLoad)
            while ContinuousClock.now < end {
                for _ in 0..<Self.windowsPerSearch {
                    try? await Task.sleep(for: Self.pause)
                    let place = anyPlace(&numbers)
                    try await windows.time {
                        _ = try await scrolled.window(
                            at: .ordinal(place), rows: BenchPlan.rowsPerWindow)
                    }
                }
                let letters = (0..<2).map { _ in Self.letters[numbers.below(Self.letters.count)] }
                let query = Query(grouping: grouping, search: .init(text: String(letters)))
                try await searches.time { _ = try await searched.rearrange(query) }
            }
        }
        let others = inFlight == 0 ? "alone" : "beside \(inFlight) in flight"
        return [
            Measurement("load.person.window.\(inFlight)", "a person's window, \(others)", windows),
            Measurement("load.person.search.\(inFlight)", "a person's search, \(others)", searches),
        ]
    }
}
