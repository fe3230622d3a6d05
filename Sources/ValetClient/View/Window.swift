import ValetModel

/// A row as a page carried it.
public struct Row: Hashable, Sendable {
    public var id: Int64
    /// One cell for each column of the view's projection, in its order.
    public var cells: [Cell]

    public init(id: Int64, cells: [Cell]) {
        self.id = id
        self.cells = cells
    }
}

/// The rows that a view shows: one range of the list, all of one revision.
///
/// Ordinals start at 0 and count rows, not headers; under a search they count the matches.
public struct Window: Hashable, Sendable {
    public var generation: UInt32
    public var revision: UInt64
    public var totalRows: Int
    public var totalSections: Int
    /// Rows of the list, of which a search shows some.
    public var listRows: Int
    /// Another number when a section has come, gone or got another title.
    public var sectionsVersion: UInt64
    /// The resolved ordinal of the requested anchor.
    public var anchor: Int
    /// Which of the anchor's rows held its place, from 1 on; 0 for none.
    public var anchorRow: Int
    /// Flat ordinal of the first row.
    public var first: Int
    /// The rows from `first` on, clipped to the list; nil for a row whose page has not arrived.
    public var rows: [Row?]
    /// The sections that the rows belong to, in order.
    public var runs: [SectionRun]

    public init(
        generation: UInt32, revision: UInt64, totalRows: Int, totalSections: Int,
        listRows: Int? = nil, sectionsVersion: UInt64 = 0, anchor: Int, anchorRow: Int = 0,
        first: Int, rows: [Row?], runs: [SectionRun]
    ) {
        self.generation = generation
        self.revision = revision
        self.totalRows = totalRows
        self.totalSections = totalSections
        self.listRows = listRows ?? totalRows
        self.sectionsVersion = sectionsVersion
        self.anchor = anchor
        self.anchorRow = anchorRow
        self.first = first
        self.rows = rows
        self.runs = runs
    }

    /// True if every row has been received.
    public var isComplete: Bool { rows.allSatisfy { $0 != nil } }
}

/// The server's answer to a view's query.
public struct ViewSummary: Hashable, Sendable {
    public var generation: UInt32
    public var epoch: UInt64
    public var revision: UInt64
    public var totalRows: Int
    public var totalSections: Int
    /// The grouping in effect, in its own spelling.
    public var grouping: String
    /// The column that the grouping reads, if it has one.
    public var groupingColumn: Int?
    /// False if rows show without sections: grouping None, or a flat search.
    public var isSectioned: Bool
    public var hasIndex: Bool
    /// Columns that pages carry, in the order of `Row.cells`: those requested, or more.
    public var columns: [Int]

    public init(
        generation: UInt32, epoch: UInt64, revision: UInt64, totalRows: Int, totalSections: Int,
        grouping: String, groupingColumn: Int?, isSectioned: Bool, hasIndex: Bool, columns: [Int]
    ) {
        self.generation = generation
        self.epoch = epoch
        self.revision = revision
        self.totalRows = totalRows
        self.totalSections = totalSections
        self.grouping = grouping
        self.groupingColumn = groupingColumn
        self.isSectioned = isSectioned
        self.hasIndex = hasIndex
        self.columns = columns
    }
}

/// A whole row, for the detail screen. Long cells are marked as cut; pieces fetch the rest.
public struct RowDetail: Hashable, Sendable {
    public var id: Int64
    public var revision: UInt64
    /// One cell per column of the list.
    public var cells: [Cell]

    public init(id: Int64, revision: UInt64, cells: [Cell]) {
        self.id = id
        self.revision = revision
        self.cells = cells
    }
}
