/// The rows of a source, in a temporary table whose columns have the affinity of the list's.
extension SQL {
    static func makeSource(of table: StoredTable, columns: [Int], key: Int) -> String {
        let declared = columns.enumerated().map { place, column in
            "c\(place) \(Affinity(declaredType: table.columns[column].declaredType).typeName)"
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

extension Affinity {
    /// A declared type that has it.
    fileprivate var typeName: String {
        switch self {
        case .integer: "INTEGER"
        case .text: "TEXT"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        case .none: "BLOB"
        }
    }
}
