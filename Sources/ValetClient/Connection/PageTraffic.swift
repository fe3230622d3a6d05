/// What the pages of a connection have cost, and what they brought.
public struct PageTraffic: Hashable, Sendable {
    /// Bytes of page frames, their headers included, as they came over the wire.
    public var bytes = 0
    /// Pages that are whole.
    public var pages = 0
    /// Rows in those pages. A row in two pages, or in a page that came twice, counts twice.
    public var rows = 0

    public init() {}

    /// What came between `start` and `end`.
    public static func - (end: PageTraffic, start: PageTraffic) -> PageTraffic {
        var difference = PageTraffic()
        difference.bytes = end.bytes - start.bytes
        difference.pages = end.pages - start.pages
        difference.rows = end.rows - start.rows
        return difference
    }
}
