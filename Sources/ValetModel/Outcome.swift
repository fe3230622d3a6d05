/// What became of a command. It is stored with the command's name: the same command sent again gets
/// the same outcome.
public struct Outcome: Hashable, Sendable {
    /// The command's place in the one order of all commands.
    public var revision: UInt64
    /// Microseconds since 1970, UTC.
    public var time: Int64
    public var verdict: Verdict
    /// The revision of what undo would have taken back, where it was not carried out: what
    /// `Change.skipUndo` and `Change.forceUndo` name. nil if there is nothing to undo.
    public var step: UInt64?

    public init(revision: UInt64, time: Int64, verdict: Verdict, step: UInt64? = nil) {
        self.revision = revision
        self.time = time
        self.verdict = verdict
        self.step = step
    }
}

public enum Verdict: Hashable, Sendable {
    /// The rows that were inserted, changed or deleted, in the command's order.
    case applied(rowIDs: [Int64])
    /// Somebody else has changed what the command was about. Nothing was changed.
    case conflict([Conflict])
    /// A rule of the catalog or the database forbids it. Nothing was changed.
    case refused([Refusal])
    /// Undone or done again, but for these cells and rows of the list, which are not what they
    /// were: triggers have changed them, or they are gone.
    case appliedButFor(rowIDs: [Int64], [Conflict])
}

/// What somebody else has done to a row that a command was about.
public struct Conflict: Hashable, Sendable {
    public var rowID: Int64
    public var theirs: Theirs
    /// The station that changed it; empty for another program.
    public var station: String
    /// Microseconds since 1970, UTC; 0 if that is not known.
    public var time: Int64
    /// What undo or redo would put into the cell; nil for other commands.
    public var restored: Cell?

    public init(rowID: Int64, theirs: Theirs, station: String, time: Int64, restored: Cell? = nil) {
        self.rowID = rowID
        self.theirs = theirs
        self.station = station
        self.time = time
        self.restored = restored
    }

    public enum Theirs: Hashable, Sendable {
        /// The cell's value now.
        case cell(ColumnValue)
        /// The cell's value now, which is the one that the command sets: somebody else has set it
        /// since the person saw the cell.
        case alreadySo(ColumnValue)
        /// The row that was to be deleted was changed, or the neighbour of a move is elsewhere.
        case rowChanged
        case rowDeleted
    }
}

public struct Refusal: Hashable, Sendable {
    /// The command's row that breaks the rule: its place in the command, from 0.
    public var row: Int
    /// nil if the rule is about the whole row.
    public var column: Int?
    /// One sentence for a person.
    public var message: String

    public init(row: Int, column: Int?, message: String) {
        self.row = row
        self.column = column
        self.message = message
    }
}
