import ValetTerminal

/// The result of a crash run.
struct CrashReport {
    let plan: CrashPlan
    /// From a kill until the next server listens.
    var restarts = Latencies()
    /// From a kill until all stations see their rows again, if all saw them before it.
    var whole = Latencies()
    /// Stations that did not see their rows in time, summed over all kills.
    var late = 0
    var acknowledged = 0
    /// Mismatches, and the errors that stations got in place of an outcome.
    var totals = Figures.Totals()

    var isRight: Bool {
        late == 0 && totals.errors == 0 && totals.mismatches == 0 && acknowledged > 0
    }

    var lines: [String] {
        let table = TextTable.lines([
            ["after a kill", "times", "p50", "p99", "max"],
            Self.row("the server listens", restarts), Self.row("all stations are whole", whole),
        ]) { $0 > 0 }
        return [
            "\(plan.kills.grouped) kills, \(plan.stations.grouped) stations, "
                + "\(plan.rows.grouped) cars, seed \(plan.seed)", "",
        ] + table + [
            "",
            "acknowledged  \(acknowledged.grouped) commands, each once in the file unless a "
                + "mismatch says otherwise",
            "late          \(late.grouped) stations after \(CrashPlan.secondsUntilWhole) s",
            "errors        \(totals.errors.grouped)",
            "mismatches    \(totals.mismatches.grouped)",
        ] + totals.wrong
    }

    private static func row(_ name: String, _ times: Latencies) -> [String] {
        [name, times.count.grouped] + [50, 99, 100].map(times.text)
    }
}
