import ValetClient
import ValetCommands
import ValetModel

/// Commands that each change almost ten thousand rows, while eight stations show the list in eight
/// orders and one looks around.
struct LargeEditBench {
    let bench: EditBench

    private static let groupings = [
        "None", "make", "model", "year", "fuel", "parked", "owner_first", "owner_last",
    ]
    private static let pauseOfReader = Duration.milliseconds(1)

    func measure() async throws -> [Measurement] {
        let (model, rows) = try await mostRows()
        let editor = try await bench.writer(820)
        var watchers: [BenchStation] = []
        for (number, grouping) in Self.groupings.enumerated() {
            let watcher = try await bench.station(821 + number)
            _ = try await watcher.watch(
                bench.place(number, of: Self.groupings.count), grouping: grouping)
            watchers.append(watcher)
        }
        let reader = try await RandomReader(bench, as: 840)
        let reading = Task { try await reader.read(pause: Self.pauseOfReader) }
        var edits = Latencies()
        for number in 0..<bench.plan.largeEdits {
            let query = Query(conditions: [Condition(column: "model", .isOneOf, [model])])
            // Other fuel moves all of them in one of the orders.
            let fuel = ColumnValue(column: 3, value: .real(Double(1_000 + number)))
            let start = ContinuousClock.now
            _ = try await editor.submit(.updateMatching(query, [fuel]))
            edits.record(ContinuousClock.now - start)
        }
        reading.cancel()
        let windows = try await reading.value
        await reader.close()
        await EditBench.close(watchers + [editor])
        return [
            Measurement("edit.large", "\(rows.grouped) rows changed at once", edits),
            Measurement(
                "edit.large.window", "window meanwhile, 8 orders shown", windows,
                target: BenchTargets.windowDuringLargeEdits),
        ]
    }

    /// The model with the most cars that one command may change, as the server counts them: cars
    /// have been put into its list by now.
    private func mostRows() async throws -> (model: Cell, rows: Int) {
        let connection = try await bench.server.connect(as: 819)
        let view = try await connection.openView(
            list: Bench.list, Query(grouping: EditBench.grouping))
        let models = try await view.largestSections(from: 0, count: Limits.sectionsPerAnswer)
        await connection.close()
        guard let model = models.first(where: { $0.count <= Limits.rowsPerCommand }) else {
            throw ValetError(.unexpected, "no model has so few cars that one command changes them")
        }
        return (.text(model.title), model.count)
    }
}
