import ValetTerminal

/// A report as people read it: one line per measurement, under the headings of its parts.
extension BenchReport {
    func table() -> String {
        let head = ["", "p50", "p99", "n", "target", "met"]
        let rows = TextTable.lines([head] + measurements.map(\.cells)) {
            [1, 2, 3].contains($0)
        }
        .map { "  " + $0 }
        let body = zip(measurements, rows.dropFirst())
        var lines = title + ["", rows[0]]
        for part in [nil] + Measurement.Part.allCases {
            let ofPart = body.filter { $0.0.part == part }
            if let part, !ofPart.isEmpty { lines += ["", part.heading] }
            for (measurement, row) in ofPart {
                lines.append(row)
                lines += measurement.remarks.map { "      " + $0 }
            }
        }
        return TextTable.text(lines + [""] + verdict)
    }

    private var title: [String] {
        let load = loadBefore.map { ", load \(FigureUnit.digits($0)) before" } ?? ""
        return ["\(rows.grouped) rows, seed \(seed), \(processors) processors\(load), \(system)"]
    }

    private var verdict: [String] {
        let judged = measurements.filter { $0.isMet != nil }.count
        let first =
            missed.isEmpty
            ? "all \(judged) targets met" : "\(missed.count) of \(judged) targets missed:"
        return [first] + missed.map { "  \($0.name)" }
    }
}

extension Measurement {
    /// Name, p50, p99, samples, target, and whether it is met.
    fileprivate var cells: [String] {
        [
            name, p50.map(unit.text) ?? "–", p99.map(unit.text) ?? "", samples.grouped,
            target.map { targetText($0) } ?? "",
            isMet.map { $0 ? "yes" : "NO" } ?? "",
        ]
    }

    /// Too long for a column.
    fileprivate var remarks: [String] {
        let ratio = comparison.map { "\(FigureUnit.times.text($0.ratio)) \($0.name)" }
        return [ratio, note].compactMap { $0 }
    }

    private func targetText(_ target: Target) -> String {
        let sign = unit.isMoreBetter ? "≥" : "≤"
        return switch (target.p50, target.p99) {
        case (let p50?, let p99?): "\(sign) \(unit.text(p50)), \(unit.text(p99))"
        case (let bound?, nil), (nil, let bound?): "\(sign) \(unit.text(bound))"
        case (nil, nil): ""
        }
    }
}

extension Measurement.Part {
    fileprivate var heading: String {
        switch self {
        case .micro: "One operation in memory; p50 and p99 are of batches"
        case .open: "Opening a list, until its first 50 rows are here"
        case .lookup: "One client: windows of 50 rows, and look-ups"
        case .search: "Searching, until the exact count and the first 50 rows are here"
        case .ask: "Asking: conditions, values with their counts, aggregates"
        case .load: "50 clients at once, each with one request under way, or more"
        case .edit: "Changing rows, each commit durable"
        case .person: "A person at the full screen, over a slow link"
        case .bytes: "Bytes per row"
        case .sqlite: "SQLite alone, on the same file"
        }
    }
}
