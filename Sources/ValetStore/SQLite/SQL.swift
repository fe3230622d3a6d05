import CSQLite
import ValetModel

/// All SQL text of the project.
///
/// Values are always bound. Names come only from the schema and are quoted. Columns are qualified,
/// because SQLite takes an unqualified quoted name that matches no column for a text.
package enum SQL {
    // MARK: Connection

    static let hardening =
        "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA trusted_schema=OFF; "
        + "PRAGMA cache_size=-\(Limits.kibibytesOfPageCache)"
    static let schemaProbe = "SELECT 1 FROM sqlite_schema LIMIT 1"
    static let begin = "BEGIN"
    static let commit = "COMMIT"
    static let rollBack = "ROLLBACK"
    static let dataVersion = "PRAGMA data_version"
    /// Those that SQLite made by itself have no SQL.
    static let madeObjects = """
        SELECT type, name, sql, tbl_name, rowid
        FROM sqlite_schema WHERE sql NOT NULL
        """
    static let schemaVersion = "PRAGMA schema_version"
    /// The first problem, or `ok`.
    static let quickCheck = "PRAGMA quick_check(1)"
    static let integrityCheck = "PRAGMA integrity_check(1)"
    /// For a file that is thrown away if its writing fails.
    static let unsafe = "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY"
    static let rollbackJournal = "PRAGMA journal_mode=DELETE"
    /// The lock stays, and there is no transaction, within which nothing can be copied.
    static let lockOut = "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT"
    static let journalMode = "PRAGMA journal_mode"
    static let encoding = "PRAGMA encoding"

    // MARK: Schema

    /// Name, type and whether it is WITHOUT ROWID, in order of creation.
    static let tables = """
        SELECT s.name, l.type, l.wr FROM sqlite_schema AS s
        JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
        WHERE s.type IN ('table', 'view') ORDER BY s.rowid
        """
    /// The tables in which virtual tables store their rows.
    static let shadowTables =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
    /// Name and type of all that is stored in the file or made of it.
    static let tableTypes = """
        SELECT name, type FROM pragma_table_list
        WHERE schema = 'main' AND type IN ('table', 'shadow', 'view')
        """
    /// Name, declared type, place in the primary key, hidden (1: of a virtual table, 2 and 3:
    /// generated), and whether it refuses NULL, for a table's bound name.
    static let columns =
        "SELECT name, type, pk, hidden, \"notnull\" FROM pragma_table_xinfo(?, 'main')"
    /// The table, the column and the key of each foreign key of a bound table that has one column.
    static let simpleForeignKeys = """
        SELECT "table", "from", "to" FROM pragma_foreign_key_list(?, 'main')
        GROUP BY id HAVING count(*) = 1
        """
    /// Nonzero if no two rows have the same bytes in a column. Bound: its table's name, and its.
    static let exactUniqueIndexes = """
        SELECT count(*) FROM pragma_index_list(?, 'main') AS l,
        pragma_index_xinfo(l.name, 'main') AS x
        WHERE l."unique" = 1 AND l.partial = 0 AND x.seqno = 0 AND x.name = ? AND x.coll = 'BINARY'
        AND (SELECT sum(k.key) FROM pragma_index_xinfo(l.name, 'main') AS k) = 1
        """
    /// Nonzero if the primary key has an index of its own, and so is not the rowid.
    static let primaryKeyIndexes =
        "SELECT count(*) FROM pragma_index_list(?, 'main') WHERE origin = 'pk'"

    // MARK: Sampling

    /// The row count, counted up to a bound limit.
    static func countUpTo(_ table: StoredTable) -> String {
        "SELECT count(1) FROM (SELECT 1 FROM \(from(table)) LIMIT ?)"
    }

    static func sampledRows(_ table: StoredTable) -> String {
        "SELECT \(sampledColumns(table)) FROM \(from(table))"
    }

    static func sampledRow(_ table: StoredTable, rowID: String) -> String {
        "SELECT \(rowID), \(sampledColumns(table)) FROM \(from(table)) NOT INDEXED"
            + " WHERE \(rowID) >= ? ORDER BY \(rowID) LIMIT 1"
    }

    static func rowIDAtOrAfter(_ table: StoredTable, rowID: String) -> String {
        "SELECT \(rowID) FROM \(from(table)) NOT INDEXED"
            + " WHERE \(rowID) >= ? ORDER BY \(rowID) LIMIT 1"
    }

    static func rowIDBefore(_ table: StoredTable, rowID: String) -> String {
        "SELECT \(rowID) FROM \(from(table)) NOT INDEXED"
            + " WHERE \(rowID) <= ? ORDER BY \(rowID) DESC LIMIT 1"
    }

    private static func sampledColumns(_ table: StoredTable) -> String {
        table.columns.map { columnWithoutBlobs($0.name) }.joined(separator: ",")
    }

    static func from(_ table: StoredTable) -> String { "main.\(quoted(table.name)) AS s" }

    // MARK: Names

    package static func quoted(_ name: String) -> String { name.inDoubleQuotes }

    /// The name as SQLite compares it: case-insensitive for ASCII only.
    static func caseFolded(_ name: String) -> String {
        String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// A column of the table, which has the alias `s` in every statement.
    static func column(_ name: String) -> String { "s." + quoted(name) }

    /// A column whose blobs are measured, not loaded: `zeroblob` takes no memory until its bytes
    /// are read, and neither `typeof` nor `length` reads a blob's overflow pages.
    static func columnWithoutBlobs(_ name: String) -> String {
        let column = column(name)
        return "CASE typeof(\(column)) WHEN 'blob' THEN zeroblob(length(\(column))) "
            + "ELSE \(column) END"
    }

    // MARK: Reading rows

    /// Not `count(*)`, which SQLite runs as one uninterruptible step.
    static func rowCount(_ source: RowSource) -> String {
        "SELECT count(1) FROM \(source.from)"
    }

    /// The rows of a list, without its indexes, beside the rows that have the titles among columns.
    private static func from(_ source: RowSource, for columns: [Int]) -> String {
        let titles = source.titles.filter { columns.contains($0.column) }.map { title in
            " LEFT JOIN main.\(quoted(title.table)) AS t\(title.column)"
                + " ON t\(title.column).\(quoted(title.key))"
                + " = \(column(title.keyName)) COLLATE BINARY"
        }
        return "FROM \(source.from) NOT INDEXED" + titles.joined()
    }

    /// Of several columns, the texts that there are, with spaces between; NULL if there are none.
    private static func name(_ source: TitleSource, in table: String) -> String {
        let columns = source.names.map { "\(table).\(quoted($0))" }
        if columns.count == 1 { return columns[0] }
        let texts = columns.map { "coalesce(\($0), '')" }
        return "nullif(trim(\(texts.joined(separator: " || ' ' || "))), '')"
    }

    /// Of the row that has the bound key.
    static func title(of source: TitleSource) -> String {
        "SELECT \(name(source, in: "s")) FROM main.\(quoted(source.table)) AS s"
            + " WHERE s.\(quoted(source.key)) = ? COLLATE BINARY"
    }

    /// Avoids indexes, even covering ones: they would need a sort by rowid.
    static func scan(_ source: RowSource, columns: [Int], isFollowing: Bool = false) -> String {
        "SELECT \(selection(source, columns)) \(from(source, for: columns))"
            + (isFollowing ? " WHERE \(source.rowID) >= ?" : "")
            + " ORDER BY \(source.rowID)"
    }

    static func rows(_ source: RowSource, columns: [Int]) -> String {
        let marks = repeatElement("?", count: Limits.rowsPerLeaf).joined(separator: ",")
        return "SELECT \(selection(source, columns)) \(from(source, for: columns))"
            + " WHERE \(source.rowID) IN (\(marks))"
    }

    static func row(_ source: RowSource) -> String {
        let columns = Array(0..<source.columnCount)
        let selected = columns.map { column in
            source.columnNames[checked: column].map(columnWithoutBlobs)
                ?? value(of: column, in: source)
        }
        return "SELECT \(selected.joined(separator: ",")) \(from(source, for: columns))"
            + " WHERE \(source.rowID) = ?"
    }

    /// One whole value.
    static func value(_ source: RowSource, column: Int) -> String {
        let value =
            source.columnNames[checked: column].map(self.column) ?? value(of: column, in: source)
        return "SELECT \(value) \(from(source, for: [column]))"
            + " WHERE \(source.rowID) = ?"
    }

    /// The lowest and highest row id. A single `SELECT min, max` would scan the whole table.
    static func rowIDBounds(_ source: RowSource) -> String {
        "SELECT (SELECT min(\(source.rowID)) FROM \(source.from)),"
            + " (SELECT max(\(source.rowID)) FROM \(source.from))"
    }

    private static func selection(_ source: RowSource, _ columns: [Int]) -> String {
        ([source.rowID] + columns.map { value(of: $0, in: source) }).joined(separator: ",")
    }

    private static func value(of column: Int, in source: RowSource) -> String {
        guard let name = source.columnNames[checked: column] else {
            return source.titles.first { $0.column == column }.map { name($0, in: "t\(column)") }
                ?? "NULL"
        }
        return source.holdsBlobs[column] ? columnWithoutBlobs(name) : self.column(name)
    }

    // MARK: Writing rows

    static let beginWriting = "BEGIN IMMEDIATE"
    /// A scratch file is lost with its process, so it needs no durability.
    static let scratch = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"
    static let nameIsTaken = "SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE"
    /// Type, and whether it is STRICT.
    static let tableKind = """
        SELECT type, strict FROM pragma_table_list
        WHERE schema = 'main' AND name = ? COLLATE NOCASE
        """
    static let writing = "PRAGMA foreign_keys=ON"

    static func makeTable(_ name: String, columns: [NewColumn]) -> String {
        let declared = columns.map { "\(quoted($0.name)) \($0.type.rawValue)" }
        return "CREATE TABLE main.\(quoted(name)) (\(declared.joined(separator: ", ")))"
    }

    static func insert(into table: String, columns: [String]) -> String {
        let marks = repeatElement("?", count: columns.count).joined(separator: ",")
        return "INSERT INTO main.\(quoted(table)) (\(columns.map(quoted).joined(separator: ",")))"
            + " VALUES (\(marks))"
    }

    static let rowIDOfCopy = "i"

    static func makeCopy(_ table: String, columns: [String]) -> String {
        let all = ["\(rowIDOfCopy) INTEGER PRIMARY KEY"] + columns.map(quoted)
        return "CREATE TABLE main.\(quoted(table)) (\(all.joined(separator: ", ")))"
    }

    static func indexCopy(_ table: String, key: [String]) -> String {
        "CREATE INDEX main.key ON \(quoted(table)) (\(key.map(quoted).joined(separator: ",")))"
    }

    static func rowID(inCopy table: String, key: [String]) -> String {
        let tests = key.map { "\(quoted($0)) IS ?" }
        return "SELECT \(rowIDOfCopy) FROM main.\(quoted(table))"
            + " WHERE \(tests.joined(separator: " AND "))"
    }

    /// All rows of a table or view, in any order: the copy gives them row ids.
    static func everything(of table: StoredTable) -> String {
        let selected = table.columns.map { column($0.name) }.joined(separator: ",")
        return "SELECT \(selected) FROM \(from(table))"
    }

    /// What is stored of each row of a table.
    static func contentColumns(of table: StoredTable) -> [String] {
        let stored = table.columns.filter { !$0.isGenerated }.map { column($0.name) }
        return (table.rowID.map { [$0] } ?? []) + stored
    }

    /// All rows, in the order of row ids or keys.
    static func content(_ columns: [String], of table: StoredTable) -> String {
        let keys =
            table.rowID.map { [$0] } ?? table.keyColumns.map { column(table.columns[$0].name) }
        let order = keys.isEmpty ? "" : " ORDER BY \(keys.joined(separator: ","))"
        return "SELECT \(columns.joined(separator: ",")) FROM \(from(table)) NOT INDEXED\(order)"
    }

    // MARK: What columns make of values

    static let asText = "SELECT CAST(? AS TEXT)"
    /// As a column does it whose type means numbers, if all of a text is a number.
    static let asNumber = "SELECT CAST(? AS NUMERIC)"

    /// As `asText` does it.
    static func text(of real: Double) -> String {
        let text = withVaList([real]) { sqlite3_vmprintf("%!.15g", $0) }
        defer { sqlite3_free(text) }
        return text.map { String(cString: $0) } ?? String(real)
    }

    // MARK: Manual order, along the index of its column

    enum Direction {
        case forward
        case backward

        fileprivate var order: String { self == .forward ? "ASC" : "DESC" }
        fileprivate var sign: String { self == .forward ? ">" : "<" }
    }

    /// Nonzero if an index begins with a column. Bound: a table's and a column's name. A partial
    /// index lacks rows, and in a unique one renumbered rows could not pass each other.
    static let indexesOfColumn = """
        SELECT count(*) FROM pragma_index_list(?, 'main') AS l,
        pragma_index_xinfo(l.name, 'main') AS x
        WHERE l.partial = 0 AND l."unique" = 0 AND x.seqno = 0 AND x.name = ?
        """

    static func makeIndex(of table: StoredTable, on column: String) -> String {
        "CREATE INDEX \(quoted("\(table.name) by \(column)")) ON \(quoted(table.name)) "
            + "(\(quoted(column)))"
    }

    /// Row ids and positions of rows with one position. Bound: the position, and the first row id.
    static func rows(
        of table: StoredTable, rowID: String, at position: Int, _ direction: Direction
    ) -> String {
        positioned(table, rowID: rowID, position)
            + " WHERE \(column(table.columns[position].name)) IS ?"
            + " AND \(rowID) \(direction.sign)= ? ORDER BY \(rowID) \(direction.order)"
    }

    /// Row ids and positions of rows beyond a bound position, without those that have none.
    static func rows(
        of table: StoredTable, rowID: String, beyond position: Int, _ direction: Direction
    ) -> String {
        let column = column(table.columns[position].name)
        return positioned(table, rowID: rowID, position)
            + " WHERE \(column) \(direction.sign) ? ORDER BY \(column) \(direction.order), "
            + "\(rowID) \(direction.order)"
    }

    private static func positioned(_ table: StoredTable, rowID: String, _ position: Int) -> String {
        "SELECT \(rowID), \(column(table.columns[position].name)) FROM \(from(table))"
    }

    // MARK: A source, in a temporary table whose columns have the affinity of the list's

    static func makeSource(of table: StoredTable, columns: [Int], key: Int) -> String {
        let declared = columns.enumerated().map { place, column in
            "c\(place) \(Affinity(declaredType: table.columns[column].declaredType).rawValue)"
                + (place == key ? " UNIQUE" : "")
        }
        return "CREATE TEMP TABLE source (\(declared.joined(separator: ", ")))"
    }

    static func addToSource(columnCount: Int) -> String {
        let marks = repeatElement("?", count: columnCount).joined(separator: ",")
        return "INSERT OR IGNORE INTO temp.source VALUES (\(marks))"
    }

    /// For each row of the table: its id, that of the source's row with its key or NULL, and for
    /// each column whether the two differ and the source's value.
    static func compareWithSource(
        _ table: StoredTable, rowID: String, columns: [Int], key: Int
    ) -> String {
        let pairs = columns.enumerated().map { place, column in
            "\(self.column(table.columns[column].name)) COLLATE BINARY IS NOT f.c\(place), "
                + "f.c\(place)"
        }
        return "SELECT \(rowID), f.rowid, \(pairs.joined(separator: ", "))"
            + " FROM main.\(quoted(table.name)) AS s NOT INDEXED LEFT JOIN temp.source AS f"
            + " ON f.c\(key) = \(column(table.columns[columns[key]].name)) COLLATE BINARY"
            + " ORDER BY \(rowID)"
    }

    static func sourceRows(columnCount: Int) -> String {
        let columns = (0..<columnCount).map { "c\($0)" }
        return "SELECT rowid, \(columns.joined(separator: ", ")) FROM temp.source ORDER BY rowid"
    }
}
