import ValetClient
import ValetCommands
import ValetModel

/// Commands that each change as many rows as one may, while eight stations show the list in eight
/// orders and one looks around.
struct LargeEditBench {
    let bench: EditBench

    private static let groupings = [
        "None", "make", "model", "year", "fuel", "parked", "owner_first", "owner_last",
    ]
    private static let pauseOfReader = Duration.milliseconds(1)

    func measure() async throws -> [Measurement] {
        let rows = min(Limits.rowsPerCommand, bench.rows)
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
            let change = largeChange(of: rows, number)
            let start = ContinuousClock.now
            let outcome = try await editor.submit(change)
            edits.record(ContinuousClock.now - start)
            for watcher in watchers { try await watcher.isWhole(at: outcome.revision) }
        }
        reading.cancel()
        let windows = try await reading.value
        await reader.close()
        await EditBench.close(watchers + [editor])
        return [
            Measurement("edit.large", "\(rows.grouped) rows changed at once", edits),
            Measurement(
                "edit.large.window", "window at a random place meanwhile, 8 orders shown", windows,
                target: BenchTargets.windowDuringLargeEdits),
        ]
    }

    /// Rows all over the list get other fuel, which moves them in one of the orders.
    private func largeChange(of count: Int, _ number: Int) -> ValetModel.Change {
        let step = max(1, bench.rows / count)
        let edits = (0..<count).map { place in
            RowEdit(
                rowID: Int64(1 + place * step + number % step),
                cells: [
                    CellEdit(
                        column: 3, value: .real(Double(number * count + place) / 10),
                        seen: .anything)
                ])
        }
        return .update(edits)
    }
}
