import ValetClient
import ValetModel

/// A list whose one column has no value twice: what a dictionary can't help with.
struct PlateBench {
    let plan: BenchPlan
    let server: any LoadServer
    let file: String
    let rows: Int

    func measure() async throws -> [Measurement] {
        let connection = try await server.connect(as: 1)
        let before = try await connection.statistics()
        var open = Latencies()
        let view = try await open.time { () async throws(ValetError) in
            try await Bench.open(Plates.table, nil, on: connection)
        }
        try await MemoryBench.readInText(of: Plates.table, connection)
        let after = try await connection.statistics()
        var searches = SearchBench(
            plan: plan, server: server, list: Plates.table, grouping: view.summary.grouping,
            needles: try Needles(file: file, table: Plates.table, seed: plan.seed, rows: rows))
        let scope = SearchBench.Scope(
            Plates.column, columns: [Plates.column],
            target: BenchTargets(rows: rows).searchOfDistinctText)
        let measurements = try await searches.measure([scope]) + values(connection)
        withExtendedLifetime(view) {}
        await connection.close()
        return [Measurement("open.plate", "first of a list of all-distinct text", open)]
            + measurements
            + MemoryBench.measurements(
                "memory.plate", "server memory, one all-distinct text", before, after, rows: rows,
                target: nil)
    }

    /// All plates but one, each time another: as many values as rows. Whoever looks at a column
    /// first waits for its order, too.
    private func values(
        _ connection: ValetConnection
    ) async throws(ValetError) -> [Measurement] {
        let plates = Plates(seed: plan.seed)
        let view = try await connection.openView(list: Plates.table)
        var (first, times) = (Latencies(), Latencies())
        func look(_ conditions: [Condition]) async throws(ValetError) {
            _ = try await view.rearrange(
                Query(
                    grouping: Plates.column, expression: .wholeValue, conditions: conditions))
            _ = try await view.largestSections(from: 0, count: BenchPlan.rowsPerWindow)
        }
        try await first.time { () async throws(ValetError) in try await look([]) }
        for index in 0..<plan.queries / 2 {
            let one = Condition(
                column: Plates.column, .isNoneOf, [.text(plates.plate(at: index))])
            try await times.time { () async throws(ValetError) in try await look([one]) }
        }
        return [
            Measurement("ask.values.plate.first", "first look at values that never repeat", first),
            Measurement(
                "ask.values.plate", "values of a text that never repeats", times,
                target: BenchTargets(rows: rows).valuesOfDistinctText),
        ]
    }
}
