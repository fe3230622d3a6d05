import ValetClient
import ValetModel

/// What a person does to get somewhere: to a row, to a section, along the index.
struct LookupBench {
    let plan: BenchPlan
    let server: any LoadServer
    let rows: Int
    let grouping: String

    private static let titlesOfIndex = 40

    func measure() async throws(ValetError) -> [Measurement] {
        let connection = try await server.connect(as: 30)
        let view = try await connection.openView(
            list: Bench.list, Query(grouping: grouping))
        let measurements = [
            try await roundTrip(connection), try await locate(view), try await index(view),
            try await jump(view),
        ]
        await connection.close()
        return measurements
    }

    /// Times `body` for a number of turns, those of the warm-up left out.
    private func times(
        _ count: Int, _ body: (Int) async throws(ValetError) -> Void
    ) async throws(ValetError) -> Latencies {
        var times = Latencies()
        for turn in 0..<BenchPlan.warmUp + count {
            try await times.time(counts: turn >= BenchPlan.warmUp) {
                () async throws(ValetError) in
                try await body(turn)
            }
        }
        return times
    }

    /// The round trip, which every other time includes.
    private func roundTrip(
        _ connection: ValetConnection
    ) async throws(ValetError) -> Measurement {
        let times = try await times(plan.lookups) { _ async throws(ValetError) in
            _ = try await connection.roundTrip()
        }
        return Measurement("ping", "round trip", times)
    }

    private func locate(_ view: ValetView) async throws(ValetError) -> Measurement {
        let times = try await times(plan.lookups) { turn async throws(ValetError) in
            var numbers = SeededNumbers(seed: plan.seed, index: -1_000 - turn)
            let rowID = Int64(1 + numbers.below(rows))
            guard try await view.locate(rowID) != nil else {
                throw ValetError(.unknownRow, "row \(rowID) is in no place")
            }
        }
        return Measurement("locate", "locate a row by its id", times)
    }

    private func index(_ view: ValetView) async throws(ValetError) -> Measurement {
        let times = try await times(plan.lookups) { _ async throws(ValetError) in
            guard try await !view.index(most: Self.titlesOfIndex).isEmpty else {
                throw ValetError(.malformed, "the section index is empty")
            }
        }
        return Measurement("index", "section index of \(Self.titlesOfIndex) titles", times)
    }

    private func jump(_ view: ValetView) async throws(ValetError) -> Measurement {
        let titles = try await titles(view)
        let times = try await times(plan.windowsPerTenth * 2) { turn async throws(ValetError) in
            let section = try await view.section(titled: titles[turn % titles.count])
            _ = try await view.window(
                at: .ordinal(section.first), rows: BenchPlan.rowsPerWindow)
        }
        return Measurement("jump", "jump to a section, with rows", times)
    }

    /// Some hundred different titles from all over the list.
    private func titles(_ view: ValetView) async throws(ValetError) -> [String] {
        var numbers = SeededNumbers(seed: plan.seed, index: -4)
        var titles: [String] = []
        for _ in 0..<BenchPlan.warmUp + plan.windowsPerTenth * 2 {
            let start = numbers.below(max(1, view.summary.totalSections))
            titles += try await view.sections(from: start, count: 1).map(\.title)
        }
        if titles.isEmpty { throw ValetError(.unknownSection, "the list has no sections") }
        return titles
    }
}
