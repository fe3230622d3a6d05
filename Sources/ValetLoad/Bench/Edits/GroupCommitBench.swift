import ValetModel

/// Changes a second of fifty stations, each with a view open and one change under way, beside those
/// of one such station: its every change is a commit of its own.
struct GroupCommitBench {
    let bench: EditBench

    private static let stations = BenchPlan.clientsOfLoad

    func measure() async throws -> [Measurement] {
        var all: [(station: BenchStation, rowIDs: [Int64])] = []
        for number in 0..<Self.stations {
            let station = try await bench.writer(300 + number)
            let place = bench.place(number, of: Self.stations)
            all.append((station, try await station.watch(place, grouping: EditBench.grouping)))
        }
        var (single, group): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.plan.loadRounds {
            single.append(try await rate(Array(all.prefix(1))))
            group.append(try await rate(all))
        }
        await EditBench.close(all.map(\.station))
        let most = single.max() ?? 0
        let one = Measurement(
            id: "edit.single", name: "one station's changes a second", unit: .perSecond,
            samples: single.count, p50: most, note: "one under way: a commit for each change")
        return [
            Measurement(
                id: "edit.group", name: "changes a second of \(Self.stations) stations",
                unit: .perSecond, samples: group.count, p50: group.max(),
                target: .figure(3 * most),
                note: "each changes rows of its own window, one change under way"
            ).compared(with: one), one,
        ]
    }

    private func rate(
        _ stations: [(station: BenchStation, rowIDs: [Int64])]
    ) async throws -> Double {
        let seconds = bench.plan.secondsPerLoad
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for (station, rowIDs) in stations {
                group.addTask {
                    try await station.edit(EditPlan(inFlight: 1, seconds: seconds)) {
                        AimedChange(change: EditBench.change(rowIDs[$0 % rowIDs.count]))
                    }.count
                }
            }
            return try await group.reduce(0) { Double($1) + $0 } / seconds
        }
    }
}
