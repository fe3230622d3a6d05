import ValetCommands
import ValetModel
import ValetStore

/// The same work done by SQLite alone, on the same file and in the same run.
struct SQLiteBench {
    let plan: BenchPlan
    let file: String

    private static let table = FleetWriter.table

    func added(to report: BenchReport) throws(ValetError) -> BenchReport {
        var report = report
        let connection = try Connection(path: file)
        let (middle, count) = (report.rows / 2, BenchPlan.rowsPerWindow)
        let window = report["window.random"]
        let page = "LIMIT \(count) OFFSET \(middle)"
        report.measurements.append(
            Measurement(
                "sqlite.offset", "page in the middle by row id",
                try times(connection, "SELECT * FROM \(Self.table) ORDER BY rowid \(page)")
            ).compared(with: window))
        report.measurements.append(
            Measurement(
                "sqlite.sorted", "page in the middle by make, model",
                try times(
                    connection, "SELECT * FROM \(Self.table) ORDER BY make, model \(page)")
            ).compared(with: window))
        report.measurements.append(
            Measurement(
                "sqlite.like", "count where model is like",
                try like(connection, report.rows)
            ).compared(with: report["search.model"]))
        return report
    }

    /// What `QueryBench` asks.
    func queries(_ report: BenchReport) throws(ValetError) -> [Measurement] {
        let connection = try Connection(path: file)
        let examples = try QueryBench.examples(
            plan.sqliteRuns, of: file, rows: report.rows, seed: plan.seed, turn: 1)
        func times(
            _ sql: String..., bind: (Statement, QueryBench.Example) -> Void
        ) throws(ValetError) -> Latencies {
            var statements: [Statement] = []
            for sql in sql { statements.append(try connection.prepare(sql)) }
            var times = Latencies()
            for example in examples {
                for statement in statements { bind(statement, example) }
                try times.time { () throws(ValetError) in
                    for statement in statements { try Self.readAll(statement) }
                }
            }
            return times
        }
        let met = "FROM \(Self.table) WHERE make = ? AND year >= ? AND fuel <= ?"
        let conditions = try times(
            "SELECT count(*) \(met)",
            "SELECT * \(met) ORDER BY model LIMIT \(BenchPlan.rowsPerWindow)"
        ) { statement, example in
            statement.bind(example.make, at: 0)
            statement.bind(example.year, at: 1)
            statement.bind(example.fuel, at: 2)
        }
        let values = try times(
            """
            SELECT owner_last, count(*) FROM \(Self.table) WHERE fuel < ?
            GROUP BY owner_last ORDER BY count(*) DESC LIMIT \(BenchPlan.rowsPerWindow)
            """
        ) { $0.bind($1.fuel + 10, at: 0) }
        let aggregates = try times(
            """
            SELECT count(fuel), sum(fuel), avg(fuel), min(fuel), max(fuel), count(DISTINCT fuel)
            FROM \(Self.table) WHERE make = ?
            """
        ) { $0.bind($1.make, at: 0) }
        return [
            Measurement("sqlite.where", "count and page where 3 conditions hold", conditions)
                .compared(with: report["ask.condition"]),
            Measurement("sqlite.group", "values of a column by count", values)
                .compared(with: report["ask.values"]),
            Measurement("sqlite.aggregates", "6 aggregates of a make's rows", aggregates)
                .compared(with: report["ask.aggregates"]),
        ]
    }

    private func times(_ connection: Connection, _ sql: String) throws(ValetError) -> Latencies {
        let statement = try connection.prepare(sql)
        var times = Latencies()
        for _ in 0..<plan.sqliteRuns {
            try times.time { () throws(ValetError) in try Self.readAll(statement) }
        }
        return times
    }

    /// Reads every value, as a program that shows the rows would.
    private static func readAll(_ statement: Statement) throws(ValetError) {
        while try statement.step() {
            for column in 0..<statement.columnCount { _ = statement.text(column) }
        }
        statement.reset()
    }

    private func like(_ connection: Connection, _ rows: Int) throws(ValetError) -> Latencies {
        var needles = try Needles(file: file, table: Self.table, seed: plan.seed, rows: rows)
        let statement = try connection.prepare(
            "SELECT count(*) FROM \(Self.table) WHERE model LIKE '%' || ? || '%'")
        var times = Latencies()
        for length in BenchPlan.needleLengths {
            for needle in try needles.take(1, ofLength: length, from: "model") {
                statement.bind(needle, at: 0)
                try times.time { () throws(ValetError) in try Self.readAll(statement) }
            }
        }
        return times
    }
}
