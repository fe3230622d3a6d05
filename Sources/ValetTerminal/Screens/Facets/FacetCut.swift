import ValetModel

/// How a column's values are put together to be counted.
enum FacetCut: Hashable, Sendable {
    case values
    case years
    case months
    case days
    /// Ranges that a person would choose; nil bounds are not known yet.
    case ranges([Double]?)

    var expression: SectionExpression {
        switch self {
        case .values: .wholeValue
        case .years: .year
        case .months: .month
        case .days: .day
        case .ranges(let bounds): .ranges(bounds: bounds ?? Self.scale)
        }
    }

    /// What there are so many of.
    func noun(_ count: Int) -> String {
        let noun =
            switch self {
            case .values: "value"
            case .years: "year"
            case .months: "month"
            case .days: "day"
            case .ranges: "range"
            }
        return count == 1 ? noun : noun + "s"
    }

    /// Why no more are picked.
    var pickOne: String {
        if case .ranges = self { return "Ranges can't be picked together: pick one" }
        return "These can't be picked together, and bytes not at all: pick one"
    }

    /// The cuts that a column can have, the usual one first.
    static func cuts(of column: ColumnDescription) -> [FacetCut] {
        switch column.type {
        case .date: [.months, .years, .days]
        case .integer, .real: [.values, .ranges(nil)]
        case .text, .boolean, .blob: [.values]
        }
    }

    /// The one that follows among those of the column; nil if there is no other.
    func next(of column: ColumnDescription) -> FacetCut? {
        let cuts = Self.cuts(of: column)
        guard cuts.count > 1 else { return nil }
        let place = cuts.firstIndex(of: withoutBounds) ?? 0
        return cuts[(place + 1) % cuts.count]
    }

    private var withoutBounds: FacetCut { if case .ranges = self { .ranges(nil) } else { self } }

    // MARK: Ranges

    /// Bounds so far apart that a few sections show where the numbers are.
    private static let scale: [Double] = {
        let positive = (-3...18).flatMap { exponent in
            [1, 2, 5].map { $0 * power(ofTen: exponent) }
        }
        return positive.reversed().map { -$0 } + [0] + positive
    }()

    private static func power(ofTen exponent: Int) -> Double {
        let power = (0..<abs(exponent)).reduce(1.0) { power, _ in power * 10 }
        return exponent < 0 ? 1 / power : power
    }

    /// Ten to twenty-five ranges of 1, 2 or 5 times a power of ten, where the sections of `scale`
    /// have numbers; fewer where whole numbers are nearer together.
    static func ranges(where titles: [String], areWhole: Bool) -> FacetCut {
        let spans = titles.compactMap(span)
        let least = spans.compactMap(\.from).min() ?? spans.compactMap(\.to).min() ?? 0
        let greatest = spans.compactMap(\.to).max() ?? spans.compactMap(\.from).max() ?? 1
        let wide = max(greatest - least, .leastNonzeroMagnitude)
        guard wide.isFinite else { return .ranges(scale) }
        // Where numbers are that large, neighbouring bounds must be different doubles.
        let finest = 4 * max(abs(least), abs(greatest)).ulp
        let steps = (-3...19).flatMap { exponent in [1, 2, 5].map { $0 * power(ofTen: exponent) } }
        let narrowest = max(finest, areWhole ? 1 : 0)
        let step = steps.first { wide / $0 <= 20 && $0 >= narrowest } ?? power(ofTen: 19)
        let first = (least / step).rounded(.down)
        let count = Int(min((wide / step).rounded(.up), 25))
        // Products of whole numbers, so that no bound is a little beside what it says.
        let bounds = (0...count).map { place in
            step < 1
                ? (first + Double(place)) / (1 / step).rounded() : (first + Double(place)) * step
        }
        return .ranges(bounds)
    }

    /// What the title of a section of ranges says; nil for `–`.
    static func span(_ title: String) -> (from: Double?, to: Double?)? {
        let ends = title.split(separator: " – ").map { Double($0) }
        if ends.count == 2, let from = ends[0], let to = ends[1] { return (from, to) }
        if title.hasPrefix("below ") { return (nil, Double(title.dropFirst(6))) }
        if title.hasSuffix(" and more") { return (Double(title.dropLast(9)), nil) }
        return nil
    }
}
