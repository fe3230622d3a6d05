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

    /// About what it takes in memory.
    package var byteCount: Int {
        switch self {
        case .insert(_, let cells), .update(_, let cells):
            cells.values.reduce(64) { $0 + 48 + $1.heldByteCount }
        case .delete: 64
        }
    }
}
