/// Rules for the values of a column. NULL breaks none of them; `isRequired` refuses it.
public struct ColumnRules: Hashable, Sendable {
    /// Bounds of numbers, inclusive.
    public var minimum: Double?
    public var maximum: Double?
    /// Characters of a text, as a person counts them.
    public var maxLength: Int?
    /// The only values allowed; empty if all are.
    public var choices: [Cell]

    public init(
        minimum: Double? = nil, maximum: Double? = nil, maxLength: Int? = nil, choices: [Cell] = []
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.maxLength = maxLength
        self.choices = choices
    }

    public static let none = ColumnRules()

    /// What the value must be and is not, such as “at least 1908”; nil if it breaks no rule.
    public func broken(by cell: Cell) -> String? {
        if cell == .null { return nil }
        if let minimum, let number = cell.number, number < minimum {
            return "at least \(Self.text(minimum))"
        }
        if let maximum, let number = cell.number, number > maximum {
            return "at most \(Self.text(maximum))"
        }
        if let maxLength, case .text(let text) = cell, text.count > maxLength {
            return "at most \(maxLength) characters long"
        }
        guard choices.isEmpty || choices.contains(cell) else {
            let names = choices.prefix(Self.choicesNamed).map(Self.text)
            let rest = choices.count > names.count ? ", …" : ""
            return "one of " + names.joined(separator: ", ") + rest
        }
        return nil
    }

    private static let choicesNamed = 8

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
