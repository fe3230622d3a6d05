/// A row's place as a section and a row in it, both from 0.
public struct IndexPath: Hashable, Sendable {
    public var section: Int
    public var row: Int

    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

/// A run of adjacent rows of one section inside a window.
public struct SectionRun: Hashable, Sendable {
    /// The section's number, from 0.
    public var section: Int
    public var title: String
    /// Flat ordinal of the section's first row, which may lie before the window.
    public var first: Int
    /// Rows of the whole section.
    public var count: Int

    public init(section: Int, title: String, first: Int, count: Int) {
        self.section = section
        self.title = title
        self.first = first
        self.count = count
    }
}

/// One section as a list of sections shows it.
public struct SectionSummary: Hashable, Sendable {
    public var section: Int
    public var title: String
    public var first: Int
    public var count: Int
    public var indexTitle: String?
    /// Whether its rows have no value for any other section, such as a missing one: it is the last.
    public var isUnknown: Bool

    public init(
        section: Int, title: String, first: Int, count: Int, indexTitle: String?,
        isUnknown: Bool = false
    ) {
        self.section = section
        self.title = title
        self.first = first
        self.count = count
        self.indexTitle = indexTitle
        self.isUnknown = isUnknown
    }
}

/// One title of the section index, and where it jumps to.
public struct IndexEntry: Hashable, Sendable {
    public var title: String
    public var section: Int
    /// Flat ordinal of that section's first row.
    public var first: Int

    public init(title: String, section: Int, first: Int) {
        self.title = title
        self.section = section
        self.first = first
    }
}

/// The place that a window is anchored to.
public indirect enum Anchor: Hashable, Sendable {
    case ordinal(Int)
    case path(IndexPath)
    case rowID(Int64)
    /// A fraction of the way from the first row to the last, in units of 2⁻³².
    case fraction(UInt32)
    /// Past the last row.
    case end
    /// The first of these rows that is still there, where it stands; without any, the other anchor.
    case rows([AnchorRow], otherwise: Anchor)
}

/// A row that may hold a window's place.
public struct AnchorRow: Hashable, Sendable {
    public var id: Int64
    /// Its distance from the anchor's place: negative for a row before it.
    public var line: Int

    public init(id: Int64, line: Int) {
        self.id = id
        self.line = line
    }
}

/// A client with a name and a stored identity.
public struct Station: Hashable, Sendable {
    public var name: String
    public var id: StationID

    public init(name: String, id: StationID) {
        self.name = name
        self.id = id
    }
}

/// The 128-bit identity of a station, made once and kept by it.
public struct StationID: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
