import CSQLite
import ValetModel

/// A table or view as its schema describes it.
struct StoredTable: Equatable, Sendable {
    enum Kind: String, Sendable {
        case table
        case view
        case virtual
    }

    let name: String
    let kind: Kind
    let columns: [StoredColumn]
    /// An SQL expression for the row id, in terms of the table alias `s`; nil if the rows have no
    /// accessible id and must be copied.
    let rowID: String?
    /// The INTEGER PRIMARY KEY, which is the row id.
    let rowIDColumn: Int?
    /// Its columns whose values name rows of other tables.
    fileprivate(set) var references: [StoredReference] = []

    /// False for columns that SQLite computes, for the row id, and for those of titles.
    func isSettable(_ column: Int) -> Bool {
        column != rowIDColumn && columns[checked: column].map { !$0.isGenerated } ?? false
    }

    /// The columns that name a row of a table without row ids, in order of the key.
    var keyColumns: [Int] {
        guard kind == .table, rowID == nil else { return [] }
        return columns.indices.filter { columns[$0].placeInPrimaryKey > 0 }
            .sorted { columns[$0].placeInPrimaryKey < columns[$1].placeInPrimaryKey }
    }

    /// For how long the ids of its rows mean the same.
    var rowIDs: RowIDLifetime {
        if keepsRowIDs { return .row }
        return rowID != nil || !keyColumns.isEmpty ? .epoch : .revision
    }

    /// True if its rows can be changed by row id.
    var isWritable: Bool { kind == .table && rowID != nil }

    var subject: String { Self.subject(of: kind, name) }

    static func subject(of kind: Kind, _ name: String) -> String {
        switch kind {
        case .table, .virtual: "table “\(name)”"
        case .view: "view “\(name)”"
        }
    }
}

struct StoredColumn: Equatable, Sendable {
    let name: String
    let declaredType: String
    /// Computed from other columns on every read.
    let isVirtual: Bool
    /// Computed from other columns: virtual, or stored.
    let isGenerated: Bool
    let isRequired: Bool
    /// From 1; 0 for other columns.
    let placeInPrimaryKey: Int
}

/// The tables and views of a database that can be lists, in order of creation.
struct Schema: Equatable {
    private(set) var tables: [StoredTable] = []
    private(set) var leftOut: [LeftOut] = []

    init(of connection: Connection) throws(ValetError) {
        let storing = try Self.storingVirtualTables(on: connection)
        let statement = try connection.prepare(SQL.tables)
        while try statement.step() {
            let shown = statement.text(0) ?? ""
            if Self.isInternal(shown) { continue }
            // Shadow tables are the storage of virtual tables.
            guard let kind = StoredTable.Kind(rawValue: statement.text(1) ?? "") else { continue }
            guard let name = statement.validText(0), name.utf8.count <= Limits.bytesPerName else {
                leftOut.append(LeftOut(name: shown, reason: "its name is too long, or not UTF-8"))
                continue
            }
            guard tables.count < Limits.lists else {
                leftOut.append(LeftOut(name: name, reason: "lists are limited to \(Limits.lists)"))
                continue
            }
            let hasRowIDs =
                switch kind {
                case .table: statement.integer(2) == 0
                case .virtual: storing.contains(SQL.caseFolded(name))
                case .view: false
                }
            try add(name, kind, hasRowIDs: hasRowIDs, on: connection)
        }
        let references = try Self.references(among: tables, on: connection)
        for (number, references) in references.enumerated() {
            tables[number].references = references
        }
    }

    /// SQLite's own tables, and those of Valet's log.
    static func isInternal(_ name: String) -> Bool {
        let folded = SQL.caseFolded(name).utf8
        return folded.starts(with: "sqlite_".utf8) || folded.starts(with: "_valet_".utf8)
    }

    /// Adds one table; an error in it must not stop the others. A view may name tables that are
    /// gone, and a virtual table may be damaged or need a module that is not available.
    private mutating func add(
        _ name: String, _ kind: StoredTable.Kind, hasRowIDs: Bool, on connection: Connection
    ) throws(ValetError) {
        do throws(ValetError) {
            let subject = StoredTable.subject(of: kind, name)
            let rows = try Self.columns(of: name, on: connection, for: subject)
            let rowIDColumn =
                hasRowIDs && kind == .table
                ? try Self.rowIDColumn(of: name, columns: rows, on: connection) : nil
            let rowID = hasRowIDs ? Self.rowID(columns: rows, rowIDColumn: rowIDColumn) : nil
            let columns = rows.filter { !$0.isHidden }.map(\.column)
            guard columns.count <= Limits.columnsPerList else {
                throw .listUnavailable(
                    "\(subject) has \(columns.count) columns, and a list is limited to "
                        + "\(Limits.columnsPerList) (columnsPerList)")
            }
            let table = StoredTable(
                name: name, kind: kind, columns: columns, rowID: rowID, rowIDColumn: rowIDColumn)
            _ = try connection.prepare(SQL.everything(of: table), for: table.subject)
            tables.append(table)
        } catch  where [.listUnavailable, .storageFailed].contains(error.code) {
            leftOut.append(LeftOut(name: name, reason: error.message))
        }
    }

    /// Virtual tables with shadow tables, such as FTS5, FTS4 and R-trees: their row ids are stable,
    /// and lookups by them are fast. Others, such as `fts5vocab`, number rows on the fly and so are
    /// copied.
    private static func storingVirtualTables(
        on connection: Connection
    ) throws(ValetError) -> Set<String> {
        let statement = try connection.prepare(SQL.shadowTables)
        var names: Set<String> = []
        while try statement.step() {
            // The part after the last underscore is the shadow table's purpose: `notes_content`.
            guard let name = statement.validText(0), let end = name.lastIndex(of: "_") else {
                continue
            }
            names.insert(SQL.caseFolded(String(name[..<end])))
        }
        return names
    }

    // MARK: Columns and row ids

    private struct ColumnRow {
        let column: StoredColumn
        let isHidden: Bool
    }

    private static func columns(
        of table: String, on connection: Connection, for subject: String
    ) throws(ValetError) -> [ColumnRow] {
        let statement = try connection.prepare(SQL.columns, [.text(table)], for: subject)
        var rows: [ColumnRow] = []
        while try statement.step() {
            guard let name = statement.validText(0), name.utf8.count <= Limits.bytesPerName
            else {
                throw .listUnavailable(
                    "the name of its column \(rows.count) is too long, or not UTF-8")
            }
            rows.append(
                ColumnRow(
                    column: StoredColumn(
                        name: name, declaredType: statement.text(1) ?? "",
                        isVirtual: statement.integer(3) == 2,
                        isGenerated: statement.integer(3) >= 2,
                        isRequired: statement.integer(4) != 0,
                        placeInPrimaryKey: Int(truncatingIfNeeded: statement.integer(2))),
                    isHidden: statement.integer(3) == 1))
        }
        guard !rows.isEmpty else { throw .listUnavailable("it has no columns that can be read") }
        return rows
    }

    /// An alias that no column shadows; else the INTEGER PRIMARY KEY, which is the rowid itself.
    private static func rowID(columns: [ColumnRow], rowIDColumn: Int?) -> String? {
        let names = Set(columns.map { $0.column.name.lowercased() })
        if let alias = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) {
            return "s." + alias
        }
        return rowIDColumn.map { SQL.column(columns[$0].column.name) }
    }

    /// The column of a table with row ids that is the row id itself.
    private static func rowIDColumn(
        of table: String, columns: [ColumnRow], on connection: Connection
    ) throws(ValetError) -> Int? {
        let key = columns.indices.filter { columns[$0].column.placeInPrimaryKey > 0 }
        guard key.count == 1, columns[key[0]].column.declaredType.uppercased() == "INTEGER"
        else { return nil }
        // INTEGER PRIMARY KEY DESC is the exception: by a historic quirk it has an index of its
        // own.
        let indexes = try connection.integer(SQL.primaryKeyIndexes, [.text(table)])
        return indexes == 0 ? key[0] : nil
    }
}
