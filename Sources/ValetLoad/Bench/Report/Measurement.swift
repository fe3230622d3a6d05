/// One figure of a report: what was measured, what came out, and what it should be.
struct Measurement: Hashable, Sendable {
    /// For programs; does not change when the words for people do.
    var id: String
    var name: String
    var unit = FigureUnit.microseconds
    /// How many requests, rows or runs the figure stands for.
    var samples: Int
    /// nil when it could not be measured; then `note` says why.
    var p50: Double?
    /// nil for what is a single figure.
    var p99: Double?
    var target: Target?
    var comparison: Comparison?
    var note: String?

    /// At most this much, in the measurement's unit; at least, where more is better.
    struct Target: Hashable, Sendable, Encodable {
        var p50: Double?
        var p99: Double?

        /// A bound for each request, tested at the 99th percentile.
        static func each(_ most: Double) -> Target { Target(p99: most) }
        static func figure(_ most: Double) -> Target { Target(p50: most) }
    }

    /// How many times the p50 of another measurement this one's is.
    struct Comparison: Hashable, Sendable, Encodable {
        var id: String
        var name: String
        var ratio: Double
    }

    /// nil without a target.
    var isMet: Bool? {
        guard let target else { return nil }
        return holds(p50, target.p50) && holds(p99, target.p99)
    }

    /// What was not measured meets no target.
    private func holds(_ value: Double?, _ bound: Double?) -> Bool {
        guard let bound else { return true }
        return value.map { unit.isMoreBetter ? $0 >= bound : $0 <= bound } ?? false
    }
}

extension Measurement {
    /// What kinds of figure there are, in the order of a report.
    enum Part: CaseIterable {
        case micro, open, lookup, search, ask, load, edit, person, bytes, sqlite
    }

    /// By the id up to its first dot.
    var part: Part? {
        switch id.prefix(while: { $0 != "." }) {
        case "micro": .micro
        case "open": .open
        case "window", "ping", "locate", "index", "jump": .lookup
        case "search": .search
        case "ask": .ask
        case "load": .load
        case "edit": .edit
        case "person": .person
        case "wire", "memory": .bytes
        case "sqlite": .sqlite
        case _: nil
        }
    }

    /// Of times.
    /// - Parameter percent: which percentile stands in the place of the 99th.
    init(
        _ id: String, _ name: String, _ latencies: Latencies, upTo percent: Double = 99,
        target: Target? = nil, note: String? = nil
    ) {
        self.init(
            id: id, name: name, samples: latencies.count, p50: latencies.percentile(50),
            p99: latencies.percentile(percent), target: target, note: note)
    }

    /// Of values that are no times of requests.
    init(
        _ id: String, _ name: String, of values: [Double], _ unit: FigureUnit,
        samples: Int? = nil, note: String? = nil
    ) {
        let sorted = values.sorted()
        self.init(
            id: id, name: name, unit: unit, samples: samples ?? values.count, p50: values.median,
            p99: sorted.isEmpty ? nil : sorted[(sorted.count - 1) * 99 / 100], note: note)
    }

    /// A single figure.
    init(
        _ id: String, _ name: String, _ figure: Double?, _ unit: FigureUnit, of samples: Int,
        target: Target? = nil, note: String? = nil
    ) {
        self.init(
            id: id, name: name, unit: unit, samples: samples, p50: figure, target: target,
            note: note)
    }

    /// The same, beside another measurement of the same work.
    func compared(with other: Measurement?) -> Measurement {
        guard let other, let mine = p50, let theirs = other.p50, theirs > 0 else { return self }
        var compared = self
        compared.comparison = Comparison(id: other.id, name: other.name, ratio: mine / theirs)
        return compared
    }
}

/// All figures of one run, and what they were measured on.
struct BenchReport: Hashable, Sendable {
    var rows: Int
    var seed: UInt64
    var system: String
    var processors: Int
    /// The machine's load average before the run; nil if unknown.
    var loadBefore: Double?
    var measurements: [Measurement] = []

    subscript(id: String) -> Measurement? { measurements[id] }

    var missed: [Measurement] { measurements.filter { $0.isMet == false } }
}

extension [Measurement] {
    subscript(id: String) -> Measurement? { first { $0.id == id } }
}

extension [Double] {
    /// nil when there are none.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
