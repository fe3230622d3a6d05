/// How a column's values are shown. What is stored, edited, copied and searched stays the same.
public enum ColumnFormat: Hashable, Sendable {
    /// Dates as in ISO 8601, numbers with all their digits.
    case plain
    case day
    case time
    case dayAndTime
    case monthYear
    /// `decimals` digits behind the point; nil for as many as the number has. Grouped numbers have
    /// a comma between thousands.
    case number(decimals: Int?, isGrouped: Bool)
}
