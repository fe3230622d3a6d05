import Foundation

/// A chart as inline SVG: an axis at the left, one below, and lines or bars between them. Colours
/// are the page's, so that it follows light and dark.
struct Chart {
    struct Line {
        var name: String
        /// The class that gives it its colour.
        var style: String
        /// x and y; points without a y are left out, and the line has a gap there.
        var points: [(x: Double, y: Double?)]
        var isFilled = false
    }

    /// How values become heights, and which of them are written at the axis.
    enum Scale {
        case linear
        /// For values of different sizes, none of which may vanish beside the largest.
        case logarithmic
    }

    var title: String
    var lines: [Line]
    var scale = Scale.linear
    /// What values are round in: bytes are in 1,024 of something.
    var unit = 1.0
    /// How a value of the left axis is written.
    var text: (Double) -> String

    static let width = 560.0
    static let height = 200.0
    static let left = 62.0
    static let right = 550.0
    static let top = 12.0
    static let bottom = 172.0

    func svg() -> String {
        let points = lines.flatMap(\.points)
        let values = points.compactMap(\.y)
        guard let most = values.max(), let least = values.min(), let lastX = points.map(\.x).max()
        else { return Self.frame(title, Self.label("nothing to show", x: Self.width / 2, y: 100)) }
        let axis = Axis(scale, least: least, most: most, unit: unit)
        var parts = grid(axis, seconds: max(lastX, 1))
        for line in lines { parts += draw(line, axis, seconds: max(lastX, 1)) }
        return Self.frame(title, parts.joined(separator: "\n"))
    }

    private func grid(_ axis: Axis, seconds: Double) -> [String] {
        let values = axis.ticks.map { tick in
            let y = Self.y(axis.place(of: tick))
            return "<line class=\"grid\" x1=\"\(Self.number(Self.left))\" y1=\"\(y)\" "
                + "x2=\"\(Self.number(Self.right))\" y2=\"\(y)\"/>"
                + "<text class=\"axis end\" x=\"\(Self.number(Self.left - 8))\" y=\"\(y)\" "
                + "dy=\"0.32em\">\(HTML.escaped(text(tick)))</text>"
        }
        let step = Axis.step(for: seconds, most: 8)
        let times = stride(from: 0, through: seconds, by: step).map { second in
            Self.label(
                second == 0 ? "0" : "\(FigureUnit.digits(second)) s",
                x: Self.left + second / seconds * (Self.right - Self.left),
                y: Self.bottom + 18)
        }
        return values + times
    }

    private func draw(_ line: Line, _ axis: Axis, seconds: Double) -> [String] {
        var path = ""
        var runs: [(start: Double, end: Double)] = []
        var isDown = false
        for point in line.points {
            guard let y = point.y else {
                isDown = false
                continue
            }
            let x = Self.left + point.x / seconds * (Self.right - Self.left)
            path += "\(isDown ? "L" : "M")\(Self.number(x)) \(Self.y(axis.place(of: y)))"
            if isDown { runs[runs.count - 1].end = x } else { runs.append((x, x)) }
            isDown = true
        }
        var parts: [String] = []
        // One point alone has no length.
        if line.isFilled, runs.count == 1, let run = runs.first, run.end > run.start {
            let floor = Self.number(Self.bottom)
            parts.append(
                "<path class=\"area \(line.style)\" d=\"\(path)L\(Self.number(run.end)) \(floor)"
                    + "L\(Self.number(run.start)) \(floor)Z\"/>")
        }
        return parts + ["<path class=\"line \(line.style)\" d=\"\(path)\"/>"]
    }

    // MARK: - Parts that charts share

    static func frame(_ title: String, _ content: String) -> String {
        "<svg viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" "
            + "aria-label=\"\(HTML.escaped(title))\">\n\(content)\n</svg>"
    }

    static func label(_ text: String, x: Double, y: Double) -> String {
        "<text class=\"axis middle\" x=\"\(number(x))\" y=\"\(number(y))\">"
            + "\(HTML.escaped(text))</text>"
    }

    /// From the share of the axis, 0 at the bottom.
    static func y(_ share: Double) -> String {
        number(bottom - share * (bottom - top))
    }

    static func number(_ value: Double) -> String {
        String(format: "%.1f", value)
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
