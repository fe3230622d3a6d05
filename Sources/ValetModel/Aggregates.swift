/// A number that describes the values of a column in several rows. Missing values, NULL and empty
/// text, take no part.
public enum AggregateFunction: UInt8, CaseIterable, Sendable {
    /// The number of values.
    case count
    /// The exact sum of the numbers: an integer if all are, else rounded once to a real.
    case sum
    /// The exact mean of the numbers, rounded once to a real.
    case mean
    /// The first value in the order of the column.
    case least
    /// The last value in the order of the column.
    case greatest
    /// The number of different values: texts that fold to the same count as one, 2 and 2.0 as well.
    case distinct
}

/// The value of an aggregate.
public enum AggregateValue: Hashable, Sendable {
    /// No number or value took part, or infinities cancel out.
    case none
    case cell(Cell)
    /// A sum of integers that does not fit a cell.
    case whole(Int128)

    /// A cell if the number fits one.
    public init(_ whole: Int128) {
        self = Int64(exactly: whole).map { .cell(.integer($0)) } ?? .whole(whole)
    }
}

/// What to count or compute of a column.
public struct Measure: Hashable, Sendable {
    public var column: String
    public var function: AggregateFunction

    public init(column: String, function: AggregateFunction) {
        self.column = column
        self.function = function
    }
}

/// Measures of a view's rows, all of one revision.
public struct Aggregates: Hashable, Sendable {
    /// Values in the order of the measures.
    public struct Rows: Hashable, Sendable {
        public var count: Int
        public var values: [AggregateValue]

        public init(count: Int, values: [AggregateValue]) {
            self.count = count
            self.values = values
        }
    }

    public struct Section: Hashable, Sendable {
        /// The section's ordinal.
        public var section: Int
        public var rows: Rows

        public init(section: Int, rows: Rows) {
            self.section = section
            self.rows = rows
        }
    }

    public var revision: UInt64
    /// As in windows: another number when the sections are others.
    public var sectionsVersion: UInt64
    /// nil unless requested.
    public var allRows: Rows?
    /// The requested sections that exist, in the order of the request.
    public var sections: [Section]

    public init(revision: UInt64, sectionsVersion: UInt64, allRows: Rows?, sections: [Section]) {
        self.revision = revision
        self.sectionsVersion = sectionsVersion
        self.allRows = allRows
        self.sections = sections
    }
}
