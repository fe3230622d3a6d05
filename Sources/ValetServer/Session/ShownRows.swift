import ValetArrangement

/// A view's rows in the newest snapshot. Looked up for each request and released at its end: a view
/// that kept it would retain a whole list while its client is idle.
struct ShownRows {
    let list: Int
    let projection: Projection
    let rows: ArrangedRows
    let revision: UInt64
    /// Rows of the list, of which a search shows some. If nobody knows how many of the table's are
    /// the list's, those that are shown.
    let listRows: Int
    /// nil for a view that shows the newest rows.
    var pin: Pin?
}
