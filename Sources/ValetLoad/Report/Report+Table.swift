/// A report as people read it: one line per measurement.
extension Report {
    func table() -> String {
        let head = ["", "p50", "p99", "n", "target", "met", "against"]
        let body = measurements.map(\.cells)
        let widths = head.indices.map { column in
            ([head] + body).map { $0[column].count }.max() ?? 0
        }
        let lines = ([head] + body).map { cells in
            let padded = cells.indices.map { column in
                Self.pad(cells[column], to: widths[column], isNumber: (1...3).contains(column))
            }
            return Self.trimmed(padded.joined(separator: "  "))
        }
        let load = loadBefore.map { ", load \(Measurement.Unit.digits($0)) before" } ?? ""
        let title =
            "\(rows.grouped) rows, seed \(seed), \(processors) processors\(load), \(system)"
        return ([title, ""] + lines + ["", verdict]).joined(separator: "\n")
    }

    private var verdict: String {
        let judged = measurements.filter { $0.isMet != nil }.count
        return missed.isEmpty
            ? "all \(judged) targets met"
            : "\(missed.count) of \(judged) targets missed: "
                + missed.map(\.name).joined(separator: "; ")
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
    /// Name, p50, p99, samples, target, whether it is met, and the rest.
    fileprivate var cells: [String] {
        let ratio = comparison.map { "\(Unit.times.text($0.ratio)) \($0.name)" }
        return [
            name, p50.map(unit.text) ?? "–", p99.map(unit.text) ?? "", samples.grouped,
            target.map { targetText($0) } ?? "",
            isMet.map { $0 ? "yes" : "NO" } ?? "",
            [ratio, note].compactMap { $0 }.joined(separator: "; "),
        ]
    }

    private func targetText(_ target: Target) -> String {
        switch (target.p50, target.p99) {
        case (let p50?, let p99?): "≤ \(unit.text(p50)), \(unit.text(p99))"
        case (let most?, nil), (nil, let most?): "≤ \(unit.text(most))"
        case (nil, nil): ""
        }
    }
}

extension Measurement.Unit {
    /// Three digits, in the unit that people would say.
    func text(_ value: Double) -> String {
        switch self {
        case .microseconds:
            if value < 1_000 { return "\(Self.digits(value)) µs" }
            if value < 1_000_000 { return "\(Self.digits(value / 1_000)) ms" }
            return "\(Self.digits(value / 1_000_000)) s"
        case .bytesPerRow: return "\(Self.digits(value)) B"
        case .times: return "\(Self.digits(value)) ×"
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

extension Int {
    /// `1204117` as `1,204,117`.
    var grouped: String {
        let digits = Array(String(magnitude))
        let text = digits.indices.map { index in
            let left = digits.count - index
            return (left % 3 == 0 && index > 0 ? "," : "") + String(digits[index])
        }.joined()
        return self < 0 ? "-" + text : text
    }
}
