import ValetArrangement

/// What a view shows, as of one publication: looked up once, and held by the view and by the pages
/// that were ordered from it.
final class ShownRows: Sendable {
    let list: Int
    let projection: Projection
    let rows: ArrangedRows
    let revision: UInt64
    /// The number of the publication.
    let version: UInt64

    init(
        list: Int, projection: Projection, rows: ArrangedRows, revision: UInt64, version: UInt64
    ) {
        self.list = list
        self.projection = projection
        self.rows = rows
        self.revision = revision
        self.version = version
    }
}
