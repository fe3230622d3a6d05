import ValetClient
import ValetCommands
import ValetModel
import ValetTerminal

/// Rows a second that commands of a thousand rows each put into the list, while two stations watch
/// and one looks around.
struct InsertBench {
    let bench: EditBench

    private static let rowsPerCommand = 1_000
    private static let pauseOfReader = Duration.milliseconds(5)

    func measure() async throws -> [Measurement] {
        let editor = try await bench.writer(800)
        let watchers = [try await bench.station(801), try await bench.station(802)]
        for (number, watcher) in watchers.enumerated() {
            _ = try await watcher.watch(
                bench.place(number, of: 2), grouping: EditBench.grouping,
                answersPerSecond: Limits.usualAnswersPerSecond)
        }
        let reader = try await RandomReader(bench, as: 803)
        let reading = Task { try await reader.read(pause: Self.pauseOfReader) }
        let fleet = Fleet(seed: bench.plan.seed &+ 1)
        let commits = try await editor.edit(
            EditPlan(inFlight: 4, count: bench.plan.rowsInserted / Self.rowsPerCommand)
        ) { number in
            let first = number * Self.rowsPerCommand
            let cars = (first..<first + Self.rowsPerCommand).map { fleet.car(at: $0).values }
            return AimedChange(change: .insert(cars))
        }
        reading.cancel()
        let windows = try await reading.value
        for watcher in watchers { try await watcher.isWhole(at: commits.last?.revision ?? 0) }
        await reader.close()
        await EditBench.close(watchers + [editor])
        let seconds = (commits.last?.sinceStart ?? .zero) / .seconds(1)
        return [
            Measurement(
                id: "edit.insert", name: "rows inserted a second", unit: .perSecond,
                samples: bench.plan.rowsInserted,
                p50: Double(bench.plan.rowsInserted) / max(seconds, 1e-6),
                target: .figure(BenchTargets.rowsInsertedPerSecond),
                note: "commands of \(Self.rowsPerCommand.grouped) rows, 4 under way; "
                    + "2 stations watch"),
            Measurement(
                "edit.insert.window", "window at a random place meanwhile", windows,
                target: BenchTargets.windowDuringInserts),
        ]
    }
}

extension Car {
    /// What an insert sets.
    fileprivate var values: [ColumnValue] {
        let cells: [Cell?] = [
            make.map { .text($0) }, model.map { .text($0) }, year.map { .integer($0) },
            fuel.map { .real($0) }, parked.map { .integer($0) }, ownerFirst.map { .text($0) },
            ownerLast.map { .text($0) },
        ]
        return cells.enumerated().map { ColumnValue(column: $0.offset, value: $0.element ?? .null) }
    }
}

/// A client that looks at random places until its task is cancelled.
struct RandomReader: Sendable {
    private let connection: ValetConnection
    private let view: ValetView
    private let rows: Int
    private let seed: UInt64

    init(_ bench: EditBench, as number: UInt64) async throws {
        connection = try await bench.server.connect(as: number)
        view = try await connection.openView(
            list: Bench.list, Query(grouping: EditBench.grouping))
        (rows, seed) = (bench.rows, bench.plan.seed)
    }

    func read(pause: Duration) async throws -> Latencies {
        var times = Latencies()
        var numbers = SeededNumbers(seed: seed, index: -800)
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let (_, end) = try await view.timedWindow(
                at: .ordinal(numbers.below(rows - BenchPlan.rowsPerWindow)),
                rows: BenchPlan.rowsPerWindow)
            times.record(end - start)
            try? await Task.sleep(for: pause, tolerance: .zero)
        }
        return times
    }

    func close() async { await connection.close() }
}
