import ValetArrangement

/// A view's rows in the newest snapshot. Looked up for each request and released at its end: a view
/// that kept it would retain a whole list while its client is idle.
struct ShownRows {
    let list: Int
    let projection: Projection
    let rows: ArrangedRows
    let revision: UInt64
}
