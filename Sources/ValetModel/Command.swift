/// Names a command for ever: the writer that sent it, and that writer's own number.
public struct CommandName: Hashable, Sendable {
    public var writer: WriterID
    /// Counts up from 1.
    public var number: UInt64

    public init(writer: WriterID, number: UInt64) {
        self.writer = writer
        self.number = number
    }
}

/// One change of one list that a station asks for.
public struct Command: Hashable, Sendable {
    public var name: CommandName
    /// Commands of one group are undone together: the number of the group's first command, which is
    /// the command's own number when it stands alone.
    public var group: UInt64
    public var list: String
    public var change: Change

    public init(name: CommandName, group: UInt64? = nil, list: String, change: Change) {
        self.name = name
        self.group = group ?? name.number
        self.list = list
        self.change = change
    }
}

/// What a command asks for. Columns are the list's, by number. Cells are whole, never cut.
///
/// A command changes all that it names or nothing.
public enum Change: Hashable, Sendable {
    /// New rows. Columns that are left out get the table's default.
    case insert([[ColumnValue]])
    case update([RowEdit])
    case delete([RowDeletion])
    /// Puts rows elsewhere in the manual order, one behind the other as they are listed.
    case move(rowIDs: [Int64], to: MoveDestination)
    /// Sets cells of all rows that a query finds, whatever they hold.
    case updateMatching(Query, [ColumnValue])
    case deleteMatching(Query)
    /// Undoes the station's newest command in the list that is not undone, with its group.
    case undo
    /// Does again what the station undid last in the list.
    case redo
    /// Leaves what undo would take back now as it is, for good: undo goes on with what is older.
    /// Refused if that is another step than the one of this revision (`Outcome.step`).
    case skipUndo(step: UInt64)
    /// Undoes the step of this revision whatever others have done since; refused as `skipUndo`.
    ///
    /// - Parameter seen: the revision of the outcome that a person was asked with: what others have
    ///   done later is a conflict again. nil asks nobody.
    case forceUndo(step: UInt64, seen: UInt64? = nil)
}

extension Change {
    /// Whether it names no rows, but a query that finds them.
    package var isOfQuery: Bool {
        switch self {
        case .updateMatching, .deleteMatching: true
        case .insert, .update, .delete, .move, .undo, .redo, .skipUndo, .forceUndo: false
        }
    }
}

public struct ColumnValue: Hashable, Sendable {
    public var column: Int
    public var value: Cell

    public init(column: Int, value: Cell) {
        self.column = column
        self.value = value
    }
}

public struct RowEdit: Hashable, Sendable {
    public var rowID: Int64
    public var cells: [CellEdit]

    public init(rowID: Int64, cells: [CellEdit]) {
        self.rowID = rowID
        self.cells = cells
    }
}

public struct CellEdit: Hashable, Sendable {
    public var column: Int
    public var value: Cell
    public var seen: SeenValue

    public init(column: Int, value: Cell, seen: SeenValue) {
        self.column = column
        self.value = value
        self.seen = seen
    }
}

/// The value that the person saw before the edit. If the cell holds another by now, somebody else
/// has changed it, and the edit is a conflict.
public enum SeenValue: Hashable, Sendable {
    /// Whatever the cell holds: for marks, and for actions on many rows.
    case anything
    case cell(Cell)
    /// A text or blob of more than `Limits.bytesPerSeenValue` bytes.
    case long(ValueDigest)

    /// - Parameter cell: whole; the value of one that is cut was not seen.
    public init?(_ cell: Cell) {
        guard !cell.isCut else { return nil }
        let limit = Limits.bytesPerSeenValue
        switch cell {
        case .text(let text) where text.utf8.count > limit: self = .long(ValueDigest(of: text.utf8))
        case .malformedText(let bytes, _) where bytes.count > limit,
            .blob(let bytes, _) where bytes.count > limit:
            self = .long(ValueDigest(of: bytes))
        case .null, .integer, .real, .text, .malformedText, .cutText, .blob: self = .cell(cell)
        }
    }
}

/// A long value's size and FNV-1a hash of 64 bits.
public struct ValueDigest: Hashable, Sendable {
    public var byteCount: Int
    public var hash: UInt64

    public init(byteCount: Int, hash: UInt64) {
        self.byteCount = byteCount
        self.hash = hash
    }

    public init(of bytes: some Collection<UInt8>) {
        // A buffer is read without asking the collection for each byte.
        let digest = bytes.withContiguousStorageIfAvailable { Self(buffer: $0) }
        self = digest ?? Array(bytes).withUnsafeBufferPointer { Self(buffer: $0) }
    }

    private init(buffer: UnsafeBufferPointer<UInt8>) {
        byteCount = buffer.count
        hash = buffer.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

public struct RowDeletion: Hashable, Sendable {
    public var rowID: Int64
    /// The list's revision at which the person saw the row; a later edit of it is a conflict. nil
    /// deletes whatever is there.
    public var seen: UInt64?

    public init(rowID: Int64, seen: UInt64? = nil) {
        self.rowID = rowID
        self.seen = seen
    }
}
