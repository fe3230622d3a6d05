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
