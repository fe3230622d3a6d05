import Foundation
import ValetTerminal

/// A chart as inline SVG: an axis at the left, one below, and lines between them. Colours are the
/// page's, so that it follows light and dark.
struct Chart {
    struct Line {
        /// The class that gives it its colour.
        var style: String
        /// x and y; the line has a gap where a point has no y.
        var points: [(x: Double, y: Double?)]
        var isFilled = false
    }

    /// How values become heights, and which of them are written at the axis.
    enum Scale {
        case linear
        /// For values of different sizes, none of which may vanish beside the largest.
        case logarithmic
    }

    typealias Ticks = (ClosedRange<Double>) -> [(x: Double, text: String)]

    var title: String
    var lines: [Line]
    var scale = Scale.linear
    /// What values are round in: bytes are in 1,024 of something.
    var unit = 1.0
    /// The least width of the axis below.
    var leastSpan = 1.0
    /// What is written at the axis below.
    var ticks: Ticks = Self.seconds
    /// Places that are marked, with a name.
    var marks: [(x: Double, text: String)] = []
    /// How a value of the left axis is written.
    var text: (Double) -> String

    private static let width = 560.0
    private static let height = 200.0
    private static let left = 62.0
    private static let right = 550.0
    private static let top = 12.0
    private static let bottom = 172.0

    func svg() -> String {
        let points = lines.flatMap(\.points)
        let values = points.compactMap(\.y)
        guard let most = values.max(), let least = values.min(), let first = points.map(\.x).min(),
            let last = points.map(\.x).max()
        else { return frame([Self.label("nothing to show", x: Self.width / 2, y: 100)]) }
        let axis = Axis(scale, least: least, most: most, unit: unit)
        let span = first...max(last, first + leastSpan)
        func x(_ value: Double) -> Double {
            let share = (value - span.lowerBound) / (span.upperBound - span.lowerBound)
            return Self.left + share * (Self.right - Self.left)
        }
        return frame(
            grid(axis)
                + ticks(span).map { Self.label($0.text, x: x($0.x), y: Self.bottom + 18) }
                + lines.flatMap { draw($0, axis, x) } + markers(x))
    }

    private func frame(_ content: [String]) -> String {
        "<svg viewBox=\"0 0 \(Self.number(Self.width)) \(Self.number(Self.height))\" role=\"img\" "
            + "aria-label=\"\(HTML.escaped(title))\">\n\(content.joined(separator: "\n"))\n</svg>"
    }

    private func grid(_ axis: Axis) -> [String] {
        axis.ticks.map { tick in
            let y = Self.y(axis.place(of: tick))
            return "<line class=\"grid\" x1=\"\(Self.number(Self.left))\" y1=\"\(y)\" "
                + "x2=\"\(Self.number(Self.right))\" y2=\"\(y)\"/>"
                + "<text class=\"axis end\" x=\"\(Self.number(Self.left - 8))\" y=\"\(y)\" "
                + "dy=\"0.32em\">\(HTML.escaped(text(tick)))</text>"
        }
    }

    private func draw(_ line: Line, _ axis: Axis, _ x: (Double) -> Double) -> [String] {
        let floor = Self.number(Self.bottom)
        var (areas, path) = ("", "")
        for run in line.points.split(whereSeparator: { $0.y == nil }) {
            let places = run.map { (Self.number(x($0.x)), Self.y(axis.place(of: $0.y ?? 0))) }
            let part = places.map { "\($0.0) \($0.1)" }.joined(separator: "L")
            path += "M" + part
            areas += "M\(part)L\(places[places.count - 1].0) \(floor)L\(places[0].0) \(floor)Z"
        }
        return (line.isFilled ? ["<path class=\"area \(line.style)\" d=\"\(areas)\"/>"] : [])
            + ["<path class=\"line \(line.style)\" d=\"\(path)\"/>"]
    }

    /// Their names stand one below the other, so that near ones don't cover each other.
    private func markers(_ x: (Double) -> Double) -> [String] {
        marks.enumerated().map { index, mark in
            let place = x(mark.x)
            let isFarRight = place > Self.right - 90
            return "<line class=\"mark\" x1=\"\(Self.number(place))\" "
                + "y1=\"\(Self.number(Self.top))\" x2=\"\(Self.number(place))\" "
                + "y2=\"\(Self.number(Self.bottom))\"/>"
                + "<text class=\"axis strong\(isFarRight ? " end" : "")\" "
                + "x=\"\(Self.number(isFarRight ? place - 5 : place + 5))\" "
                + "y=\"\(Self.number(Self.top + 10 + Double(index) * 15))\">"
                + "\(HTML.escaped(mark.text))</text>"
        }
    }

    private static func label(_ text: String, x: Double, y: Double) -> String {
        "<text class=\"axis middle\" x=\"\(number(x))\" y=\"\(number(y))\">"
            + "\(HTML.escaped(text))</text>"
    }

    /// From the share of the axis, 0 at the bottom.
    private static func y(_ share: Double) -> String {
        number(bottom - share * (bottom - top))
    }

    private static func number(_ value: Double) -> String {
        String(format: "%.1f", value)
    }
}

// MARK: - The axis below

extension Chart {
    static func seconds(_ span: ClosedRange<Double>) -> [(x: Double, text: String)] {
        stride(from: 0, through: span.upperBound, by: Axis.step(for: span.upperBound, most: 8))
            .map { ($0, $0 == 0 ? "0" : "\(FigureUnit.digits($0)) s") }
    }

    /// For logarithms of microseconds: powers of ten, with parts of them where there is room.
    static func microseconds(_ span: ClosedRange<Double>) -> [(x: Double, text: String)] {
        let width = span.upperBound - span.lowerBound
        let factors: [Double] = width > 3 ? [1] : width > 1.5 ? [1, 3] : [1, 2, 5]
        let powers = Int(span.lowerBound.rounded(.down))...Int(span.upperBound.rounded(.up))
        return powers.flatMap { power in factors.map { $0 * pow(10, Double(power)) } }
            .map { (log10($0), FigureUnit.microseconds.text($0)) }
            .filter { span.contains($0.0) }
    }
}

/// Where values stand at a chart's left edge.
struct Axis {
    let ticks: [Double]
    private let scale: Chart.Scale
    private let low: Double
    private let high: Double

    init(_ scale: Chart.Scale, least: Double, most: Double, unit: Double) {
        self.scale = scale
        switch scale {
        case .linear:
            let step = Self.step(for: max(most / unit, 1e-9), most: 4) * unit
            low = 0
            high = (most / step).rounded(.up) * step
            ticks = stride(from: 0, through: high + step / 2, by: step).map(\.self)
        case .logarithmic:
            low = log10(max(least, 1e-3)).rounded(.down)
            high = max(log10(max(most, 1e-3)).rounded(.up), low + 1)
            ticks = stride(from: low, through: high, by: 1).map { pow(10, $0) }
        }
    }

    /// 0 at the bottom, 1 at the top.
    func place(of value: Double) -> Double {
        switch scale {
        case .linear: high > low ? (value - low) / (high - low) : 0
        case .logarithmic: (log10(max(value, 1e-3)) - low) / (high - low)
        }
    }

    /// 1, 2 or 5 of some power of ten, so that at most `most` of them make `span`.
    static func step(for span: Double, most: Double) -> Double {
        let least = span / most
        let power = pow(10, log10(least).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999 } ?? power * 10
    }
}
