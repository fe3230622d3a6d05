import CSQLite
import ValetModel

/// Reads the rows of one database on a connection of its own, for one thread at a time.
///
/// Lists and columns are positions in the catalog and in `ListDescription.columns`; a number that
/// is not one of them traps, since whoever asks has resolved names before. Every call is one read
/// transaction: what it answers is all of one commit. Callbacks must not call the reader.
package final class Reader {
    private let database: Database
    private let connection: Connection
    private var statements = StatementCache()
    private var copies = CopyConnections()
    /// A blob handle hands out bytes as they are stored, which for text is the file's own encoding.
    private let isUTF8: Bool

    init(of database: Database) throws(ValetError) {
        self.database = database
        connection = try Connection(path: database.path)
        let encoding = try connection.prepare(SQL.encoding)
        isUTF8 = try encoding.step() && encoding.text(0) == "UTF-8"
    }

    /// A number that changes when another connection has committed a change to the file.
    package func dataVersion() throws(ValetError) -> Int64 {
        try connection.integer(SQL.dataVersion)
    }

    /// How many rows the list has, exactly: SQLite counts them.
    package func rowCount(
        list: Int, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Int {
        let place = try place(of: list, cancelled: cancelled)
        return try place.connection.interruptible(by: cancelled) { () throws(ValetError) in
            let sql = SQL.rowCount(place.source)
            return Int(try place.connection.integer(sql, for: place.source.subject))
        }
    }

    /// The least and the greatest row id; nil when there are no rows.
    package func rowIDBounds(
        list: Int, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> ClosedRange<Int64>? {
        // Here a list that needs a copy gets it, which may take long.
        let place = try place(of: list, cancelled: cancelled)
        return try place.connection.interruptible(by: cancelled) { () throws(ValetError) in
            let sql = SQL.rowIDBounds(place.source)
            let statement = try place.connection.prepare(sql, for: place.source.subject)
            guard try statement.step(), case .integer(let least) = statement.value(0),
                case .integer(let greatest) = statement.value(1)
            else { return nil }
            return least...greatest
        }
    }

    /// Hands every row to `row`, in ascending order of row id.
    ///
    /// - Parameter cancelled: asked every few hundred rows; true ends the scan with `.superseded`.
    package func scan(
        list: Int, columns: [Int], cancelled: () -> Bool = { false },
        row: (borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) {
        let place = try place(of: list, cancelled: cancelled)
        // Not kept: a scan is rare beside what its statement costs to prepare.
        let sql = SQL.scan(place.source, columns: columns)
        let statement = try place.connection.prepare(sql, for: place.source.subject)
        try place.connection.interruptible(by: cancelled) { () throws(ValetError) in
            while try statement.step() {
                try row(StoredRow(statement))
            }
        }
    }

    /// Hands the rows with these ids to `row`, with their positions in `ids`, in any order. Rows
    /// that are gone are left out.
    ///
    /// - Parameter ids: at most `Limits.rowsPerLeaf`, all different.
    package func rows(
        list: Int, ids: [Int64], columns: [Int],
        row: (Int, borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) {
        precondition(ids.count <= Limits.rowsPerLeaf, "rows(list:ids:) takes a leaf's rows")
        let statement = try statement(.rows, list: list, columns: columns)
        defer { statement.reset() }
        for parameter in 0..<Limits.rowsPerLeaf {
            if parameter < ids.count {
                statement.bind(ids[parameter], at: parameter)
            } else {
                statement.bindNull(at: parameter)
            }
        }
        while try statement.step() {
            let stored = StoredRow(statement)
            // A look through 64 numbers costs less than a table of them.
            guard let position = ids.firstIndex(of: stored.id) else { continue }
            try row(position, stored)
        }
    }
}

// MARK: One row

extension Reader {
    /// All cells of a row; those longer than `Limits.bytesPerDetailCell` are cut and say so. nil
    /// when the row is gone.
    package func detail(list: Int, id: Int64) throws(ValetError) -> [Cell]? {
        let place = try place(of: list)
        return try place.connection.reading { () throws(ValetError) in
            let statement = try statement(.detail, list: list, columns: [])
            defer { statement.reset() }
            statement.bind(id, at: 0)
            guard try statement.step() else { return nil }
            var cells: [Cell] = []
            cells.reserveCapacity(statement.columnCount)
            for column in 0..<statement.columnCount {
                cells.append(try cell(statement.value(column), column, of: id, in: list))
            }
            return cells
        }
    }

    /// A stretch of the bytes of a text (as UTF-8) or blob, and how many bytes the whole has. nil
    /// when the row is gone, or the value is neither.
    ///
    /// - Parameter offset: a stretch that begins behind the end is empty.
    package func piece(
        list: Int, id: Int64, column: Int, offset: Int, count: Int
    ) throws(ValetError) -> (bytes: [UInt8], byteCount: Int)? {
        precondition(offset >= 0 && count >= 0, "a piece has a place and a length")
        let place = try place(of: list)
        if let piece = storedBytes(in: place, id: id, column: column, offset: offset, count: count)
        {
            return piece
        }
        // Numbers, tables with virtual columns and UTF-16 files have no blob handle.
        let statement = try statement(.value, list: list, columns: [column])
        defer { statement.reset() }
        statement.bind(id, at: 0)
        guard try statement.step(), let bytes = statement.bytes(0) else { return nil }
        return (Array(bytes.dropFirst(offset).prefix(count)), bytes.count)
    }

    private func cell(
        _ value: BorrowedValue, _ column: Int, of id: Int64, in list: Int
    ) throws(ValetError) -> Cell {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .text(let bytes): return Cell(text: bytes, cutTo: Limits.bytesPerDetailCell)
        case .blob(let byteCount):
            let piece = try piece(
                list: list, id: id, column: column, offset: 0, count: Limits.bytesPerDetailCell)
            return .blob(bytes: piece?.bytes ?? [], byteCount: byteCount)
        }
    }

    /// Through a blob handle, which reads no more of the value than is asked for; nil when SQLite
    /// gives none.
    private func storedBytes(
        in place: Place, id: Int64, column: Int, offset: Int, count: Int
    ) -> (bytes: [UInt8], byteCount: Int)? {
        guard isUTF8 || place.isCopy, place.source.hasBlobHandles else { return nil }
        var opened: OpaquePointer?
        let name = place.source.columnNames[column]
        let result = sqlite3_blob_open(
            place.connection.handle, "main", place.source.table, name, id, 0, &opened)
        guard result == SQLITE_OK, let blob = opened else { return nil }
        defer { sqlite3_blob_close(blob) }
        let byteCount = Int(sqlite3_blob_bytes(blob))
        let first = min(offset, byteCount)
        let length = min(count, byteCount - first)
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            isRead =
                length == 0
                || sqlite3_blob_read(blob, buffer.baseAddress, Int32(length), Int32(first))
                    == SQLITE_OK
            filled = isRead ? length : 0
        }
        return isRead ? (bytes, byteCount) : nil
    }
}

// MARK: Connections and statements

extension Reader {
    private struct Place {
        let source: RowSource
        let connection: Connection
        let isCopy: Bool
    }

    /// Where the list's rows are; makes the copy of a list that needs one.
    private func place(
        of list: Int, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Place {
        if let source = database.sources[list] {
            return Place(source: source, connection: connection, isCopy: false)
        }
        let table = database.tables[list]
        let copy = try database.copies.copy(of: table, through: connection, cancelled: cancelled)
        let opened = try copies.connection(to: copy.path, of: table) { evicted in
            statements.forget { database.tables[$0] == evicted }
        }
        return Place(source: copy.source, connection: opened, isCopy: true)
    }

    private func statement(
        _ kind: StatementCache.Kind, list: Int, columns: [Int]
    ) throws(ValetError) -> Statement {
        let place = try place(of: list)
        let key = StatementCache.Key(kind: kind, list: list, columns: columns)
        return try statements.statement(for: key) { () throws(ValetError) in
            let sql =
                switch kind {
                case .rows: SQL.rows(place.source, columns: columns)
                case .detail: SQL.row(place.source)
                case .value: SQL.value(place.source, column: columns[0])
                }
            return try place.connection.prepare(sql, for: place.source.subject)
        }
    }
}
