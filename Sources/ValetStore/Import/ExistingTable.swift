import ValetModel

/// A column of a CSV file, and the types that can hold all its cells so far.
struct CSVColumn {
    let name: String
    var types: CSVTypes
}

/// A column that an import fills.
struct ColumnToFill {
    let new: NewColumn
    /// Determines how SQLite converts a cell.
    private(set) var affinity: Affinity
    /// An INTEGER PRIMARY KEY: SQLite assigns it when it is NULL.
    private(set) var fillsItself = false

    var name: String { new.name }

    /// A column of a new table.
    init(new column: CSVColumn) {
        new = NewColumn(column.name, column.types.declared)
        affinity = Affinity(declaredType: new.type.rawValue)
    }

    /// A column of an existing table.
    fileprivate init(existing name: String, affinity: Affinity, fillsItself: Bool) {
        new = NewColumn(name, .any)
        self.affinity = affinity
        self.fillsItself = fillsItself
    }

    /// An untyped column stores values as given, so it gets the types of a new column.
    func filled(with types: CSVTypes) -> ColumnToFill {
        var column = self
        if affinity == .none { column.affinity = Affinity(declaredType: types.declared.rawValue) }
        return column
    }
}

extension Connection {
    /// True if a table, view or index has the name.
    func hasTable(_ name: String) throws(ValetError) -> Bool {
        try integer(SQL.nameIsTaken, [.text(name)]) > 0
    }

    /// The columns of an ordinary table, without generated ones.
    func columnsToFill(of table: String) throws(ValetError) -> [ColumnToFill] {
        let kind = try prepare(SQL.tableKind, [.text(table)])
        guard try kind.step(), kind.text(0) == "table" else {
            throw .storageFailed(
                "“\(table)” is not a table that rows can be added to: name a table")
        }
        let isStrict = kind.integer(1) != 0
        let statement = try prepare(SQL.columns, [.text(table)])
        var columns: [ColumnToFill] = []
        while try statement.step() {
            guard let name = statement.validText(0), statement.integer(3) == 0 else { continue }
            let type = (statement.text(1) ?? "").uppercased()
            let keepsAll = isStrict && type == "ANY"
            columns.append(
                ColumnToFill(
                    existing: name, affinity: keepsAll ? .none : Affinity(declaredType: type),
                    fillsItself: statement.integer(2) == 1 && type == "INTEGER"))
        }
        return columns
    }
}
