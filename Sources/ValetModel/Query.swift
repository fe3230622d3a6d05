/// What a view asks of a list: its grouping, sort, search and conditions.
public struct Query: Hashable, Sendable {
    /// A grouping's name, or any column's; nil for the list's default.
    public var grouping: String?
    /// How the column named as grouping is divided into sections; nil for a grouping of the
    /// catalog, or for whole values.
    public var expression: SectionExpression?
    /// Columns chosen for the rows inside sections, the most important first; empty for the
    /// grouping's own order.
    public var sort: [Sort]
    /// nil, or a text without letters, matches all rows.
    public var search: Search?
    /// A row must meet all of them.
    public var conditions: [Condition]

    public init(
        grouping: String? = nil, expression: SectionExpression? = nil, sort: [Sort] = [],
        search: Search? = nil, conditions: [Condition] = []
    ) {
        self.grouping = grouping
        self.expression = expression
        self.sort = sort
        self.search = search
        self.conditions = conditions
    }

    public struct Sort: Hashable, Sendable {
        public var column: String
        public var isDescending: Bool

        public init(column: String, isDescending: Bool = false) {
            self.column = column
            self.isDescending = isDescending
        }
    }

    public struct Search: Hashable, Sendable {
        public var text: String
        /// A scope's name; nil for the list's default.
        public var scope: String?

        public init(text: String, scope: String? = nil) {
            self.text = text
            self.scope = scope
        }
    }
}

/// A test of one column: `year ≥ 2015`.
public struct Condition: Hashable, Sendable {
    /// A column's name.
    public var column: String
    public var comparison: Comparison
    /// Integers, reals and texts; as many as the comparison takes.
    public var values: [Cell]

    public init(column: String, _ comparison: Comparison, _ values: [Cell] = []) {
        self.column = column
        self.comparison = comparison
        self.values = values
    }
}

/// How a condition compares a row's value with its own. The raw values are the protocol's; the
/// order is that in which a person is offered them.
public enum Comparison: UInt8, Sendable, CaseIterable {
    case isOneOf = 0
    case isNoneOf = 1
    case below = 2
    case atMost = 3
    case above = 4
    case atLeast = 5
    /// At least the first value and at most the second.
    case between = 10
    case contains = 6
    case doesNotContain = 11
    case beginsWith = 7
    case isMissing = 8
    case isPresent = 9

    /// How many values a condition with this comparison has.
    public var valueCounts: ClosedRange<Int> {
        switch self {
        case .isOneOf, .isNoneOf: 1...Limits.valuesPerCondition
        case .below, .atMost, .above, .atLeast, .contains, .beginsWith, .doesNotContain: 1...1
        case .between: 2...2
        case .isMissing, .isPresent: 0...0
        }
    }
}

extension Condition {
    /// Why the column can't have this condition, as a sentence; nil if it can.
    package func refusal(in column: ColumnDescription) -> String? {
        let name = "“\(column.name)”"
        switch comparison {
        case .isOneOf, .isNoneOf, .isMissing, .isPresent: return nil
        case .below, .atMost, .above, .atLeast, .between:
            return column.type == .boolean ? "\(name) is yes or no and has no order" : nil
        case .contains, .beginsWith, .doesNotContain:
            guard case .text? = values.first else { return "\(name) can be searched for text only" }
            switch column.type {
            case .boolean: return "\(name) is yes or no: it has no text to search"
            case .date where comparison != .beginsWith:
                return "\(name) is a date: use “begins with” or “=”"
            case .text, .integer, .real, .date, .blob: return nil
            }
        }
    }
}

extension Query {
    /// Whether a text in it has a NUL, which no argument of a program can have.
    package var hasNUL: Bool {
        let values = conditions.flatMap(\.values).map { value in
            if case .text(let text) = value { text } else { "" }
        }
        let texts =
            values + conditions.map(\.column) + sort.map(\.column)
            + [grouping, search?.text].compactMap(\.self)
        return texts.contains { $0.utf8.contains(0) }
    }
}
