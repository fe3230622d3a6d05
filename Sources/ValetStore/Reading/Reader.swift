import CSQLite
import ValetArrangement
import ValetModel

/// Reads the rows of one database on a connection of its own, for one thread at a time.
///
/// Lists and columns are positions in the catalog and in `ListDescription.columns`; invalid ones
/// trap, since callers have resolved names before. Every call is one read transaction, so its
/// result is of one commit. Callbacks must not call the reader.
///
/// Every call has a budget, and throws `.overBudget` when it is spent. Two flags end a call early,
/// within a few hundred steps of SQLite: the call's own `cancelled`, with `.superseded`, and the
/// `isStopping` of `Database.makeReader`, with `.shuttingDown`. So a pool stops by setting its flag
/// and waiting for its threads.
package final class Reader {
    let database: Database
    let connection: Connection
    /// For Valet's own tables.
    let logStatements: PreparedStatements
    let isStopping: @Sendable () -> Bool
    /// nil for a reader that reads what is newest.
    var pinned: Pinned?
    private var statements = StatementCache()
    private var copies = CopyConnections()
    /// Blob handles return bytes as stored, which for text is the file's encoding.
    private let isUTF8: Bool

    init(of database: Database, isStopping: @escaping @Sendable () -> Bool) throws(ValetError) {
        self.database = database
        self.isStopping = isStopping
        let connection = try Connection(path: database.path, isStopping: isStopping)
        try database.watch.check(connection)
        self.connection = connection
        logStatements = PreparedStatements(connection)
        isUTF8 = try connection.result(of: connection.storesUTF8(), within: .opening)
    }

    /// The newest revision of the list's rows. Everything read before this call is of that revision
    /// or an earlier one.
    package func revision(ofList list: Int) throws(ValetError) -> UInt64 {
        if let pinned { return pinned.revision }
        if database.sources[list] != nil { return try database.watch.look() }
        return database.copies.finishedCopy(of: database.tables[list])?.revision ?? 0
    }

    /// The newest revision of another program that a look has found.
    package var othersRevision: UInt64 { database.watch.othersRevision }

    /// Runs `body` in one read transaction and passes it the transaction's revision.
    ///
    /// - Parameter isNewest: whether an outdated copy is made again first, for a list that is read
    ///   through one.
    package func reading<Value>(
        list: Int, isNewest: Bool = false, cancelled: () -> Bool = { false },
        _ body: (UInt64) throws(ValetError) -> Value
    ) throws(ValetError) -> Value {
        if let pinned {
            return try readingPinned { () throws(ValetError) in try body(pinned.revision) }
        }
        guard database.sources[list] == nil else {
            return try connection.reading(database.watch, body)
        }
        let oldest = isNewest ? try database.watch.look() : 0
        let copy = try place(of: list, notBefore: oldest, cancelled: cancelled)
        let value = try body(copy.revision ?? 0)
        guard try revision(ofList: list) == copy.revision else {
            // Another reader has renewed the copy meanwhile.
            return try reading(list: list, cancelled: cancelled, body)
        }
        return value
    }

    /// The exact row count of the list, counted by SQLite. A view, or a table without row ids, is
    /// counted in place, unless it has been copied.
    ///
    /// - Parameter time: how long that may take.
    package func rowCount(
        list: Int, for allowed: AllowedList? = nil, within time: Duration = Budget.count.time,
        cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Int {
        let budget = Budget.count.taking(time)
        if let listed = allowed.map(\.rows) ?? database.listedRows[list] {
            return try rowCount(list: list, listed, within: budget, cancelled)
        }
        let table = database.tables[list]
        if let place = try placeIfCopied(list) {
            return try place.connection.working(within: budget, cancelled: cancelled) {
                () throws(ValetError) in
                let sql = SQL.rowCount(place.source)
                return Int(try place.connection.integer(sql, for: place.source.subject))
            }
        }
        return try connection.working(within: budget, cancelled: cancelled) {
            () throws(ValetError) in
            try database.copies.rowCount(of: table, through: connection)
        }
    }

    /// Counts the rows that meet the list's conditions, some thousand at a time.
    private func rowCount(
        list: Int, _ listed: ListedRows, within budget: Budget, _ cancelled: () -> Bool
    ) throws(ValetError) -> Int {
        let place = try place(of: list, cancelled: cancelled)
        return try place.working(within: budget, cancelled) { () throws(ValetError) in
            let sql = SQL.scan(place.source, columns: listed.columns)
            let statement = try place.connection.prepare(sql, for: place.source.subject)
            var (rows, count) = (listed.noRows, 0)
            while try statement.step() {
                let row = StoredRow(statement)
                rows.beginRow(Int64(rows.rowCount))
                for place in listed.columns.indices { rows.append(row[place], to: place) }
                guard rows.rowCount == ColumnChunk.slots else { continue }
                count += listed.count(in: rows.finish())
                rows = listed.noRows
            }
            return count + listed.count(in: rows.finish())
        }
    }

    /// The lowest and highest row id; nil for an empty list.
    package func rowIDBounds(
        list: Int, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> ClosedRange<Int64>? {
        // Makes the copy if the list needs one, which may take long.
        let place = try place(of: list, cancelled: cancelled)
        return try place.working(within: budgets.row, cancelled) { () throws(ValetError) in
            let sql = SQL.rowIDBounds(place.source)
            let statement = try place.connection.prepare(sql, for: place.source.subject)
            guard try statement.step(), case .integer(let least) = statement.value(0),
                case .integer(let greatest) = statement.value(1)
            else { return nil }
            guard least <= greatest else { throw place.rowIDsOutOfOrder }
            return least...greatest
        }
    }

    /// Calls `row` with the rows of these ids and their positions in `ids`, in any order. Deleted
    /// rows are skipped.
    ///
    /// - Parameter ids: at most `Limits.rowsPerLeaf`, all different.
    package func rows(
        list: Int, ids: [Int64], columns: [Int], cancelled: () -> Bool = { false },
        row: (Int, borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) {
        precondition(ids.count <= Limits.rowsPerLeaf, "rows(list:ids:) takes a leaf's rows")
        let place = try place(of: list, cancelled: cancelled)
        try place.working(within: budgets.lookup, cancelled) { () throws(ValetError) in
            try rows(in: place, ids: ids, columns: columns, row: row)
        }
    }

    private func rows(
        in place: Place, ids: [Int64], columns: [Int],
        row: (Int, borrowing StoredRow) throws(ValetError) -> Void
    ) throws(ValetError) {
        let statement = try statement(.rows, in: place, columns: columns)
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
            // A linear search of 64 numbers is cheaper than building a table.
            guard let position = ids.firstIndex(of: stored.id) else { continue }
            try row(position, stored)
        }
    }

    /// Whether the list has the row: one of its table that does not meet its conditions is none of
    /// its own. Called in a transaction.
    private func isListed(
        _ id: Int64, for allowed: AllowedList?, in place: Place
    ) throws(ValetError) -> Bool {
        guard let listed = allowed.map(\.rows) ?? database.listedRows[place.list] else {
            return true
        }
        var isListed = false
        try rows(in: place, ids: [id], columns: listed.columns) { (_, row) in
            isListed = listed.contains { $1.append(row[$0], to: $0) }
        }
        return isListed
    }

    var budgets: Budgets { database.budgets }

    // MARK: One row

    /// All cells of a row; those longer than `Limits.bytesPerDetailCell` are marked as cut. nil if
    /// the list has no such row.
    package func detail(
        list: Int, id: Int64, for allowed: AllowedList? = nil, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> [Cell]? {
        let place = try place(of: list, cancelled: cancelled)
        return try place.working(within: budgets.lookup, cancelled) { () throws(ValetError) in
            try place.connection.reading { () throws(ValetError) in
                guard try isListed(id, for: allowed, in: place) else { return nil }
                let statement = try statement(.detail, in: place, columns: [])
                defer { statement.reset() }
                statement.bind(id, at: 0)
                guard try statement.step() else { return nil }
                var cells: [Cell] = []
                cells.reserveCapacity(statement.columnCount)
                for column in 0..<statement.columnCount {
                    let limit = Limits.bytesPerDetailCell
                    // The statement has zeros in place of a blob.
                    guard case .blob(let byteCount) = statement.value(column) else {
                        cells.append(statement.cell(column, limit: limit))
                        continue
                    }
                    let piece = try piece(
                        in: place, id: id, column: column, offset: 0, count: limit)
                    cells.append(.blob(bytes: piece?.bytes ?? [], byteCount: byteCount))
                }
                return cells
            }
        }
    }

    /// A piece of a text's UTF-8 bytes or of a blob, and the size of the whole. nil if the list has
    /// no such row or the value is of another kind.
    ///
    /// - Parameters:
    ///   - offset: at or past the end, the piece is empty.
    ///   - revision: that of the transaction which it is called in; nil outside of one.
    package func piece(
        list: Int, id: Int64, column: Int, offset: Int, count: Int, at revision: UInt64? = nil,
        for allowed: AllowedList? = nil, cancelled: () -> Bool = { false }
    ) throws(ValetError) -> (bytes: [UInt8], byteCount: Int)? {
        precondition(offset >= 0 && count >= 0, "a piece has a place and a length")
        // Without a transaction, what is kept is of this revision or a later one. A pin uses none.
        let revision =
            if let revision { revision } else { try self.revision(ofList: list) }
        let value = ReadAhead.Value(list: list, rowID: id, column: column)
        // What is kept is for those who may see all rows.
        let ahead = pinned == nil && allowed?.sight == nil ? database.readAhead : nil
        if let known = ahead?.piece(of: value, at: revision, offset: offset, count: count) {
            return known
        }
        let length = ahead?.length(of: value, at: revision, offset: offset, count: count) ?? count
        let place = try place(of: list, cancelled: cancelled)
        let read = try place.working(within: budgets.lookup, cancelled) { () throws(ValetError) in
            try place.connection.reading {
                () throws(ValetError) -> (bytes: [UInt8], byteCount: Int)? in
                guard try isListed(id, for: allowed, in: place) else { return nil }
                return try piece(in: place, id: id, column: column, offset: offset, count: length)
            }
        }
        guard let read else { return nil }
        ahead?.keep(read.bytes, at: offset, of: value, read.byteCount, at: revision)
        return (Array(read.bytes.prefix(count)), read.byteCount)
    }

    private func piece(
        in place: Place, id: Int64, column: Int, offset: Int, count: Int
    ) throws(ValetError) -> (bytes: [UInt8], byteCount: Int)? {
        if let piece = storedBytes(in: place, id: id, column: column, offset: offset, count: count)
        {
            return piece
        }
        // Numbers, tables with virtual columns and UTF-16 files have no usable blob handle.
        let statement = try statement(.value, in: place, columns: [column])
        defer { statement.reset() }
        statement.bind(id, at: 0)
        guard try statement.step(), let bytes = statement.bytes(0) else { return nil }
        return (Array(bytes.dropFirst(offset).prefix(count)), bytes.count)
    }

    /// Reads through a blob handle, which loads only the requested bytes; nil if SQLite provides
    /// none.
    private func storedBytes(
        in place: Place, id: Int64, column: Int, offset: Int, count: Int
    ) -> (bytes: [UInt8], byteCount: Int)? {
        guard isUTF8 || place.isCopy, place.source.hasBlobHandles,
            let name = place.source.columnNames[checked: column]
        else { return nil }
        var opened: OpaquePointer?
        let result = sqlite3_blob_open(
            place.connection.handle, "main", place.source.table, name, id, 0, &opened)
        guard result == SQLITE_OK, let blob = opened else { return nil }
        defer { sqlite3_blob_close(blob) }
        let byteCount = Int(sqlite3_blob_bytes(blob))
        let first = min(offset, byteCount)
        let length = min(count, byteCount - first)
        guard length > 0 else { return ([], byteCount) }
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            isRead =
                sqlite3_blob_read(blob, buffer.baseAddress, Int32(length), Int32(first))
                == SQLITE_OK
            filled = isRead ? length : 0
        }
        return isRead ? (bytes, byteCount) : nil
    }

    // MARK: Connections and statements

    struct Place {
        let list: Int
        let source: RowSource
        let connection: Connection
        /// The file's revision when the copy was made; nil for rows in the file itself.
        let revision: UInt64?

        var isCopy: Bool { revision != nil }

        func working<Value>(
            within budget: Budget, _ cancelled: () -> Bool,
            _ body: () throws(ValetError) -> Value
        ) throws(ValetError) -> Value {
            try connection.working(within: budget, cancelled: cancelled, body)
        }

        var rowIDsOutOfOrder: ValetError {
            connection.damage("row ids out of order", of: source.subject)
        }
    }

    /// Where the list's rows are; makes the copy if the list needs one.
    func place(
        of list: Int, notBefore oldest: UInt64 = 0, cancelled: () -> Bool
    ) throws(ValetError) -> Place {
        if let source = database.sources[list] {
            return Place(list: list, source: source, connection: connection, revision: nil)
        }
        if let copy = pinned?.copy { return try place(of: list, in: copy) }
        return try place(of: list, in: copy(of: list, notBefore: oldest, cancelled: cancelled))
    }

    func copy(
        of list: Int, notBefore oldest: UInt64, cancelled: () -> Bool
    ) throws(ValetError) -> RowCopies.Copy {
        try connection.working(within: budgets.copy, cancelled: cancelled) {
            () throws(ValetError) in
            try database.copies.copy(
                of: database.tables[list], notBefore: oldest, through: connection)
        }
    }

    /// The same, without copying: nil if the list has no copy yet.
    private func placeIfCopied(_ list: Int) throws(ValetError) -> Place? {
        if database.sources[list] != nil { return try place(of: list, cancelled: { false }) }
        guard let copy = database.copies.finishedCopy(of: database.tables[list]) else { return nil }
        return try place(of: list, in: copy)
    }

    func place(of list: Int, in copy: RowCopies.Copy) throws(ValetError) -> Place {
        let opened = try copies.connection(
            to: copy.path, of: database.tables[list], isStopping: isStopping
        ) { evicted in
            statements.forget { database.tables[$0] == evicted }
        }
        return Place(list: list, source: copy.source, connection: opened, revision: copy.revision)
    }

    private func statement(
        _ kind: StatementCache.Kind, in place: Place, columns: [Int]
    ) throws(ValetError) -> Statement {
        let key = StatementCache.Key(kind: kind, list: place.list, columns: columns)
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
