import CSQLite
import ValetModel

/// A row of one of the writer's tables.
struct RowKey: Hashable {
    /// Position among the writer's tables.
    let table: Int
    let rowID: Int64
}

/// Notes which rows a command touches, and what they were before: also rows that triggers and
/// foreign keys change.
///
/// SQLite's pre-update hook names the rows. The values that it gives are wrong for virtual columns,
/// and for columns that were added with a default (seen with 3.40), so the hook reads the row
/// itself: it is still as it was.
final class EffectRecorder {
    struct Touched {
        let key: RowKey
        /// nil if there was no such row.
        let old: [Cell]?
        /// Of the values that `old` has cut, by column.
        var hashes: [Int: EntryHash] = [:]
        /// The columns that the command sets, or all; empty for rows that it does not name.
        var named = NamedColumns.none
    }

    enum NamedColumns: Equatable {
        case none
        case some(Set<Int>)
        case all
    }

    /// In the order in which the rows were first touched.
    private(set) var rows: [Touched] = []
    /// All tables of touched rows, as `SQL.caseFolded` has their names: also those without row ids,
    /// and those in which virtual tables store theirs.
    private(set) var tablesTouched: Set<String> = []
    private var lastTable = ""
    private var places: [RowKey: Int] = [:]
    /// How many bytes of old values are kept, and of new ones that may not have changed.
    private var bytesLeft = Limits.bytesPerLoggedCommand
    /// Bytes that all rows before and after the command may take, with what is kept of values that
    /// were cut.
    var mostBytes = Limits.bytesPerEntry
    private var bytesOfRows = 0
    /// A row that the command did not name, deleted by `ON CONFLICT REPLACE`.
    private(set) var replaced: RowKey?
    /// Set while a DELETE runs.
    var isDeleting = false
    /// Why a row could not be read.
    private(set) var failure: ValetError?

    private let connection: Connection
    private let tables: [EditedTable]
    private let numbers: [String: Int]

    /// - Parameter numbers: positions among the tables, by name.
    init(on connection: Connection, tables: [EditedTable], numbers: [String: Int]) {
        (self.connection, self.tables, self.numbers) = (connection, tables, numbers)
    }

    /// Forgets what was touched, and listens.
    func begin() {
        rows.removeAll(keepingCapacity: true)
        (tablesTouched, lastTable) = ([], "")
        places.removeAll(keepingCapacity: true)
        bytesLeft = Limits.bytesPerLoggedCommand
        bytesOfRows = 0
        replaced = nil
        isDeleting = false
        failure = nil
        sqlite3_preupdate_hook(
            connection.handle,
            { context, _, operation, _, table, oldID, newID in
                guard let context, let table else { return }
                Unmanaged<EffectRecorder>.fromOpaque(context).takeUnretainedValue()
                    .rowWillChange(
                        operation, table: String(cString: table), oldID: oldID, newID: newID)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func end() { sqlite3_preupdate_hook(connection.handle, nil, nil) }

    /// Notes that the command names a row, and reads it.
    func name(_ key: RowKey, _ columns: NamedColumns) throws(ValetError) -> [Cell]? {
        if let place = places[key] {
            rows[place].named = rows[place].named.union(columns)
            return rows[place].old
        }
        if let failure { throw failure }
        let old = try read(key)
        add(Touched(key: key, old: old, hashes: try hashes(of: old, key), named: columns))
        return old
    }

    /// Notes that the command inserts a row.
    func nameNew(_ key: RowKey) {
        if let place = places[key] {
            rows[place].named = .all
        } else {
            add(Touched(key: key, old: nil, named: .all))
        }
    }

    private func rowWillChange(_ operation: Int32, table: String, oldID: Int64, newID: Int64) {
        if table != lastTable {
            lastTable = table
            tablesTouched.insert(SQL.caseFolded(table))
        }
        guard let number = numbers[table] else { return }
        let old = RowKey(table: number, rowID: oldID)
        if operation == SQLITE_DELETE, !isDeleting, sqlite3_preupdate_depth(connection.handle) == 0
        {
            replaced = old
        }
        if operation != SQLITE_INSERT { touch(old, isThere: true) }
        if operation != SQLITE_DELETE, operation == SQLITE_INSERT || newID != oldID {
            touch(RowKey(table: number, rowID: newID), isThere: false)
        }
    }

    private func touch(_ key: RowKey, isThere: Bool) {
        guard places[key] == nil, failure == nil else { return }
        do throws(ValetError) {
            let old = isThere ? try read(key) : nil
            add(Touched(key: key, old: old, hashes: try hashes(of: old, key)))
        } catch {
            failure = error
        }
    }

    /// A row as it is now; long values are cut once many bytes were read.
    func read(_ key: RowKey) throws(ValetError) -> [Cell]? {
        try tables[key.table].row(key.rowID, bytesLeft: &bytesLeft)
    }

    private func hashes(of cells: [Cell]?, _ key: RowKey) throws(ValetError) -> [Int: EntryHash] {
        var hashes: [Int: EntryHash] = [:]
        for (column, cell) in (cells ?? []).enumerated() where cell.isCut {
            hashes[column] = try tables[key.table].hash(ofColumn: column, key.rowID)
        }
        return hashes
    }

    private func add(_ row: Touched) {
        places[row.key] = rows.count
        rows.append(row)
        count(row.old ?? [])
    }

    /// Counts the cells of a row before or after the command. If all take too much, the command has
    /// failed: rows that triggers and foreign keys change are without number.
    func count(_ cells: [Cell]) {
        bytesOfRows += cells.reduce(64) { $0 + 16 + $1.heldByteCount }
        guard bytesOfRows > mostBytes, failure == nil else { return }
        failure = Self.tooMuch(mostBytes)
    }

    static func tooMuch(_ mostBytes: Int) -> ValetError {
        ValetError(
            .limitExceeded,
            "the rows that this changes take more than \(mostBytes) bytes (bytesPerEntry): "
                + "change fewer at once")
    }
}

extension EffectRecorder.NamedColumns {
    func contains(_ column: Int) -> Bool {
        switch self {
        case .none: false
        case .some(let columns): columns.contains(column)
        case .all: true
        }
    }

    func union(_ other: Self) -> Self {
        switch (self, other) {
        case (.some(let a), .some(let b)): .some(a.union(b))
        case (.all, _), (_, .all): .all
        case (.none, let named), (let named, .none): named
        }
    }
}
