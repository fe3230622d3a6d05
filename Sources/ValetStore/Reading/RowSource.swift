/// Where a list's rows are read by row id: its table, or the copy of what has no row ids.
struct RowSource: Sendable {
    let table: String
    /// For messages: `table “cars”`.
    let subject: String
    /// An expression that is the row id, in terms of the table alias `s`.
    let rowID: String
    /// In the list's column order.
    let columnNames: [String]
    /// Columns whose blobs are worth not loading when only their size is asked for.
    let holdsBlobs: [Bool]
    /// False for a table with virtual columns: SQLite's blob handles count stored columns only, and
    /// so read the wrong one (seen with 3.40).
    let hasBlobHandles: Bool

    var from: String { "main.\(SQL.quoted(table)) AS s" }
}
