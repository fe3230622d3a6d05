import ValetModel
import ValetTerminal

/// What a change costs on the wire to a station that watches.
struct ChangeBytesBench {
    let bench: EditBench

    func measure() async throws -> [Measurement] {
        let editor = try await bench.writer(500)
        let watcher = try await bench.station(501)
        let rowIDs = try await watcher.watch(bench.rows / 3, grouping: EditBench.grouping)
        let measurements =
            [try await inside(watcher, rowIDs, editor)] + (try await outside(watcher, editor))
        await EditBench.close([editor, watcher])
        return measurements
    }

    /// One cell in the window.
    private func inside(
        _ watcher: BenchStation, _ rowIDs: [Int64], _ editor: BenchStation
    ) async throws -> Measurement {
        var bytes: [Int] = []
        for number in 0..<bench.plan.changesCounted {
            let before = try await watcher.onLoop(\.bytesReceived)
            let outcome = try await editor.submit(EditBench.change(rowIDs[number % rowIDs.count]))
            try await watcher.isWhole(at: outcome.revision)
            bytes.append(try await watcher.onLoop(\.bytesReceived) - before)
        }
        bytes.sort()
        return Measurement(
            id: "edit.bytes.inside", name: "sent for a changed cell of a window", unit: .bytes,
            samples: bytes.count, p50: Double(bytes[bytes.count / 2]),
            p99: Double(bytes[(bytes.count - 1) * 99 / 100]),
            target: .figure(BenchTargets.bytesOfChangeInside),
            note: "answer and page of 64 cars, all columns")
    }

    /// Cars that come in behind the window change its numbers alone.
    private func outside(
        _ watcher: BenchStation, _ editor: BenchStation
    ) async throws -> [Measurement] {
        let before = try await watcher.onLoop { ($0.bytesReceived, $0.wholes.count) }
        // A car of no model comes behind most others.
        let car = [ColumnValue(column: 0, value: .text("Saab"))]
        let started = ContinuousClock.now
        let commits = try await editor.edit(
            .paced(100, count: Int(100 * bench.plan.secondsPerMirror))
        ) { _ in
            AimedChange(change: .insert([car]))
        }
        try await watcher.isWhole(at: commits.last?.revision ?? 0)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let (bytes, wholes) = try await watcher.onLoop { ($0.bytesReceived, $0.wholes.count) }
        let answers = max(1, wholes - before.1)
        return [
            Measurement(
                id: "edit.bytes.outside", name: "sent for a change that only counts", unit: .bytes,
                samples: answers, p50: Double(bytes - before.0) / Double(answers),
                target: .figure(BenchTargets.bytesOfChangeOutside),
                note: "\(commits.count.grouped) cars came in behind the window"),
            Measurement(
                id: "edit.answers.outside", name: "answers to that in a second", unit: .count,
                samples: answers,
                // The first may come at once.
                p50: Double(answers - 1) / seconds,
                target: .figure(Double(Limits.numbersPerSecond))),
        ]
    }
}
