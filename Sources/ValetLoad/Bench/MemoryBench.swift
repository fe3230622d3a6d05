import ValetClient
import ValetModel

/// What a list takes of the memory of a server that has done nothing else: with five groupings
/// open, and every text column read in, since each was searched.
struct MemoryBench {
    let server: any LoadServer
    let rows: Int

    /// It need not be in any row: searching for it reads in the column.
    private static let needle = "zzzzzz"

    func measure() async throws(ValetError) -> [Measurement] {
        let connection = try await server.connect(as: 1)
        let before = try await connection.statistics()
        let groupings = try await Bench.groupings(connection).prefix(BenchPlan.groupingsInMemory)
        var views: [ValetView] = []
        for grouping in groupings {
            views.append(try await Bench.open(Bench.list, grouping, on: connection))
        }
        try await Self.readInText(of: Bench.list, connection)
        let after = try await connection.statistics()
        withExtendedLifetime(views) {}
        await connection.close()
        return Self.measurements(
            "memory", "server memory, \(groupings.count) groupings open", before, after, rows: rows,
            target: BenchTargets(rows: rows).residentBytesPerRow)
    }

    /// Searches in every scope.
    static func readInText(
        of name: String, _ connection: ValetConnection
    ) async throws(ValetError) {
        let list = try await connection.catalog(countingRows: false).catalog.list(named: name)
        let view = try await connection.openView(list: list.name, Query())
        for scope in list.scopes {
            let search = Query.Search(text: needle, scope: scope.name)
            _ = try await view.rearrange(Query(search: search))
        }
        try await view.close()
    }

    static func measurements(
        _ id: String, _ name: String, _ before: ServerStatistics, _ after: ServerStatistics,
        rows: Int, target: Measurement.Target?
    ) -> [Measurement] {
        guard let before = ServerMemory(before), let after = ServerMemory(after) else {
            return [
                Measurement(
                    id: "\(id).resident", name: name, unit: .bytesPerRow, samples: 0,
                    note: "not measured: the system does not tell it")
            ]
        }
        func perRow(_ bytes: Int) -> Double { Double(bytes) / Double(rows) }
        let own = FigureUnit.bytesPerRow.text(perRow(before.resident))
        return [
            Measurement(
                id: "\(id).resident", name: name, unit: .bytesPerRow, samples: 1,
                p50: perRow(after.resident), target: target,
                note: "\(own) of it before the list was opened; every text column was searched"),
            Measurement(
                id: "\(id).peak", name: "the same, at its highest", unit: .bytesPerRow,
                samples: 1, p50: perRow(after.peak)),
        ]
    }
}
