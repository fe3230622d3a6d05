import ValetCommands
import ValetModel
import ValetStore

/// The same work done by SQLite alone, on the same file and in the same run.
struct SQLiteBench {
    let plan: BenchPlan
    let file: String
    let rows: Int

    private static let table = FleetWriter.table

    /// - Parameter measurements: of the server.
    func pages(beside measurements: [Measurement]) async throws -> [Measurement] {
        let page = "LIMIT \(BenchPlan.rowsPerWindow) OFFSET \(rows / 2)"
        let runs = 0..<plan.sqliteRuns
        let all = "SELECT * FROM \(Self.table) ORDER BY"
        let byID = try await times(runs, "\(all) rowid \(page)") { _, _ in }
        let byModel = try await times(runs, "\(all) make, model \(page)") { _, _ in }
        var needles = try Needles(file: file, table: Self.table, seed: plan.seed, rows: rows)
        let models = try BenchPlan.needleLengths.flatMap {
            try needles.take(1, ofLength: $0, from: "model")
        }
        let like = try await times(
            models, "SELECT count(*) FROM \(Self.table) WHERE model LIKE '%' || ? || '%'"
        ) { $0.bind($1, at: 0) }
        let window = measurements["window.random"]
        return [
            Measurement("sqlite.offset", "page in the middle by row id", byID)
                .compared(with: window),
            Measurement("sqlite.sorted", "page in the middle by make, model", byModel)
                .compared(with: window),
            Measurement("sqlite.like", "count where model is like", like)
                .compared(with: measurements["search.model"]),
        ]
    }

    /// What `ServedBench.queries` asks.
    func queries(beside measurements: [Measurement]) async throws -> [Measurement] {
        let examples = try ExampleRow.some(
            plan.sqliteRuns, of: file, rows: rows, seed: plan.seed, turn: 1)
        let met = "FROM \(Self.table) WHERE make = ? AND year >= ? AND fuel <= ?"
        let conditions = try await times(
            examples, "SELECT count(*) \(met)",
            "SELECT * \(met) ORDER BY model LIMIT \(BenchPlan.rowsPerWindow)"
        ) { statement, example in
            statement.bind(example.make, at: 0)
            statement.bind(example.year, at: 1)
            statement.bind(example.fuel, at: 2)
        }
        let values = try await times(
            examples,
            """
            SELECT owner_last, count(*) FROM \(Self.table) WHERE fuel < ?
            GROUP BY owner_last ORDER BY count(*) DESC LIMIT \(BenchPlan.rowsPerWindow)
            """
        ) { $0.bind($1.fuel + 10, at: 0) }
        let aggregates = try await times(
            examples,
            """
            SELECT count(fuel), sum(fuel), avg(fuel), min(fuel), max(fuel), count(DISTINCT fuel)
            FROM \(Self.table) WHERE make = ?
            """
        ) { $0.bind($1.make, at: 0) }
        return [
            Measurement("sqlite.where", "count and page where 3 conditions hold", conditions)
                .compared(with: measurements["ask.condition"]),
            Measurement("sqlite.group", "values of a column by count", values)
                .compared(with: measurements["ask.values"]),
            Measurement("sqlite.aggregates", "6 aggregates of a make's rows", aggregates)
                .compared(with: measurements["ask.aggregates"]),
        ]
    }

    /// Runs statements for each of `turns`, and reads every value, as a program that shows the rows
    /// would.
    private func times<Turn>(
        _ turns: some Sequence<Turn>, _ sql: String..., bind: (Statement, Turn) -> Void
    ) async throws -> Latencies {
        let connection = try Connection(path: file)
        let statements = try sql.map { try connection.prepare($0) }
        return try await Latencies.of(turns) { turn in
            for statement in statements {
                bind(statement, turn)
                while try statement.step() {
                    for column in 0..<statement.columnCount { _ = statement.text(column) }
                }
                statement.reset()
            }
        }
    }
}
