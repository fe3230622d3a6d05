import ValetTerminal

/// A run's report as people read it.
extension RunReport {
    func table() -> String {
        var lines = [title, ""] + latencies + [""]
        lines += facts.map { name, value in
            name + String(repeating: " ", count: max(1, Self.nameWidth - name.count)) + value
        }
        return TextTable.text(lines + totals.wrong + totals.notes.map { "note: \($0)" })
    }

    var title: String {
        let rate = plan.rate.map { "\(FigureUnit.digits($0)) requests/s asked for" }
        let parts = [
            "\(plan.scenario.rawValue) of \(list)", "\(plan.clients.grouped) clients",
            rate ?? "closed loop", "\(FigureUnit.digits(seconds)) s", "seed \(plan.seed)",
        ]
        return parts.joined(separator: ", ") + (wasStopped ? ", stopped" : "")
    }

    private static let nameWidth = 18
    /// As the table and JSON name them.
    static let percentiles: [(name: String, key: String, percent: Double)] = [
        ("p50", "p50", 50), ("p90", "p90", 90), ("p99", "p99", 99), ("p99.9", "p999", 99.9),
        ("max", "max", 100),
    ]

    /// Name, requests and percentiles: of all, and of each kind of which there are some.
    private var latencies: [String] {
        let kinds = Figures.Kind.allCases.compactMap { kind in
            totals.byKind[kind].map { (kind.rawValue, $0) }
        }
        var named = kinds.count == 1 ? kinds : [("all", totals.all)] + kinds
        if totals.shown.count > 0 { named.append(("shown", totals.shown)) }
        let head = ["", "requests"] + Self.percentiles.map(\.name)
        let rows = named.map { name, times in
            [name, times.count.grouped] + Self.percentiles.map { times.text($0.percent) }
        }
        return TextTable.lines([head] + rows) { $0 > 0 }
    }

    /// Names and values that follow the latencies, in the table.
    private var facts: [(name: String, value: String)] {
        var facts = [
            ("throughput", "\(FigureUnit.digits(perSecond)) requests/s"),
            ("errors", totals.errors.grouped),
            ("mismatches", totals.mismatches.grouped),
            (
                "checked",
                "\(totals.windowsChecked.grouped) windows, \(totals.rowsCompared.grouped) rows and "
                    + "\(totals.searchesCounted.grouped) searches against the file"
            ),
        ]
        if totals.superseded > 0 { facts.append(("overtaken", totals.superseded.grouped)) }
        if totals.cutOff > 0 {
            facts.append(("cut off", "\(totals.cutOff.grouped) clients that did not read"))
        }
        if let bytesPerRow {
            let all = FigureUnit.size(Double(totals.traffic.bytes))
            facts.append(
                ("wire", "\(FigureUnit.bytesPerRow.text(bytesPerRow)) a row, \(all) in all"))
        }
        return facts + memoryFacts
    }

    private var memoryFacts: [(String, String)] {
        guard let end = memory.end else {
            return [("server memory", "not known: the server did not say")]
        }
        let (now, highest) = (Double(end.resident), Double(end.peak))
        var facts = [
            (
                "server memory",
                "\(FigureUnit.size(now)), at its highest \(FigureUnit.size(highest))"
            )
        ]
        if let bytes = memory.bytesPerStation {
            facts.append(("a station takes", FigureUnit.size(bytes)))
        }
        if let slope = residentBytesPerHour {
            facts.append(("memory grows by", "\(FigureUnit.size(slope)) an hour"))
        }
        return facts
    }
}

extension Figures.Totals {
    /// A line for each of the first mismatches and errors.
    var wrong: [String] {
        func some(_ lines: [String], of count: Int) -> [String] {
            lines + (count > lines.count ? ["… \((count - lines.count).grouped) more"] : [])
        }
        return some(firstMismatches.map { "mismatch  \($0)" }, of: mismatches)
            + some(firstErrors.map { "error  \($0)" }, of: errors)
    }
}
