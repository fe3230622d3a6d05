import ValetModel

/// The numbers that a condition accepts, exact across integers and reals.
struct AcceptedNumbers: Hashable, Sendable {
    private var integers = AcceptedRanges<Int64>()
    private var reals = AcceptedRanges<Double>()

    mutating func add(_ comparison: Comparison, _ number: Int64) {
        integers.add(
            comparison, in: .min ... .max,
            Edges(
                below: number == .min ? nil : number - 1, atMost: number, atLeast: number,
                above: number == .max ? nil : number + 1))
        // The nearest real may lie on either side.
        let real = Double(number)
        let order = NumberOrder.compare(number, real)
        reals.add(
            comparison, in: -.infinity ... .infinity,
            Edges(
                below: order > 0 ? real : real.nextDown, atMost: order < 0 ? real.nextDown : real,
                atLeast: order > 0 ? real.nextUp : real, above: order < 0 ? real : real.nextUp))
    }

    /// NaN is no number: nothing compares with it.
    mutating func add(_ comparison: Comparison, _ real: Double) {
        if real.isNaN { return }
        reals.add(
            comparison, in: -.infinity ... .infinity,
            Edges(
                below: real == -.infinity ? nil : real.nextDown, atMost: real, atLeast: real,
                above: real == .infinity ? nil : real.nextUp))
        let isWhole = Int64(exactly: real) != nil
        let atMost = Self.integer(real.rounded(.down), otherwise: real > 0 ? .max : nil)
        let atLeast = Self.integer(real.rounded(.up), otherwise: real < 0 ? .min : nil)
        integers.add(
            comparison, in: .min ... .max,
            Edges(
                below: isWhole ? atMost.flatMap { $0 == .min ? nil : $0 - 1 } : atMost,
                atMost: atMost, atLeast: atLeast,
                above: isWhole ? atLeast.flatMap { $0 == .max ? nil : $0 + 1 } : atLeast))
    }

    /// The numbers that are shown as a text of this folded form, if there are some: `8001`, but
    /// not `08001`. So a text finds the numbers by whose `Cell.writings` it is found.
    mutating func add(writtenAs folded: [UInt8]) {
        let text = String(decoding: folded, as: UTF8.self)
        if let number = Int64(text), String(number) == text {
            add(.isOneOf, number)
        } else if let real = Double(text), String(real) == text {
            add(.isOneOf, real)
        }
    }

    private static func integer(_ real: Double, otherwise beyond: Int64?) -> Int64? {
        Int64(exactly: real) ?? beyond
    }

    mutating func sort() {
        integers.sort()
        reals.sort()
    }

    var ofIntegers: [ClosedRange<Int64>] { integers.ranges }

    /// Numbers whose quotients by the scale's power of ten are accepted.
    func ofDecimals(scale: Int) -> [ClosedRange<Int64>] {
        let all = -Decimals.end..<Decimals.end
        let power = Decimals.powers[scale]
        return reals.ranges.compactMap { range in
            let least = all.firstNotBefore { Double($0) / power < range.lowerBound }
            let end = all.firstNotBefore { Double($0) / power <= range.upperBound }
            return least < end ? least...(end - 1) : nil
        }
    }

    func contains(_ number: Int64) -> Bool { integers.contains(number) }
    func contains(_ real: Double) -> Bool { reals.contains(real) }
}

/// The dates that a condition accepts, by what clocks show.
struct AcceptedDates: Hashable, Sendable {
    private var seconds = AcceptedRanges<Int64>()
    private let zone: ZoneClock?

    init(zone: ZoneClock?) { self.zone = zone }

    var isEmpty: Bool { seconds.isEmpty }

    /// The numbers that are accepted; nil if a zone's clocks show other ones than are stored.
    var ofIntegers: [ClosedRange<Int64>]? { zone == nil ? seconds.ranges : nil }

    mutating func add(_ comparison: Comparison, _ span: Range<Int64>) {
        seconds.add(
            comparison, in: .min ... .max,
            Edges(
                below: span.lowerBound - 1, atMost: span.upperBound - 1,
                atLeast: span.lowerBound, above: span.upperBound))
    }

    mutating func sort() { seconds.sort() }

    func contains(_ number: Int64) -> Bool {
        seconds.contains(WallTime.second(of: number, in: zone))
    }

    func contains(_ real: Double) -> Bool {
        WallTime.second(of: real, in: zone).map(seconds.contains) ?? false
    }

    func contains(_ raw: UnsafeRawBufferPointer) -> Bool {
        WallTime.second(ofISO8601: raw, in: zone).map(seconds.contains) ?? false
    }
}

/// The texts that a condition accepts, by their folded forms.
struct AcceptedTexts: Hashable, Sendable {
    /// By length, then by bytes: a text of another length is told apart without a look at it.
    private var oneOf: [[UInt8]] = []
    private var bound: Bound?

    private struct Bound: Hashable {
        let comparison: Comparison
        let text: [UInt8]
    }

    mutating func add(_ comparison: Comparison, _ folded: [UInt8]) {
        switch comparison {
        case .isOneOf, .isNoneOf: oneOf.append(folded)
        case .below, .atMost, .above, .atLeast:
            bound = Bound(comparison: comparison, text: folded)
        case .contains, .beginsWith, .isMissing, .isPresent, .between, .doesNotContain: break
        }
    }

    /// For `contains`; equal conditions have equal texts.
    mutating func sort() {
        oneOf = Set(oneOf).sorted { one, other in
            other.withUnsafeBytes { Self.compare(one, $0) < 0 }
        }
    }

    private static func compare(_ text: [UInt8], _ other: UnsafeRawBufferPointer) -> Int {
        guard text.count == other.count else { return text.count - other.count }
        return text.withUnsafeBytes { compareBytes($0, other) }
    }

    func contains(_ folded: UnsafeRawBufferPointer) -> Bool {
        if !oneOf.isEmpty {
            let place = (0..<oneOf.count).firstNotBefore { Self.compare(oneOf[$0], folded) < 0 }
            return place < oneOf.count && Self.compare(oneOf[place], folded) == 0
        }
        guard let bound else { return false }
        let order = bound.text.withUnsafeBytes { compareBytes(folded, $0) }
        return switch bound.comparison {
        case .below: order < 0
        case .atMost: order <= 0
        case .above: order > 0
        case .atLeast: order >= 0
        case .isOneOf, .isNoneOf, .contains, .beginsWith, .isMissing, .isPresent, .between,
            .doesNotContain:
            false
        }
    }
}

/// The values around the one that is compared with; nil beyond the least and the greatest.
private struct Edges<Value> {
    let below: Value?
    let atMost: Value?
    let atLeast: Value?
    let above: Value?
}

private struct AcceptedRanges<Value: Comparable & Hashable & Sendable>: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<Value>] = []

    var isEmpty: Bool { ranges.isEmpty }

    mutating func add(_ comparison: Comparison, in all: ClosedRange<Value>, _ edges: Edges<Value>) {
        let range: ClosedRange<Value>? =
            switch comparison {
            case .isOneOf, .isNoneOf:
                if let least = edges.atLeast, let most = edges.atMost, least <= most {
                    least...most
                } else {
                    nil
                }
            case .below: edges.below.map { all.lowerBound...$0 }
            case .atMost: edges.atMost.map { all.lowerBound...$0 }
            case .above: edges.above.map { $0...all.upperBound }
            case .atLeast: edges.atLeast.map { $0...all.upperBound }
            case .contains, .beginsWith, .isMissing, .isPresent, .between, .doesNotContain: nil
            }
        if let range { ranges.append(range) }
    }

    /// For `contains`: joins what overlaps, so that equal conditions are one.
    mutating func sort() {
        ranges.sort { $0.lowerBound < $1.lowerBound }
        var joined: [ClosedRange<Value>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        ranges = joined
    }

    @inline(__always)
    func contains(_ value: Value) -> Bool {
        let place = (0..<ranges.count).firstNotBefore { ranges[$0].upperBound < value }
        return place < ranges.count && ranges[place].lowerBound <= value
    }
}
