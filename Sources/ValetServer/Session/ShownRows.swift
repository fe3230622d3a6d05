import ValetArrangement

/// What a view shows in the newest snapshot. Looked up for each request and let go at its end: a
/// view that kept it would keep a whole list's memory alive while its client sleeps.
struct ShownRows {
    let list: Int
    let projection: Projection
    let rows: ArrangedRows
    let revision: UInt64
}
