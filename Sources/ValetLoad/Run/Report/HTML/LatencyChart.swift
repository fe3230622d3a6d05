import Foundation
import ValetTerminal

/// How many requests took how long, on a scale of powers.
struct LatencyChart {
    var times: Latencies
    /// Microseconds that are marked, with a name.
    var marks: [(name: String, value: Double)]

    /// Eight bars for each doubling would be ragged, two too coarse.
    private static let base = pow(2, 0.25)

    func svg() -> String {
        let bars = times.bars(base: Self.base)
        guard let first = bars.first, let last = bars.last,
            let most = bars.map(\.count).max(), most > 0
        else {
            return Chart.frame(
                "latencies", Chart.label("nothing to show", x: Chart.width / 2, y: 100))
        }
        let low = log10(first.from)
        let high = max(log10(last.to), low + 0.3)
        func x(_ value: Double) -> Double {
            Chart.left + (log10(value) - low) / (high - low) * (Chart.right - Chart.left)
        }
        let axis = Axis(.linear, least: 0, most: Double(most), unit: 1)
        var parts = grid(axis)
        for bar in bars where bar.count > 0 {
            let share = axis.place(of: Double(bar.count))
            // What is there can be seen, be it one in a million.
            let height = max(share * (Chart.bottom - Chart.top), 1)
            let unit = FigureUnit.microseconds
            parts.append(
                "<rect class=\"bar\" x=\"\(Chart.number(x(bar.from) + 0.5))\" "
                    + "y=\"\(Chart.number(Chart.bottom - height))\" "
                    + "width=\"\(Chart.number(max(x(bar.to) - x(bar.from) - 1, 1)))\" "
                    + "height=\"\(Chart.number(height))\"><title>\(bar.count.grouped) took "
                    + "\(unit.text(bar.from)) to \(unit.text(bar.to))</title></rect>")
        }
        parts += decades(from: low, to: high).map { value in
            Chart.label(
                FigureUnit.microseconds.text(value), x: x(value), y: Chart.bottom + 18)
        }
        parts += markers(x)
        return Chart.frame("how many requests took how long", parts.joined(separator: "\n"))
    }

    private func grid(_ axis: Axis) -> [String] {
        axis.ticks.map { tick in
            let y = Chart.y(axis.place(of: tick))
            return "<line class=\"grid\" x1=\"\(Chart.number(Chart.left))\" y1=\"\(y)\" "
                + "x2=\"\(Chart.number(Chart.right))\" y2=\"\(y)\"/>"
                + "<text class=\"axis end\" x=\"\(Chart.number(Chart.left - 8))\" y=\"\(y)\" "
                + "dy=\"0.32em\">\(Int(tick).grouped)</text>"
        }
    }

    /// Powers of ten, with halves and fifths of them where there is room.
    private func decades(from low: Double, to high: Double) -> [Double] {
        let factors: [Double] = high - low > 3 ? [1] : high - low > 1.5 ? [1, 3] : [1, 2, 5]
        return (Int(low.rounded(.down))...Int(high.rounded(.up))).flatMap { power in
            factors.map { $0 * pow(10, Double(power)) }
        }.filter { log10($0) >= low && log10($0) <= high }
    }

    /// Labels stand one below the other, so that near ones don't cover each other.
    private func markers(_ x: (Double) -> Double) -> [String] {
        marks.enumerated().map { index, mark in
            let place = x(mark.value)
            let isFarRight = place > Chart.right - 90
            return "<line class=\"mark\" x1=\"\(Chart.number(place))\" "
                + "y1=\"\(Chart.number(Chart.top))\" x2=\"\(Chart.number(place))\" "
                + "y2=\"\(Chart.number(Chart.bottom))\"/>"
                + "<text class=\"axis strong\(isFarRight ? " end" : "")\" "
                + "x=\"\(Chart.number(isFarRight ? place - 5 : place + 5))\" "
                + "y=\"\(Chart.number(Chart.top + 10 + Double(index) * 15))\">"
                + "\(HTML.escaped(mark.name)) "
                + "\(FigureUnit.microseconds.text(mark.value))</text>"
        }
    }
}
