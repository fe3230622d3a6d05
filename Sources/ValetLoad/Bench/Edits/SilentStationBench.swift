import Foundation
import ValetClient
import ValetModel

/// What stations that stop reading cost, while a thousand changes a second go on: memory of the
/// server, time of others, and answers when they read again.
struct SilentStationBench {
    let bench: EditBench

    private static let silent = 20
    private static let others = 10
    private static let editsPerSecond = 1_000.0
    /// Of a window of the silent ones: each answer brings many pages.
    private static let rowsPerWindow = 1_000
    /// From a changed row of theirs to the next, so that each is in another page.
    private static let step = 61
    private static let receiveBuffer = 16 << 10
    private static let pauseOfReader = Duration.milliseconds(5)

    private typealias Watcher = (station: BenchStation, rowIDs: [Int64])

    /// What others met for a while.
    private struct Span {
        var windows: Latencies
        var changes = Latencies()
        var commits: [Commit]
        /// Without what the server counts as rows and cached pages.
        var memory: Int?
    }

    func measure() async throws -> [Measurement] {
        let editor = try await bench.writer(900)
        let silent = try await watchers(
            Self.silent, from: 910, rows: Self.rowsPerWindow,
            answersPerSecond: Limits.usualAnswersPerSecond, isSilent: true)
        let others = try await watchers(Self.others, from: 950)
        // As long, so that the caches grow as much.
        let before = try await span(editor, silent, others)
        for watcher in silent {
            try await watcher.station.channel.setOption(.autoRead, value: false).get()
        }
        let during = try await span(editor, silent, others)
        let answers = try await answersWhenReadingAgain(silent, during.commits)
        await EditBench.close((silent + others).map(\.station) + [editor])
        return [
            memory(before, during),
            Self.ratio(
                "edit.silent.window", "others' windows, to before", before.windows, during.windows),
            Self.ratio(
                "edit.silent.change", "others' changes to mirror, to before", before.changes,
                during.changes),
            Measurement(
                id: "edit.silent.answers", name: "answers until it is up to date", unit: .count,
                samples: answers.count, p50: Double(answers.max() ?? 0), target: .figure(1),
                note: "the most of \(Self.silent); what was on the way is not counted"),
        ]
    }

    private func watchers(
        _ count: Int, from number: Int, rows: Int = BenchPlan.rowsPerWindow,
        answersPerSecond: Int = Limits.answersPerSecond, isSilent: Bool = false
    ) async throws -> [Watcher] {
        var watchers: [Watcher] = []
        for index in 0..<count {
            let station = try await BenchStation.connect(
                port: bench.server.port, as: UInt64(number + index),
                creditBytes: isSilent ? bench.plan.creditOfSilent : 1 << 20,
                receiveBuffer: isSilent ? Self.receiveBuffer : nil)
            // The silent ones share a window.
            let place = isSilent ? bench.rows / 5 : bench.place(index, of: count)
            watchers.append(
                (
                    station,
                    try await station.watch(
                        place, rows: rows, grouping: EditBench.grouping,
                        answersPerSecond: answersPerSecond)
                ))
        }
        return watchers
    }

    /// Half of the changes are in the window of the silent ones, half in those of others.
    private func span(
        _ editor: BenchStation, _ silent: [Watcher], _ others: [Watcher]
    ) async throws -> Span {
        let reader = try await RandomReader(bench, as: 990)
        let reading = Task { try await reader.read(pause: Self.pauseOfReader) }
        let (rowIDs, ofSilent) = (others.map(\.rowIDs), silent.first?.rowIDs ?? [])
        let count = Int(Self.editsPerSecond * bench.plan.secondsOfSilence)
        let commits = try await editor.edit(.paced(Self.editsPerSecond, count: count)) { number in
            let turn = number / 2
            guard number % 2 == 0 else {
                let row = ofSilent[turn * Self.step % ofSilent.count]
                return AimedChange(change: EditBench.change(row), window: -1)
            }
            let window = turn % rowIDs.count
            let row = rowIDs[window][turn / rowIDs.count % rowIDs[window].count]
            return AimedChange(change: EditBench.change(row), window: window)
        }
        reading.cancel()
        var span = Span(windows: try await reading.value, commits: commits)
        await reader.close()
        for (number, watcher) in others.enumerated() {
            try await span.changes.record(
                commits.filter { $0.window == number }, at: watcher.station)
        }
        let scout = try await bench.server.connect(as: 991)
        let statistics = try await scout.statistics()
        await scout.close()
        span.memory = statistics[.residentBytes].map { resident in
            [.pageBytes, .columnBytes, .orderBytes, .searchBytes].reduce(resident) {
                $0 - (statistics[$1] ?? 0)
            }
        }
        return span
    }

    private func memory(_ before: Span, _ during: Span) -> Measurement {
        let each = before.memory.flatMap { before in
            during.memory.map { Double(max(0, $0 - before)) / Double(Self.silent) }
        }
        return Measurement(
            id: "edit.silent.memory", name: "server memory for a station that does not read",
            unit: .bytes, samples: Self.silent, p50: each,
            target: .figure(BenchTargets.bytesOfSilentStation),
            note: "of \(Self.silent), after \(FigureUnit.digits(bench.plan.secondsOfSilence)) s of "
                + "1,000 changes a second; rows and cached pages left out")
    }

    private static func ratio(
        _ id: String, _ name: String, _ before: Latencies, _ during: Latencies
    ) -> Measurement {
        let ratio = before.percentile(99).flatMap { before in
            during.percentile(99).map { $0 / max(before, 0.001) }
        }
        return Measurement(
            id: id, name: name, unit: .times, samples: during.count, p50: ratio,
            target: .figure(BenchTargets.slownessOfOthers),
            note: "p99 \(during.text(99)), before \(before.text(99))")
    }

    /// Those of a later revision than the one in the middle of the silence, when nothing was sent.
    private func answersWhenReadingAgain(
        _ silent: [Watcher], _ commits: [Commit]
    ) async throws -> [Int] {
        let middle = commits[commits.count / 2].revision
        let last = commits.last { $0.window < 0 }?.revision ?? 0
        var answers: [Int] = []
        for (station, _) in silent {
            try await station.channel.setOption(.autoRead, value: true).get()
            try await station.isWhole(at: last)
            let wholes = try await station.onLoop(\.wholes)
            answers.append(wholes.count { $0.revision > middle })
        }
        return answers
    }
}
