/// Entries of a list's log, newest first.
public struct History: Hashable, Sendable {
    public var changes: [LoggedChange]
    /// Whether older entries are kept.
    public var hasMore: Bool

    public init(changes: [LoggedChange], hasMore: Bool) {
        self.changes = changes
        self.hasMore = hasMore
    }
}

/// One entry of a list's log, for history and the change feed: what was committed, when, and by
/// which station.
public struct LoggedChange: Hashable, Sendable {
    public var position: LogPosition
    /// Microseconds since 1970, UTC.
    public var time: Int64
    /// The station that asked for the change; empty for another program.
    public var station: String
    /// nil for another program.
    public var command: CommandName?
    /// nil if another program changed the list, and which rows is not known.
    public var effect: RowEffect?

    public init(
        position: LogPosition, time: Int64, station: String, command: CommandName?,
        effect: RowEffect?
    ) {
        self.position = position
        self.time = time
        self.station = station
        self.command = command
        self.effect = effect
    }
}

/// Where an entry stands in a list's log.
public struct LogPosition: Hashable, Sendable, Comparable {
    public var revision: UInt64
    /// Its place among the entries of that revision, from 0.
    public var place: Int

    public init(revision: UInt64, place: Int) {
        self.revision = revision
        self.place = place
    }

    /// Behind all entries of a revision.
    package static func end(of revision: UInt64) -> LogPosition {
        LogPosition(revision: revision, place: Limits.largestCount)
    }

    public static func < (left: LogPosition, right: LogPosition) -> Bool {
        (left.revision, left.place) < (right.revision, right.place)
    }
}

/// The change of one row, as it was committed.
public struct RowEffect: Hashable, Sendable {
    /// The raw values are the protocol's.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case inserted = 0
        case updated = 1
        case deleted = 2
    }

    public var kind: Kind
    public var rowID: Int64
    /// The cells that became others, by column. All cells of a row that was inserted or deleted.
    public var cells: [CellChange]

    public init(kind: Kind, rowID: Int64, cells: [CellChange]) {
        self.kind = kind
        self.rowID = rowID
        self.cells = cells
    }
}

public struct CellChange: Hashable, Sendable {
    public var column: Int
    /// NULL for a row that was inserted.
    public var before: Cell
    /// NULL for a row that was deleted.
    public var after: Cell

    public init(column: Int, before: Cell, after: Cell) {
        self.column = column
        self.before = before
        self.after = after
    }
}
