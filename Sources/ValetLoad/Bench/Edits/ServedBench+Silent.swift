import ValetModel

/// What stations that stop reading cost, while a thousand changes a second go on: memory of the
/// server, time of others, and answers when they read again.
extension ServedBench {
    private static let silent = 20
    private static let others = 10
    private static let editsPerSecond = 1_000.0
    /// Of a window of the silent ones: each answer brings many pages.
    private static let rowsPerWindow = 1_000
    /// From a changed row of theirs to the next, so that each is in another page.
    private static let step = 61
    private static let receiveBuffer = 16 << 10

    /// What others met for a while.
    private struct Span {
        var windows: Latencies
        var changes = Latencies()
        var commits: [Commit]
        /// Without what the server counts as rows and cached pages.
        var memory: Int?
    }

    func silentStations() async throws -> [Measurement] {
        let editor = try await writer(900)
        // They share a window.
        var silent: [Watcher] = []
        for index in 0..<Self.silent {
            let station = try await BenchStation.connect(
                port: server.port, as: UInt64(910 + index), creditBytes: plan.creditOfSilent,
                receiveBuffer: Self.receiveBuffer)
            silent.append(
                try await Watcher(
                    station, rows / 5, rows: Self.rowsPerWindow,
                    answersPerSecond: Limits.usualAnswersPerSecond))
        }
        let others = try await watchers(Self.others, from: 950)
        // As long, so that the caches grow as much.
        let before = try await span(editor, silent[0].rowIDs, others)
        for watcher in silent {
            try await watcher.station.channel.setOption(.autoRead, value: false).get()
        }
        let during = try await span(editor, silent[0].rowIDs, others)
        let answers = try await answersWhenReadingAgain(silent, during.commits)
        await (silent + others).close()
        await editor.close()
        let memory = before.memory.flatMap { before in
            during.memory.map { Double(max(0, $0 - before)) / Double(Self.silent) }
        }
        return [
            Measurement(
                "edit.silent.memory", "server memory for a station that does not read", memory,
                .bytes, of: Self.silent,
                note: "of \(Self.silent), after \(FigureUnit.digits(plan.secondsOfSilence)) s of "
                    + "1,000 changes a second; rows and cached pages left out"),
            Self.slowness("edit.silent.window", "others' windows", before.windows, during.windows),
            Self.slowness(
                "edit.silent.change", "others' changes to mirror", before.changes, during.changes),
            Measurement(
                "edit.silent.answers", "answers until it is up to date", Double(answers.max() ?? 0),
                .count, of: answers.count,
                note: "the most of \(Self.silent); what was on the way is not counted"),
        ]
    }

    /// Half of the changes are in the window of the silent ones, half in those of others.
    private func span(
        _ editor: BenchStation, _ ofSilent: [Int64], _ others: [Watcher]
    ) async throws -> Span {
        let count = Int(Self.editsPerSecond * plan.secondsOfSilence)
        let (commits, windows) = try await looking(as: 990, pause: .milliseconds(5)) {
            try await editor.edit(.paced(Self.editsPerSecond, count: count)) { number in
                let turn = number / 2
                return Self.isOfSilent(number)
                    ? Self.change(ofSilent[turn * Self.step % ofSilent.count])
                    : others[turn % others.count].change(turn / others.count)
            }
        }
        var span = Span(windows: windows, commits: commits)
        for (index, watcher) in others.enumerated() {
            let own = commits.filter {
                !Self.isOfSilent($0.number) && $0.number / 2 % others.count == index
            }
            try await span.changes.record(own, at: watcher.station)
        }
        let statistics = try await statistics()
        span.memory = statistics[.residentBytes].map { resident in
            [.pageBytes, .columnBytes, .orderBytes, .searchBytes].reduce(resident) {
                $0 - (statistics[$1] ?? 0)
            }
        }
        return span
    }

    private static func isOfSilent(_ number: Int) -> Bool { number % 2 == 1 }

    private static func slowness(
        _ id: String, _ name: String, _ before: Latencies, _ during: Latencies
    ) -> Measurement {
        let ratio = before.percentile(99).flatMap { before in
            during.percentile(99).map { $0 / max(before, 0.001) }
        }
        return Measurement(
            id, "\(name), to before", ratio, .times, of: during.count,
            note: "p99 \(during.text(99)), before \(before.text(99))")
    }

    /// Those of a later revision than the one in the middle of the silence, when nothing was sent.
    private func answersWhenReadingAgain(
        _ silent: [Watcher], _ commits: [Commit]
    ) async throws -> [Int] {
        let middle = commits[commits.count / 2].revision
        let last = commits.last { Self.isOfSilent($0.number) }?.revision ?? 0
        var answers: [Int] = []
        for watcher in silent {
            try await watcher.station.channel.setOption(.autoRead, value: true).get()
            try await watcher.station.isWhole(at: last)
            let wholes = try await watcher.station.onLoop(\.wholes)
            answers.append(wholes.count { $0.revision > middle })
        }
        return answers
    }
}
