import ValetTerminal

/// A report as people read it: one line per measurement, under the headings of its parts.
extension Report {
    func table() -> String {
        let head = ["", "p50", "p99", "n", "target", "met", earlier == nil ? "" : "change"]
        let body = measurements.map(\.cells)
        let widths = head.indices.map { column in
            ([head] + body).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                Self.pad(
                    cells[column], to: widths[column], isNumber: [1, 2, 3, 6].contains(column))
            }
            return Self.trimmed("  " + padded.joined(separator: "  "))
        }
        var lines = title + ["", line(head)]
        for part in [nil] + Measurement.Part.allCases {
            let rows = measurements.filter { $0.part == part }
            if let part, !rows.isEmpty { lines += ["", part.heading] }
            for row in rows {
                lines.append(line(row.cells))
                lines += row.remarks.map { "      " + $0 }
            }
        }
        return (lines + [""] + verdict).map { Sanitizer().line(of: $0) }.joined(separator: "\n")
    }

    private var title: [String] {
        let load = loadBefore.map { ", load \(Measurement.Unit.digits($0)) before" } ?? ""
        let first = "\(rows.grouped) rows, seed \(seed), \(processors) processors\(load), \(system)"
        return [first] + (earlier.map { ["change of p50 against \($0)"] } ?? [])
    }

    private var verdict: [String] {
        let judged = measurements.filter { $0.isMet != nil }.count
        var lines = [
            missed.isEmpty
                ? "all \(judged) targets met"
                : "\(missed.count) of \(judged) targets missed:"
        ]
        lines += missed.map { "  \($0.name)" }
        if !worse.isEmpty { lines += ["worse than before, by more than noise:"] }
        return lines + worse.map { "  \($0.name)" }
    }

    private static func pad(_ text: String, to width: Int, isNumber: Bool) -> String {
        let blanks = String(repeating: " ", count: width - text.count)
        return isNumber ? blanks + text : text + blanks
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension Measurement {
    /// Name, p50, p99, samples, target, whether it is met, and the change.
    fileprivate var cells: [String] {
        [
            name, p50.map(unit.text) ?? "–", p99.map(unit.text) ?? "", samples.grouped,
            target.map { targetText($0) } ?? "",
            isMet.map { $0 ? "yes" : "NO" } ?? "",
            change.map(\.text) ?? "",
        ]
    }

    /// Too long for a column.
    fileprivate var remarks: [String] {
        let ratio = comparison.map { "\(Unit.times.text($0.ratio)) \($0.name)" }
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
        case .load: "50 clients at once, each with one request under way"
        case .bytes: "Bytes per row"
        case .sqlite: "SQLite alone, on the same file"
        }
    }
}

extension Change {
    /// `+12%`, with a mark if that is worse.
    fileprivate var text: String {
        let percent = Int((part * 100).rounded())
        return (isWorse ? "! " : "") + (percent > 0 ? "+" : "") + "\(percent)%"
    }
}

extension Measurement.Unit {
    /// Three digits, in the unit that people would say.
    func text(_ value: Double) -> String {
        switch self {
        case .microseconds:
            if value > 0, value < 1 { return "\(Self.digits(value * 1_000)) ns" }
            if value < 1_000 { return "\(Self.digits(value)) µs" }
            if value < 1_000_000 { return "\(Self.digits(value / 1_000)) ms" }
            return "\(Self.digits(value / 1_000_000)) s"
        case .bytesPerRow: return "\(Self.digits(value)) B"
        case .times: return "\(Self.digits(value)) ×"
        case .perSecond: return "\(Self.digits(value))/s"
        }
    }

    static func digits(_ value: Double) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let scale = [1.0, 10.0, 100.0][decimals]
        let scaled = (value * scale).rounded()
        guard decimals > 0 else { return Int(scaled).grouped }
        // 2.00 says no more than 2.
        let parts = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
        if parts.remainder == 0 { return parts.quotient.grouped }
        let fraction = String(parts.remainder)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(parts.quotient).\(zeros)\(fraction)"
    }
}
