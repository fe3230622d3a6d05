import ValetCommands
import ValetModel
import ValetStore

/// How long one station waits for the outcome of its change, beside what SQLite alone takes to
/// commit the same rows. The two take turns.
struct AcknowledgementBench {
    let bench: EditBench

    private static let rounds = 10

    func measure() async throws -> [Measurement] {
        let station = try await bench.writer(200)
        _ = try await station.watch(0, grouping: EditBench.grouping)
        var alone = try SoleWriter(bench.copy)
        var (ours, theirs) = (Latencies(), Latencies())
        let perRound = max(1, bench.plan.commits / Self.rounds)
        for round in 0..<Self.rounds {
            let commits = try await station.edit(EditPlan(inFlight: 1, count: perRound)) {
                [bench] in
                AimedChange(change: EditBench.change(bench.anyRow($0, index: -100 - round * 9_000)))
            }
            for commit in commits { ours.record(commit.acknowledgement) }
            for number in 0..<perRound {
                let row = bench.anyRow(number, index: -100 - round * 9_000)
                try theirs.time { () throws(ValetError) in try alone.update(row) }
            }
        }
        await station.close()
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

/// SQLite alone, as durable as a server.
struct SoleWriter {
    private let connection: Connection
    private let statement: Statement
    private var stamp = 0

    init(_ path: String) throws(ValetError) {
        connection = try Connection(path: path, access: .write)
        _ = try connection.prepare("PRAGMA journal_mode=WAL").step()
        try connection.run("PRAGMA synchronous=FULL")
        statement = try connection.prepare(
            "UPDATE \(FleetWriter.table) SET fuel = ? WHERE rowid = ?")
    }

    mutating func update(_ rowID: Int64) throws(ValetError) {
        stamp += 1
        statement.bind(Double(stamp) / 10, at: 0)
        statement.bind(rowID, at: 1)
        _ = try statement.step()
        statement.reset()
    }
}
