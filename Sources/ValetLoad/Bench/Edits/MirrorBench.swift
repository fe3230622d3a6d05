import ValetModel
import ValetTerminal

/// How long after the beginning of a commit the windows that it changes are whole again, at
/// stations that take every answer.
struct MirrorBench {
    let bench: EditBench

    private typealias Watcher = (station: BenchStation, rowIDs: [Int64])

    func measure() async throws -> [Measurement] {
        let (few, many) = (10, bench.plan.watchers)
        let editor = try await bench.writer(400)
        var watchers = try await watchers(0..<few, of: few)
        var measurements = [
            try await measure(
                "edit.mirror.few", "\(few) stations, each its window", watchers, editor,
                perSecond: 100, target: BenchTargets.mirrorOfFew)
        ]
        await EditBench.close(watchers.map(\.station))
        watchers = try await self.watchers(0..<many, of: many)
        measurements.append(
            try await measure(
                "edit.mirror.many", "\(many.grouped) stations, each its window", watchers, editor,
                perSecond: 100, target: BenchTargets.mirrorOfMany))
        var rowIDs: [Int64] = []
        for (station, _) in watchers {
            rowIDs = try await station.watch(bench.rows / 2, grouping: EditBench.grouping)
        }
        measurements.append(
            try await measure(
                "edit.mirror.shared", "\(many.grouped) stations, all the same window",
                watchers.map { ($0.station, rowIDs) }, editor, perSecond: 20, isShared: true,
                target: BenchTargets.mirrorOfMany))
        await EditBench.close(watchers.map(\.station) + [editor])
        return measurements
    }

    private func watchers(_ numbers: Range<Int>, of count: Int) async throws -> [Watcher] {
        var watchers: [Watcher] = []
        for number in numbers {
            let station = try await bench.station(1_000 + number)
            let place = bench.place(number, of: count)
            watchers.append((station, try await station.watch(place, grouping: EditBench.grouping)))
        }
        return watchers
    }

    private func measure(
        _ id: String, _ name: String, _ watchers: [Watcher], _ editor: BenchStation,
        perSecond: Double, isShared: Bool = false, target: Measurement.Target
    ) async throws -> Measurement {
        let rowIDs = watchers.map(\.rowIDs)
        let plan = EditPlan.paced(
            perSecond, count: Int(perSecond * bench.plan.secondsPerMirror))
        let seed = bench.plan.seed
        let (latencies, processors) = try await EditBench.countingProcessors {
            let commits = try await editor.edit(plan) { number in
                var numbers = SeededNumbers(seed: seed, index: -400 - number)
                let window = numbers.below(rowIDs.count)
                let row = rowIDs[window][numbers.below(rowIDs[window].count)]
                return AimedChange(change: EditBench.change(row), window: window)
            }
            let ofWindow = Dictionary(grouping: commits, by: \.window)
            var latencies = Latencies()
            for (number, watcher) in watchers.enumerated() {
                let own = isShared ? commits : ofWindow[number] ?? []
                try await latencies.record(own, at: watcher.station)
            }
            return latencies
        }
        return Measurement(
            id, name, latencies, target: target,
            note: "\(Int(perSecond)) changes a second; this process took "
                + "\(FigureUnit.digits(processors)) processors of its own")
    }
}

extension Latencies {
    /// How long each commit took to be whole at a station, which is waited for.
    mutating func record(_ commits: [Commit], at station: BenchStation) async throws {
        guard let last = commits.last else { return }
        try await station.isWhole(at: last.revision)
        try record(commits, in: try await station.onLoop(\.wholes))
    }
}
