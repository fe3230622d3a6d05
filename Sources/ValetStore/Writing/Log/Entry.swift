import Crypto
import ValetModel

/// One transaction, as the log keeps it: the commands in their order, what became of each, and
/// every row that they changed.
///
/// The writer decides: it runs commands, and makes an entry of what they did. Everything else is a
/// function of entries. `LogTables` stores what an entry brings into Valet's own tables, and
/// `EntryApplier` makes the rows of another file what they became here. So an entry has all that
/// either needs, and names tables and columns, whose numbers are each file's own.
///
/// Entries are a chain: each has the hash of the one before.
struct Entry: Equatable {
    var logID: UInt64
    /// Counts those who decide, one after the other. A file's own log has one: 0.
    var term: UInt64 = 0
    /// `none` in the first entry.
    var previous: EntryHash
    /// The revision of its first command. The others have those that follow.
    var first: UInt64
    /// Microseconds since 1970, UTC.
    var time: Int64
    /// The tables that `effects` and `highest` name by their places here.
    var tables: [EntryTable] = []
    /// The highest row ids that were ever seen, where they are others now.
    var highest: [HighestRowID] = []
    /// At least one.
    var commands: [EntryCommand] = []

    /// The revision of its last command.
    var last: UInt64 { first &+ UInt64(commands.count) &- 1 }
}

struct EntryTable: Hashable {
    let name: String
    /// Those that it had when the entry was decided, in their order.
    let columns: [String]
}

struct HighestRowID: Equatable {
    let table: Int
    let rowID: Int64
}

/// A command with what became of it.
struct EntryCommand: Equatable {
    /// The raw values are stored.
    enum Kind: UInt8 {
        case insert = 0
        case update = 1
        case delete = 2
        case move = 3
        case undo = 4
        case redo = 5
    }

    var name: CommandName
    /// The number of the first command of its group.
    var group: UInt64
    var station: Station
    /// As the catalog spells it.
    var list: String
    var kind: Kind
    /// Tells the command from others that the writer might send under the same number.
    var digest: Int64
    var verdict = Verdict.applied(rowIDs: [])
    /// What an undo that was not carried out would have taken back, by its revision.
    var step: UInt64?
    var effects: [Effect] = []
    /// The station's steps that an undo or redo has taken, by place.
    var turned: [Int64] = []
    /// Its steps that undo leaves out from now on.
    var skipped: [Int64] = []
    /// Tables that it changed, too, and whose rows no effect can name, since they have no row ids:
    /// such an entry is stored, and can't be applied.
    var unnamedTables: [String] = []
}

extension EntryCommand.Kind {
    init(of change: Change) {
        switch change {
        case .insert: self = .insert
        case .update, .updateMatching: self = .update
        case .delete, .deleteMatching: self = .delete
        case .move: self = .move
        case .undo, .skipUndo, .forceUndo: self = .undo
        case .redo: self = .redo
        }
    }
}

/// SHA-256 of an entry's bytes.
struct EntryHash: Hashable {
    let bytes: [UInt8]

    private static let byteCount = 32

    /// Of what is before the first entry.
    static let none = EntryHash(bytes: Array(repeating: 0, count: byteCount))

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(of bytes: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        self.bytes = Array(hash.finalize())
    }

    /// nil if it is none.
    init?(stored: [UInt8]) {
        guard stored.count == Self.byteCount else { return nil }
        bytes = stored
    }
}

/// An entry with its bytes, as it is stored and sent.
struct SealedEntry {
    let entry: Entry
    let bytes: [UInt8]
    let hash: EntryHash

    init(_ entry: Entry, _ bytes: [UInt8]) {
        self.entry = entry
        self.bytes = bytes
        hash = bytes.withUnsafeBytes { EntryHash(of: $0) }
    }
}
