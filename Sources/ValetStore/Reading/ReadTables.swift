import CSQLite
import ValetModel

/// What a view, a virtual table, or a table without row ids is made of: a commit to any of these
/// tables may change its rows.
enum ReadTables: Equatable, Sendable {
    /// Table names as `SQL.caseFolded` has them.
    case named(Set<String>)
    /// Which tables a virtual table reads is its own matter.
    case any

    /// nil for a table whose changed rows are known by their ids.
    init?(
        of table: StoredTable, stored: Set<String>, views: Set<String>,
        on connection: Connection
    ) throws(ValetError) {
        switch table.kind {
        case .table where table.rowID != nil: return nil
        case .table: self = .named([SQL.caseFolded(table.name)])
        case .virtual: self = .any
        case .view:
            let read = try connection.tablesRead(by: SQL.everything(of: table), for: table.subject)
                .subtracting(views)
            // Anything else is a virtual table or a function that gives a table.
            self = read.isSubset(of: stored) ? .named(read) : .any
        }
    }

    func mayChange(with tables: Set<String>) -> Bool {
        switch self {
        case .named(let read): !read.isDisjoint(with: tables)
        case .any: !tables.isEmpty
        }
    }

    /// By table of the schema.
    static func all(
        of schema: Schema, on connection: Connection
    ) throws(ValetError) -> [ReadTables?] {
        var (stored, views): (Set<String>, Set<String>) = ([], [])
        let names = try connection.prepare(SQL.tableTypes)
        while try names.step() {
            let name = SQL.caseFolded(names.text(0) ?? "")
            if names.text(1) == "view" {
                views.insert(name)
            } else if !Schema.isInternal(name) {
                stored.insert(name)
            }
        }
        return try schema.tables.map { table throws(ValetError) in
            try ReadTables(of: table, stored: stored, views: views, on: connection)
        }
    }
}

extension Connection {
    /// The tables and views that a statement reads, also through other views. SQLite asks its
    /// authorizer about each while it prepares the statement.
    fileprivate func tablesRead(
        by sql: String, for subject: String
    ) throws(ValetError) -> Set<String> {
        let names = TableNames()
        sqlite3_set_authorizer(
            handle,
            { context, action, table, _, _, _ in
                if action == SQLITE_READ, let context, let table {
                    Unmanaged<TableNames>.fromOpaque(context).takeUnretainedValue()
                        .read.insert(SQL.caseFolded(String(cString: table)))
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(names).toOpaque())
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        _ = try prepare(sql, for: subject)
        return names.read
    }
}

private final class TableNames {
    var read: Set<String> = []
}
