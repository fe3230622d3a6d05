/// The change of one row, as an entry of the change log.
package enum RowChange: Hashable, Sendable {
    /// A new row. Columns that are left out are NULL.
    case insert(rowID: Int64, cells: [Int: Cell])
    case delete(rowID: Int64)
    /// New values of some cells, by column.
    case update(rowID: Int64, cells: [Int: Cell])

    package var rowID: Int64 {
        switch self {
        case .insert(let rowID, _), .delete(let rowID), .update(let rowID, _): rowID
        }
    }
}
