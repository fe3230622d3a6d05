/// What may be done to the rows of a list that can be changed.
public struct RowRules: Hashable, Sendable {
    public var allowsAdding: Bool
    public var allowsDeleting: Bool
    public var allowsMoving: Bool
    /// Rows in which this column is neither missing nor 0 can only be read.
    public var readOnlyColumn: Int?

    public init(
        allowsAdding: Bool = true, allowsDeleting: Bool = true, allowsMoving: Bool = true,
        readOnlyColumn: Int? = nil
    ) {
        self.allowsAdding = allowsAdding
        self.allowsDeleting = allowsDeleting
        self.allowsMoving = allowsMoving
        self.readOnlyColumn = readOnlyColumn
    }

    public static let none = RowRules()

    /// - Parameter cells: all of the row, in table order.
    package func isReadOnly(_ cells: [Cell]) -> Bool {
        guard let readOnlyColumn, cells.indices.contains(readOnlyColumn) else { return false }
        return cells[readOnlyColumn].isSet
    }
}

/// Fields that belong together, in the order in which a person reads them.
public struct DetailSection: Hashable, Sendable {
    /// May be empty.
    public var title: String
    public var columns: [Int]

    public init(title: String, columns: [Int]) {
        self.title = title
        self.columns = columns
    }
}
