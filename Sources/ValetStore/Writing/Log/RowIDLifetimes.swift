import ValetModel

/// Since when the row ids in the log name the rows that the tables have now.
///
/// Ids that no column stores may become others: `VACUUM` numbers rows anew, dumps leave ids out,
/// and a program may make a table again. `_valet_row_ids` is a table of this kind, too, and so
/// shows what has happened to the others:
/// - It has no row 1, so that it gets one where rows are numbered anew.
/// - It says where in `sqlite_schema` each table stands. One that was made again, or took the name
///   of another, stands elsewhere: `_valet_row_ids` stands behind all tables, so no place before it
///   is given again.
///
/// Where a column stores the ids, a row is what has the id.
struct RowIDLifetimes {
    struct Table: Equatable {
        /// Its row in `sqlite_schema`.
        var place: Int64
        /// Entries up to this revision name other rows.
        var since: UInt64
        /// No higher row id was told to anybody, but for those that entries note.
        var highest: Int64
    }

    /// By name.
    private var tables: [String: Table] = [:]

    /// Whether the ids that the log has at a revision name the rows of the table.
    func hold(in table: String, at revision: UInt64) -> Bool {
        revision > tables[table]?.since ?? 0
    }

    func highest(of table: String) -> Int64 { tables[table]?.highest ?? 0 }
}

extension RowIDLifetimes {
    /// Finds out what has happened to tables since they were noted, and notes them as they are. In
    /// the transaction that opens the file.
    ///
    /// - Parameters:
    ///   - revision: of the file.
    ///   - isFirst: whether they were never noted. Then nobody knows more of earlier entries.
    init(
        noting stored: [StoredTable], at revision: UInt64, isFirst: Bool,
        _ prepared: PreparedStatements
    ) throws(ValetError) {
        let (noted, isRenumbered) = try Self.noted(prepared)
        let places = try Self.places(prepared)
        let own = places[SQL.nameOfRowIDs] ?? 0
        var isLast = true
        for table in stored {
            let place = Self.place(of: table, in: places)
            let before = noted[table.name]
            isLast = isLast && place < own
            let isSame = before?.place == place && place < own && !isRenumbered
            let since = isFirst || table.keepsRowIDs ? 0 : revision
            tables[table.name] = Table(
                place: place, since: isSame ? min(before?.since ?? since, revision) : since,
                highest: before?.highest ?? 0)
        }
        if tables == noted, isLast, !isRenumbered { return }
        if isLast {
            try prepared.run(SQL.forgetRowIDs)
        } else {
            try prepared.connection.run(SQL.dropTable(SQL.nameOfRowIDs))
            try prepared.connection.run(SQL.makeRowIDs(at: revision))
        }
        for (number, table) in tables.sorted(by: { $0.key < $1.key }).enumerated() {
            try prepared.run(
                SQL.noteRowIDs,
                [
                    .integer(Int64(number) + 2), .text(table.key), .integer(table.value.place),
                    .integer(Int64(clamping: table.value.since)), .integer(table.value.highest),
                ])
        }
    }

    /// Whether all ids still name the rows that they named when they were last noted. If there is
    /// no note, nobody knows.
    static func areKept(
        of stored: [StoredTable], _ prepared: PreparedStatements
    ) throws(ValetError) -> Bool {
        guard try prepared.integer(SQL.rowIDsExist) ?? 0 > 0 else { return false }
        let (noted, isRenumbered) = try noted(prepared)
        let places = try places(prepared)
        let own = places[SQL.nameOfRowIDs] ?? 0
        return !isRenumbered
            && stored.allSatisfy { table in
                let place = place(of: table, in: places)
                return place < own && noted[table.name]?.place == place
            }
    }

    private static func place(of table: StoredTable, in places: [String: Int64]) -> Int64 {
        table.keepsRowIDs ? 0 : places[table.name] ?? 0
    }

    private static func noted(
        _ prepared: PreparedStatements
    ) throws(ValetError) -> (tables: [String: Table], isRenumbered: Bool) {
        var tables: [String: Table] = [:]
        var isRenumbered = false
        try prepared.rows(SQL.notedRowIDs, []) { row in
            if row.integer(0) == 1 { isRenumbered = true }
            tables[row.text(1) ?? ""] = Table(
                place: row.integer(2), since: UInt64(clamping: row.integer(3)),
                highest: row.integer(4))
            // More are not of Valet.
            return tables.count <= Limits.lists
        }
        return (tables, isRenumbered)
    }

    private static func places(
        _ prepared: PreparedStatements
    ) throws(ValetError) -> [String: Int64] {
        var places: [String: Int64] = [:]
        try prepared.rows(SQL.placesOfTables, []) { row in
            places[row.text(0) ?? ""] = row.integer(1)
            return true
        }
        return places
    }
}

extension PreparedStatements {
    /// The revision up to which entries name other rows than the table has now.
    ///
    /// - Parameter newest: of the log, for what the writer has not noted yet.
    func rowIDs(of table: StoredTable, newest: UInt64) throws(ValetError) -> UInt64 {
        // A log of an earlier format notes none.
        guard !table.keepsRowIDs, try integer(SQL.rowIDsExist) ?? 0 > 0 else { return 0 }
        let since = try integer(SQL.rowIDsSince, [.text(table.name)])
        return since.map { UInt64(clamping: $0) } ?? newest
    }

    /// The newest revision up to which entries of any table name other rows.
    func newestRowIDs() throws(ValetError) -> UInt64 {
        guard try integer(SQL.rowIDsExist) ?? 0 > 0 else { return 0 }
        // A forged one must not overflow.
        return min(UInt64(clamping: try integer(SQL.newestRowIDs) ?? 0), 1 << 62)
    }
}
