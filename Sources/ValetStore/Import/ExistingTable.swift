import ValetModel

/// A column of an existing table, as an import needs it.
struct ColumnToFill {
    let name: String
    let affinity: Affinity
    /// An INTEGER PRIMARY KEY numbers its rows.
    let fillsItself: Bool

    /// SQLite turns texts into what a declared type wants, with nothing lost that is a text there;
    /// a column without a type keeps what it is given, so it is given what the file was found to
    /// have.
    func type(for found: CSVType) -> CSVType {
        switch affinity {
        case .integer, .text, .real, .numeric: .text
        case .none: found
        }
    }
}

extension Connection {
    /// True when a table, view or index has the name.
    func hasTable(_ name: String) throws(ValetError) -> Bool {
        let statement = try prepare(SQL.nameIsTaken)
        statement.bind(name, at: 0)
        return try statement.step() && statement.integer(0) > 0
    }

    /// The columns of an ordinary table, those left out that are computed.
    func columnsToFill(of table: String) throws(ValetError) -> [ColumnToFill] {
        let kind = try prepare(SQL.tableKind)
        kind.bind(table, at: 0)
        guard try kind.step(), kind.text(0) == "table" else {
            throw ValetError(
                .storageFailed, "“\(table)” is not a table that rows can be added to: name a table")
        }
        let statement = try prepare(SQL.columns)
        statement.bind(table, at: 0)
        var columns: [ColumnToFill] = []
        while try statement.step() {
            guard let name = statement.validText(0), statement.integer(3) == 0 else { continue }
            let type = statement.text(1) ?? ""
            columns.append(
                ColumnToFill(
                    name: name, affinity: Affinity(declaredType: type),
                    fillsItself: statement.integer(2) == 1 && type.uppercased() == "INTEGER"))
        }
        return columns
    }
}
