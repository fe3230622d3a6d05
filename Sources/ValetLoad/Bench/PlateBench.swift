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
        let measurements = try await searches.measure([scope])
        withExtendedLifetime(view) {}
        await connection.close()
        return [Measurement("open.plate", "first of a list of all-distinct text", open)]
            + measurements
            + MemoryBench.measurements(
                "memory.plate", "server memory, one all-distinct text", before, after, rows: rows,
                target: nil)
    }
}
