/// Rules for the values of a column. NULL breaks none of them; `isRequired` refuses it.
public struct ColumnRules: Hashable, Sendable {
    /// Bounds, inclusive: of numbers; or of moments, in minutes (see `Moment`).
    public var minimum: Double?
    public var maximum: Double?
    /// Characters of a text, as a person counts them.
    public var maxLength: Int?
    /// The only values allowed; empty if all are.
    public var choices: [Cell]
    /// Moments must be at multiples of so many minutes, a divisor of 60.
    public var interval: Int?

    public init(
        minimum: Double? = nil, maximum: Double? = nil, maxLength: Int? = nil, choices: [Cell] = [],
        interval: Int? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.maxLength = maxLength
        self.choices = choices
        self.interval = interval
    }

    public static let none = ColumnRules()

    public static func isInterval(_ minutes: Int) -> Bool {
        (1...60).contains(minutes) && 60 % minutes == 0
    }

    /// What the value must be and is not, such as “at least 1908”; nil if it breaks no rule.
    /// - Parameters:
    ///   - moment: what the column keeps, if that is a time.
    ///   - zone: where clocks show the minutes of the bounds and the interval; nil for UTC.
    public func broken(
        by cell: Cell, of moment: Moment? = nil, in zone: ZoneClock? = nil
    ) -> String? {
        if cell == .null { return nil }
        if let moment { return broken(by: cell, as: moment, in: zone) ?? brokenChoice(by: cell) }
        if let minimum, let number = cell.number, number < minimum {
            return "at least \(Self.text(minimum))"
        }
        if let maximum, let number = cell.number, number > maximum {
            return "at most \(Self.text(maximum))"
        }
        if let maxLength, case .text(let text) = cell, text.count > maxLength {
            return "at most \(maxLength) characters long"
        }
        return brokenChoice(by: cell)
    }

    private func broken(by cell: Cell, as moment: Moment, in zone: ZoneClock?) -> String? {
        guard let minutes = moment.minutes(of: cell, in: zone) else { return moment.example }
        if let minimum, Double(minutes) < minimum {
            return "at least " + Self.text(minimum, of: moment)
        }
        if let maximum, Double(minutes) > maximum {
            return "at most " + Self.text(maximum, of: moment)
        }
        if let interval, Self.isInterval(interval), minutes % Int64(interval) != 0 {
            return "a multiple of \(interval) minutes"
        }
        return nil
    }

    private func brokenChoice(by cell: Cell) -> String? {
        guard choices.isEmpty || choices.contains(cell) else {
            let names = choices.prefix(Self.choicesNamed).map(Self.text)
            let rest = choices.count > names.count ? ", …" : ""
            return "one of " + names.joined(separator: ", ") + rest
        }
        return nil
    }

    private static let choicesNamed = 8

    private static func text(_ minutes: Double, of moment: Moment) -> String {
        Int64(exactly: minutes).map(moment.text) ?? text(minutes)
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func text(_ choice: Cell) -> String {
        switch choice {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): text(number)
        case .text(let text), .cutText(let text, _): text
        case .malformedText, .blob: "bytes"
        }
    }
}

extension Cell {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .malformedText, .cutText, .blob: nil
        }
    }
}
