import ValetModel

/// One row's change, as the change log will tell it.
package enum RowChange: Hashable, Sendable {
    /// A row that is new. Columns that are left out are NULL.
    case insert(rowID: Int64, cells: [Int: Cell])
    case delete(rowID: Int64)
    /// Cells that have other values now, by column.
    case update(rowID: Int64, cells: [Int: Cell])

    package var rowID: Int64 {
        switch self {
        case .insert(let rowID, _), .delete(let rowID), .update(let rowID, _): rowID
        }
    }
}
