import ValetTerminal

/// What a figure counts, and how people read it.
enum FigureUnit: String, Sendable {
    case microseconds
    case bytesPerRow
    case bytes
    case count
    /// One figure in terms of another.
    case times
    case perSecond

    /// True when a larger figure is the better one.
    var isMoreBetter: Bool { self == .perSecond }

    /// Three digits, in the unit that people would say.
    func text(_ value: Double) -> String {
        switch self {
        case .microseconds:
            if value > 0, value < 1 { return "\(Self.digits(value * 1_000)) ns" }
            if value < 1_000 { return "\(Self.digits(value)) µs" }
            if value < 1_000_000 { return "\(Self.digits(value / 1_000)) ms" }
            return "\(Self.digits(value / 1_000_000)) s"
        case .bytesPerRow: return "\(Self.digits(value)) B"
        case .bytes: return Self.size(value, plainBelow: 10_000)
        case .count: return Self.digits(value)
        case .times: return "\(Self.digits(value)) ×"
        case .perSecond: return "\(Self.digits(value))/s"
        }
    }

    /// - Parameter plainBelow: fewer bytes than this are no KiB.
    static func size(_ bytes: Double, plainBelow: Double = 1_024) -> String {
        if bytes < 0 { return "−" + size(-bytes, plainBelow: plainBelow) }
        if bytes < plainBelow { return "\(digits(bytes)) B" }
        if bytes < 1_048_576 { return "\(digits(bytes / 1_024)) KiB" }
        return "\(digits(bytes / 1_048_576)) MiB"
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
