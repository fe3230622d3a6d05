import Foundation
import ValetTerminal

/// A run's report as a page: figures at the top, then how they came about.
extension RunReport {
    func html() -> String {
        let heading = "\(plan.scenario.rawValue) of \(list)"
        let charts = [
            latencyCard, timesCard, throughputCard, bytesCard, memoryCard,
        ].compactMap(\.self)
        // The table fills the place that an odd number of charts leaves.
        let (inGrid, below) = charts.count % 2 == 1 ? (latencyTable, "") : ("", latencyTable)
        let body = """
            <h1>\(HTML.escaped(heading))</h1>
            <p class="sub">\(HTML.escaped(title))</p>
            <div class="tiles">
            \(tiles.joined(separator: "\n"))
            </div>
            <div class="charts">
            \(charts.joined(separator: "\n"))
            \(inGrid)
            </div>
            \(below)
            \(findings)
            \(factTable)
            """
        return HTML.page(title: "valet-load run: \(heading)", body: body)
    }

    private var tiles: [String] {
        func time(_ percent: Double) -> String {
            totals.all.text(percent)
        }
        return [
            Self.tile(FigureUnit.digits(perSecond), "requests a second"),
            Self.tile(time(50), "half are faster"), Self.tile(time(99), "99 in 100 are faster"),
            Self.tile(time(100), "the slowest"),
            Self.tile(
                totals.mismatches.grouped, "mismatches", totals.mismatches == 0 ? "good" : "bad"),
            Self.tile(totals.errors.grouped, "errors", totals.errors == 0 ? "good" : "bad"),
        ]
    }

    private static func tile(_ value: String, _ name: String, _ style: String = "") -> String {
        "<div class=\"card tile \(style)\"><b>\(HTML.escaped(value))</b>"
            + "<span>\(HTML.escaped(name))</span></div>"
    }

    private func card(_ title: String, _ content: String, legend: [(String, String)] = [])
        -> String
    {
        let names = legend.map { "<i class=\"\($0.0)\"></i>\(HTML.escaped($0.1))" }.joined()
        let right = legend.isEmpty ? "" : "<span class=\"legend\">\(names)</span>"
        return "<section class=\"card\">\(right)<h2>\(HTML.escaped(title))</h2>\n\(content)\n"
            + "</section>"
    }

    /// On a logarithmic scale with four steps for each doubling.
    private var latencyCard: String {
        let points = totals.all.bars(base: pow(2, 0.25)).flatMap { bar -> [(Double, Double?)] in
            // A gap, so that a single request can be told from none.
            if bar.count == 0 { return [(log10(bar.from), nil)] }
            return [bar.from, bar.to].map { (log10($0), Double(bar.count)) }
        }
        let marks = [("p50", 50), ("p99", 99)].compactMap { name, percent in
            totals.all.percentile(percent).map {
                (log10(max($0, 0.001)), "\(name) \(FigureUnit.microseconds.text($0))")
            }
        }
        let chart = Chart(
            title: "how many requests took how long",
            lines: [Chart.Line(style: "first", points: points, isFilled: true)], leastSpan: 0.3,
            ticks: Chart.microseconds, marks: marks, text: { Int($0).grouped })
        return card("How many requests took how long", chart.svg())
    }

    // MARK: - Over time

    /// Stretches of seconds, so that a day fits a chart.
    private var stretches: [(second: Double, moments: ArraySlice<Figures.Moment>)] {
        let moments = totals.moments
        let length = max(1, (moments.count + 239) / 240)
        return stride(from: 0, to: moments.count, by: length).map { start in
            (Double(start), moments[start..<min(start + length, moments.count)])
        }
    }

    private func line(
        _ style: String = "first", isFilled: Bool = false,
        _ value: (ArraySlice<Figures.Moment>) -> Double?
    ) -> Chart.Line {
        Chart.Line(
            style: style, points: stretches.map { ($0.second, value($0.moments)) },
            isFilled: isFilled)
    }

    private var timesCard: String {
        let chart = Chart(
            title: "percentiles of each second",
            lines: [
                line { moments in
                    let known = moments.compactMap(\.p50)
                    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
                },
                line("second") { $0.compactMap(\.p99).max() },
            ], scale: .logarithmic, text: FigureUnit.microseconds.text)
        return card(
            "Percentiles of each second", chart.svg(),
            legend: [("first", "p50"), ("second", "p99")])
    }

    private var throughputCard: String {
        let chart = Chart(
            title: "requests a second",
            lines: [
                line(isFilled: true) { moments in
                    Double(moments.reduce(0) { $0 + $1.requests }) / Double(moments.count)
                }
            ], text: FigureUnit.digits)
        return card("Requests a second", chart.svg())
    }

    private var bytesCard: String {
        let chart = Chart(
            title: "bytes of pages a second",
            lines: [
                line(isFilled: true) { moments in
                    Double(moments.reduce(0) { $0 + $1.bytes }) / Double(moments.count)
                }
            ], unit: unit { Double($0.bytes) }, text: { Self.size(Int($0)) })
        return card("Bytes of pages a second", chart.svg())
    }

    /// Bytes, KiB or MiB, whatever the largest value takes.
    private func unit(_ value: (Figures.Moment) -> Double) -> Double {
        let most = totals.moments.map(value).max() ?? 0
        return [1_048_576, 1_024].first { most >= $0 } ?? 1
    }

    /// nil if the server did not report its memory.
    private var memoryCard: String? {
        guard totals.moments.contains(where: { $0.memory != nil }) else { return nil }
        let chart = Chart(
            title: "server memory",
            lines: [
                line(isFilled: true) { $0.last?.memory.map { Double($0.resident) } }
            ], unit: unit { Double($0.memory?.resident ?? 0) },
            text: { Self.size(Int($0)) })
        return card("Server memory", chart.svg())
    }

    // MARK: - Tables

    private var latencyTable: String {
        let head = Self.latencyHead.map { "<th>\($0)</th>" }.joined()
        let rows = latencyRows.map { $0.map { "<td>\(HTML.escaped($0))</td>" }.joined() }
        return Self.table("Latencies", head: head, rows)
    }

    private var findings: String {
        let lines =
            totals.firstMismatches.map { ("mismatch", $0.description) }
            + totals.firstErrors.map { ("error", $0) }
        return lines.isEmpty ? "" : Self.table("First mismatches and errors", lines)
    }

    private var factTable: String {
        Self.table("Figures", facts.map { ($0.name, $0.value) } + notes.map { ("note", $0) })
    }

    private static func table(_ title: String, _ lines: [(String, String)]) -> String {
        table(
            title,
            lines.map { name, value in
                "<td>\(HTML.escaped(name))</td><td class=\"text\">\(HTML.escaped(value))</td>"
            })
    }

    private static func table(_ title: String, head: String = "", _ rows: [String]) -> String {
        "<section class=\"card wide\"><h2>\(HTML.escaped(title))</h2><div class=\"scroll\"><table>"
            + "<thead><tr>\(head)</tr></thead>\n<tbody>"
            + rows.map { "<tr>\($0)</tr>" }.joined(separator: "\n")
            + "</tbody></table></div></section>"
    }
}
