import ValetTerminal

/// A run's report as people read it.
extension RunReport {
    func table() -> String {
        var lines =
            [title, ""] + latencies + [""]
            + facts.map { name, value in
                name + String(repeating: " ", count: max(1, Self.nameWidth - name.count)) + value
            }
        for mismatch in totals.firstMismatches { lines.append("mismatch  \(mismatch)") }
        if totals.mismatches > totals.firstMismatches.count {
            lines.append("… \((totals.mismatches - totals.firstMismatches.count).grouped) more")
        }
        for error in totals.firstErrors { lines.append("error  \(error)") }
        if totals.errors > totals.firstErrors.count {
            lines.append("… \((totals.errors - totals.firstErrors.count).grouped) more")
        }
        lines += notes.map { "note: \($0)" }
        return TextTable.text(lines)
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
    static let latencyHead = ["", "requests", "p50", "p90", "p99", "p99.9", "max"]
    private static let percents = [50, 90, 99, 99.9, 100]

    /// Name, requests and percentiles: of all, and of each kind of which there are some.
    var latencyRows: [[String]] {
        let kinds = Figures.Kind.allCases.compactMap { kind in
            totals.byKind[kind].map { (kind.rawValue, $0) }
        }
        var named = kinds.count == 1 ? kinds : [("all", totals.all)] + kinds
        if totals.shown.count > 0 { named.append(("shown", totals.shown)) }
        return named.map { name, times in
            [name, times.count.grouped] + Self.percents.map(times.text)
        }
    }

    private var latencies: [String] {
        TextTable.lines([Self.latencyHead] + latencyRows) { $0 > 0 }
    }

    /// Names and values that follow the latencies, in the table.
    var facts: [(name: String, value: String)] {
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
            facts.append(
                (
                    "wire",
                    "\(FigureUnit.bytesPerRow.text(bytesPerRow)) a row, "
                        + "\(Self.size(totals.traffic.bytes)) in all"
                ))
        }
        return facts + memoryFacts
    }

    private var memoryFacts: [(String, String)] {
        guard let end = memory.end else {
            return [("server memory", "not known: the server did not say")]
        }
        var facts = [
            (
                "server memory",
                "\(Self.size(end.resident)), at its highest \(Self.size(end.peak))"
            )
        ]
        if let bytes = memory.bytesPerStation {
            facts.append(("a station takes", Self.size(Int(bytes))))
        }
        if let slope = residentBytesPerHour {
            facts.append(("memory grows by", "\(Self.size(Int(slope))) an hour"))
        }
        return facts
    }

    static func size(_ bytes: Int) -> String {
        let magnitude = Double(bytes.magnitude)
        let sign = bytes < 0 ? "−" : ""
        if magnitude < 1_024 { return "\(bytes) B" }
        if magnitude < 1_048_576 {
            return sign + "\(FigureUnit.digits(magnitude / 1_024)) KiB"
        }
        return sign + "\(FigureUnit.digits(magnitude / 1_048_576)) MiB"
    }
}
