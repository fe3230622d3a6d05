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
        let state = try State(prepared)
        var isLast = true
        for table in stored {
            let place = state.place(of: table)
            let before = state.noted[table.name]
            isLast = isLast && place < state.own
            let since = isFirst || table.keepsRowIDs ? 0 : revision
            tables[table.name] = Table(
                place: place,
                since: state.keepsIDs(of: table) ? min(before?.since ?? since, revision) : since,
                highest: before?.highest ?? 0)
        }
        if tables == state.noted, isLast, !state.isRenumbered { return }
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
        let state = try State(prepared)
        return !state.isRenumbered && stored.allSatisfy(state.keepsIDs)
    }

    /// What was noted, and what there is.
    private struct State {
        var noted: [String: Table] = [:]
        var isRenumbered = false
        /// By name.
        var places: [String: Int64] = [:]

        init(_ prepared: PreparedStatements) throws(ValetError) {
            try prepared.rows(SQL.notedRowIDs, []) { row in
                if row.integer(0) == 1 { isRenumbered = true }
                noted[row.text(1) ?? ""] = Table(
                    place: row.integer(2), since: UInt64(clamping: row.integer(3)),
                    highest: row.integer(4))
                // More are not of Valet.
                return noted.count <= Limits.lists
            }
            try prepared.rows(SQL.placesOfTables, []) { row in
                places[row.text(0) ?? ""] = row.integer(1)
                return true
            }
        }

        var own: Int64 { places[SQL.nameOfRowIDs] ?? 0 }

        func place(of table: StoredTable) -> Int64 {
            table.keepsRowIDs ? 0 : places[table.name] ?? 0
        }

        func keepsIDs(of table: StoredTable) -> Bool {
            let place = place(of: table)
            return !isRenumbered && place < own && noted[table.name]?.place == place
        }
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
