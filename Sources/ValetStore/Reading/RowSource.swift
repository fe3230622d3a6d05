/// Where a list's rows are read by row id: its table, or a copy.
struct RowSource: Sendable {
    let table: String
    /// For messages: `table “cars”`.
    let subject: String
    /// An SQL expression for the row id, in terms of the table alias `s`.
    let rowID: String
    /// In the list's column order, but for its columns of titles.
    let columnNames: [String]
    /// Of the columns behind these.
    var titles: [TitleSource] = []
    /// Whether a column may contain blobs, which should not be loaded just for their size.
    let holdsBlobs: [Bool]
    /// False for a table with virtual columns: SQLite's blob handles count only stored columns, and
    /// would read the wrong one (seen with 3.40).
    let hasBlobHandles: Bool

    var columnCount: Int { columnNames.count + titles.count }
    var from: String { "main.\(SQL.quoted(table)) AS s" }
}
