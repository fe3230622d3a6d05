import ValetClient
import ValetModel

/// What a list takes of the memory of a server that has done nothing else: with some groupings
/// open, and every text column read in, since each was searched.
extension ServedBench {
    func memory() async throws -> [Measurement] {
        try await connected(as: 1) { connection in
            let groupings = try await Bench.groupings(connection)
                .prefix(BenchPlan.groupingsInMemory)
            var views: [ValetView] = []
            let name = "server memory, \(groupings.count) groupings open"
            let measurements = try await memory("memory", name, connection) {
                for grouping in groupings {
                    views.append(try await Bench.open(Bench.list, grouping, on: connection))
                }
                try await Self.readInText(of: Bench.list, connection)
            }
            withExtendedLifetime(views) {}
            return measurements
        }
    }

    /// - Parameter body: opens the list, and keeps it open.
    private func memory(
        _ id: String, _ name: String, _ connection: ValetConnection, _ body: () async throws -> Void
    ) async throws -> [Measurement] {
        let before = try await connection.statistics()
        try await body()
        let after = try await connection.statistics()
        guard let before = ServerMemory(before), let after = ServerMemory(after) else {
            return [
                Measurement(
                    "\(id).resident", name, nil, .bytesPerRow, of: 0,
                    note: "not measured: the system does not tell it")
            ]
        }
        func perRow(_ bytes: Int) -> Double { Double(bytes) / Double(rows) }
        let own = FigureUnit.bytesPerRow.text(perRow(before.resident))
        return [
            Measurement(
                "\(id).resident", name, perRow(after.resident), .bytesPerRow, of: 1,
                note: "\(own) of it before the list was opened; every text column was searched"),
            Measurement(
                "\(id).peak", "the same, at its highest", perRow(after.peak), .bytesPerRow, of: 1),
        ]
    }

    /// Searches in every scope, for what need not be in any row.
    private static func readInText(of name: String, _ connection: ValetConnection) async throws {
        let list = try await connection.catalog(countingRows: false).catalog.list(named: name)
        let view = try await connection.openView(list: list.name, Query())
        for scope in list.scopes {
            _ = try await view.rearrange(Query(search: .init(text: "zzzzzz", scope: scope.name)))
        }
        try await view.close()
    }
}

/// A list whose one column has no value twice: what a dictionary can't help with.
extension ServedBench {
    func plates() async throws -> [Measurement] {
        try await connected(as: 1) { connection in
            var open = Latencies()
            var view: ValetView?
            let name = "server memory, one all-distinct text"
            let memory = try await memory("memory.plate", name, connection) {
                view = try await open.time {
                    try await Bench.open(Plates.table, nil, on: connection)
                }
                try await Self.readInText(of: Plates.table, connection)
            }
            let scope = (name: Plates.column, columns: [Plates.column])
            let grouping = view?.summary.grouping ?? ""
            let asked =
                try await searches(Plates.table, by: grouping, in: [scope])
                + (try await plateValues(connection))
            withExtendedLifetime(view) {}
            return [Measurement("open.plate", "first of a list of all-distinct text", open)]
                + asked + memory
        }
    }

    /// All plates but one, each time another: as many values as rows. Whoever looks at a column
    /// first waits for its order, too.
    private func plateValues(_ connection: ValetConnection) async throws -> [Measurement] {
        let plates = Plates(seed: plan.seed)
        let view = try await connection.openView(list: Plates.table)
        var first = Latencies()
        func look(_ conditions: [Condition]) async throws {
            _ = try await view.rearrange(
                Query(
                    grouping: Plates.column, expression: .wholeValue, conditions: conditions))
            _ = try await view.largestSections(from: 0, count: BenchPlan.rowsPerWindow)
        }
        try await first.time { try await look([]) }
        let times = try await Latencies.of(0..<plan.queries / 2) { index in
            let plate = Cell.text(plates.plate(at: index))
            try await look([Condition(column: Plates.column, .isNoneOf, [plate])])
        }
        return [
            Measurement("ask.values.plate.first", "first look at values that never repeat", first),
            Measurement("ask.values.plate", "values of a text that never repeats", times),
        ]
    }
}
