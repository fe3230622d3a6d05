/// Counts the pages that a connection has received, and their cost.
public struct PageTraffic: Hashable, Sendable {
    /// Bytes of page frames on the wire, including headers.
    public var bytes = 0
    /// Complete pages.
    public var pages = 0
    /// Rows of those pages. A row that is received twice counts twice.
    public var rows = 0

    public init() {}

    /// The traffic between `start` and `end`.
    public static func - (end: PageTraffic, start: PageTraffic) -> PageTraffic {
        var difference = PageTraffic()
        difference.bytes = end.bytes - start.bytes
        difference.pages = end.pages - start.pages
        difference.rows = end.rows - start.rows
        return difference
    }
}
