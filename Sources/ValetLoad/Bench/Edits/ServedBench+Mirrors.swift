import Foundation
import ValetModel
import ValetTerminal

/// How long after the beginning of a commit the windows that it changes are whole again, at
/// stations that take every answer.
extension ServedBench {
    func mirrors() async throws -> [Measurement] {
        let (few, many) = (10, plan.watchers)
        let editor = try await writer(400)
        var watchers = try await watchers(few, from: 1_000)
        var measurements = [
            try await mirror(
                "edit.mirror.few", "\(few) stations, each its window", watchers, editor)
        ]
        await watchers.close()
        watchers = try await self.watchers(many, from: 1_000)
        measurements.append(
            try await mirror(
                "edit.mirror.many", "\(many.grouped) stations, each its window", watchers, editor))
        for index in watchers.indices {
            watchers[index] = try await Watcher(watchers[index].station, rows / 2)
        }
        measurements.append(
            try await mirror(
                "edit.mirror.shared", "\(many.grouped) stations, all the same window", watchers,
                editor, perSecond: 20, isShared: true))
        await watchers.close()
        await editor.close()
        return measurements
    }

    private func mirror(
        _ id: String, _ name: String, _ watchers: [Watcher], _ editor: BenchStation,
        perSecond: Double = 100, isShared: Bool = false
    ) async throws -> Measurement {
        let count = Int(perSecond * plan.secondsPerMirror)
        // The change with a number is in the window of one of the stations.
        let aim = { @Sendable (number: Int) -> (watcher: Int, row: Int) in
            var numbers = numbers(-400 - number)
            let watcher = numbers.below(watchers.count)
            return (watcher, numbers.below(watchers[watcher].rowIDs.count))
        }
        var latencies = Latencies()
        let (start, processorsBefore) = (ContinuousClock.now, Self.processorSeconds)
        let commits = try await editor.edit(.paced(perSecond, count: count)) {
            let (watcher, row) = aim($0)
            return watchers[watcher].change(row)
        }
        let ofWatcher = Dictionary(grouping: commits) { aim($0.number).watcher }
        for (number, watcher) in watchers.enumerated() {
            try await latencies.record(
                isShared ? commits : ofWatcher[number] ?? [], at: watcher.station)
        }
        let processors =
            (Self.processorSeconds - processorsBefore) / ((.now - start) / .seconds(1))
        return Measurement(
            id, name, latencies,
            note: "\(Int(perSecond)) changes a second; this process took "
                + "\(FigureUnit.digits(processors)) processors of its own")
    }

    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

/// What a change costs on the wire to a station that watches.
extension ServedBench {
    func changeBytes() async throws -> [Measurement] {
        let editor = try await writer(500)
        let watcher = try await Watcher(try await .connect(port: server.port, as: 501), rows / 3)
        let measurements =
            [try await changeInside(watcher, editor)]
            + (try await changesOutside(watcher.station, editor))
        await [editor, watcher.station].close()
        return measurements
    }

    /// One cell in the window.
    private func changeInside(
        _ watcher: Watcher, _ editor: BenchStation
    ) async throws -> Measurement {
        var bytes: [Double] = []
        for number in 0..<plan.changesCounted {
            let before = try await watcher.station.onLoop(\.bytesReceived)
            let outcome = try await editor.submit(watcher.change(number))
            try await watcher.station.isWhole(at: outcome.revision)
            bytes.append(Double(try await watcher.station.onLoop(\.bytesReceived) - before))
        }
        return Measurement(
            "edit.bytes.inside", "sent for a changed cell of a window", of: bytes, .bytes,
            note: "answer and page of 64 cars, all columns")
    }

    /// Cars that come in behind the window change its numbers alone.
    private func changesOutside(
        _ watcher: BenchStation, _ editor: BenchStation
    ) async throws -> [Measurement] {
        let before = try await watcher.onLoop { ($0.bytesReceived, $0.wholes.count) }
        // A car of no model comes behind most others.
        let car = [ColumnValue(column: 0, value: .text("Saab"))]
        let started = ContinuousClock.now
        let commits = try await editor.edit(
            .paced(100, count: Int(100 * plan.secondsPerMirror))
        ) { _ in .insert([car]) }
        try await watcher.isWhole(at: commits.last?.revision ?? 0)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let (bytes, wholes) = try await watcher.onLoop { ($0.bytesReceived, $0.wholes.count) }
        let answers = max(1, wholes - before.1)
        return [
            Measurement(
                "edit.bytes.outside", "sent for a change that only counts",
                Double(bytes - before.0) / Double(answers), .bytes, of: answers,
                note: "\(commits.count.grouped) cars came in behind the window"),
            Measurement(
                "edit.answers.outside", "answers to that in a second",
                // The first may come at once.
                Double(answers - 1) / seconds, .count, of: answers),
        ]
    }
}
