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
