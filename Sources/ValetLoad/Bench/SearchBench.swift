import ValetClient
import ValetModel

/// Searches by what a column contains, each for something new: until the exact count is here, and
/// then until the first rows are.
struct SearchBench {
    let plan: BenchPlan
    let server: any LoadServer
    let rows: Int
    let grouping: String
    private var needles: Needles
    private var windows = Latencies()
    /// The searches that find most.
    private var letters = Latencies()

    private static let columns = ["make", "model", "owner_last"]

    init(
        plan: BenchPlan, server: any LoadServer, rows: Int, grouping: String, needles: Needles
    ) {
        self.plan = plan
        self.server = server
        self.rows = rows
        self.grouping = grouping
        self.needles = needles
    }

    func measure() async throws(ValetError) -> [Measurement] {
        var bench = self
        let connection = try await server.connect(as: 40)
        let view = try await connection.openView(
            list: Bench.list, Question(grouping: grouping))
        var measurements: [Measurement] = []
        for scope in ["Any"] + Self.columns {
            let searches = try await bench.search(in: scope, view)
            measurements.append(
                Measurement(
                    "search.\(scope)", "search in \(scope), 1 to 6 letters, exact count", searches,
                    target: BenchTargets.search(rows: rows)))
        }
        measurements.append(
            Measurement(
                "search.letter", "search for one letter, in each of these", bench.letters,
                target: BenchTargets.search(rows: rows)))
        measurements.append(
            Measurement("search.window", "first window of what was found", bench.windows))
        await connection.close()
        return measurements
    }

    private mutating func search(
        in scope: String, _ view: ValetView
    ) async throws(ValetError) -> Latencies {
        var times = Latencies()
        needles.forget()
        for length in BenchPlan.needleLengths {
            let column = Self.columns.contains(scope) ? scope : Self.columns[length % 3]
            let taken = try needles.take(plan.needlesPerLength, ofLength: length, from: column)
            for needle in taken {
                let question = Question(
                    grouping: grouping, search: .init(text: needle, scope: scope))
                var time = Latencies()
                let found = try await time.time { () async throws(ValetError) in
                    try await view.rearrange(question).totalRows
                }
                times.add(time)
                if length == 1 { letters.add(time) }
                // It was taken from a row.
                guard found > 0 else {
                    throw ValetError(.malformed, "“\(needle)” was not found in \(scope)")
                }
                try await windows.time { () async throws(ValetError) in
                    _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
                }
            }
        }
        return times
    }
}
