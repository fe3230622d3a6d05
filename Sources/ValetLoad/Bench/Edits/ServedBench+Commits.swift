import ValetCommands
import ValetModel
import ValetStore

/// How long one station waits for the outcome of its change, beside what SQLite alone takes to
/// commit the same rows. The two take turns.
extension ServedBench {
    private static let rounds = 10

    /// - Parameter copy: what SQLite writes, as durably as a server.
    func acknowledgements(_ copy: String) async throws -> [Measurement] {
        let writer = try await writer(200)
        let watcher = try await Watcher(writer, 0)
        let connection = try Connection(path: copy, access: .write)
        _ = try connection.prepare("PRAGMA journal_mode=WAL").step()
        try connection.run("PRAGMA synchronous=FULL")
        let update = try connection.prepare(
            "UPDATE \(FleetWriter.table) SET fuel = ? WHERE rowid = ?")
        var (ours, theirs) = (Latencies(), Latencies())
        let perRound = max(1, plan.commits / Self.rounds)
        for round in 0..<Self.rounds {
            let anyRow = { @Sendable (number: Int) -> Int64 in
                var numbers = numbers(-100 - round * 9_000 - number)
                return Int64(1 + numbers.below(rows))
            }
            let commits = try await writer.edit(EditPlan(inFlight: 1, count: perRound)) {
                Self.change(anyRow($0))
            }
            for commit in commits { ours.record(commit.acknowledgement) }
            for number in 0..<perRound {
                update.bind(Double(round * perRound + number + 1) / 10, at: 0)
                update.bind(anyRow(number), at: 1)
                try theirs.time { _ = try update.step() }
                update.reset()
            }
        }
        await watcher.station.close()
        // Its own commit, one that is under way, and half a millisecond.
        let target = theirs.percentile(50).map { Measurement.Target.figure(2 * $0 + 500) }
        let sqlite = Measurement(
            "edit.sqlite", "SQLite alone: commit of one row", theirs,
            note: theirs.percentile(50).map {
                "the same rows; synchronous=FULL, WAL; \(FigureUnit.perSecond.text(1e6 / $0))"
            })
        return [
            Measurement(
                "edit.acknowledgement", "one row's change, sent to outcome", ours, target: target
            ).compared(with: sqlite), sqlite,
        ]
    }
}

/// Changes a second of fifty stations, each with a view open and one change under way, beside those
/// of one such station: its every change is a commit of its own.
extension ServedBench {
    func groupCommits() async throws -> [Measurement] {
        var all: [Watcher] = []
        for number in 0..<plan.clientsOfLoad {
            all.append(
                try await Watcher(
                    try await writer(300 + number), place(number, of: plan.clientsOfLoad)))
        }
        var (single, group): ([Double], [Double]) = ([], [])
        for _ in 0..<plan.loadRounds {
            single.append(try await changesPerSecond(Array(all.prefix(1))))
            group.append(try await changesPerSecond(all))
        }
        await all.close()
        let most = single.max() ?? 0
        let one = Measurement(
            "edit.single", "one station's changes a second", most, .perSecond, of: single.count,
            note: "one under way: a commit for each change")
        return [
            Measurement(
                "edit.group", "changes a second of \(plan.clientsOfLoad) stations", group.max(),
                .perSecond, of: group.count, target: .figure(3 * most),
                note: "each changes rows of its own window, one change under way"
            ).compared(with: one), one,
        ]
    }

    private func changesPerSecond(_ watchers: [Watcher]) async throws -> Double {
        let seconds = plan.secondsPerLoad
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for watcher in watchers {
                group.addTask {
                    try await watcher.station.edit(EditPlan(inFlight: 1, seconds: seconds)) {
                        watcher.change($0)
                    }.count
                }
            }
            return try await group.reduce(0) { Double($1) + $0 } / seconds
        }
    }
}
