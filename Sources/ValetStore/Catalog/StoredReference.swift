import ValetModel

/// A foreign key of one column: each of its values names one row of a table at most.
struct StoredReference: Equatable, Sendable {
    let column: Int
    /// As the schema spells it.
    let table: String
    /// The column that has the values there.
    let key: String
}

extension Schema {
    /// The foreign keys of tables, as far as a value is equal to a key exactly where both are
    /// stored alike: then rows that refer to one are found by what they store.
    static func references(
        among tables: [StoredTable], on connection: Connection
    ) throws(ValetError) -> [[StoredReference]] {
        let numbers = Dictionary(
            tables.enumerated().map { (SQL.caseFolded($1.name), $0) }, uniquingKeysWith: { $1 })
        return try tables.map { table throws(ValetError) in
            guard table.kind == .table, table.rowID != nil else { return [] }
            var found: [StoredReference] = []
            let keys = try connection.prepare(SQL.simpleForeignKeys, [.text(table.name)])
            while try keys.step() {
                guard let number = numbers[SQL.caseFolded(keys.text(0) ?? "")],
                    let column = table.column(named: keys.text(1)),
                    !found.contains(where: { $0.column == column }),
                    let key = tables[number].column(named: keys.text(2), orOfKey: 0),
                    try tables[number].isKey(key, of: table.columns[column], on: connection)
                else { continue }
                found.append(
                    StoredReference(
                        column: column, table: tables[number].name,
                        key: tables[number].columns[key].name))
            }
            return found.sorted { $0.column < $1.column }
        }
    }
}

extension StoredTable {
    /// Whether the column names one row at most, and its values are stored as `other` stores them.
    func isKey(
        _ column: Int, of other: StoredColumn, on connection: Connection
    ) throws(ValetError) -> Bool {
        guard kind == .table,
            Affinity(declaredType: other.declaredType)
                .storesLike(Affinity(declaredType: columns[column].declaredType))
        else { return false }
        if column == rowIDColumn { return true }
        let names = [name, columns[column].name].map(Cell.text)
        return try connection.integer(SQL.exactUniqueIndexes, names, for: subject) > 0
    }

    func column(named name: String?) -> Int? {
        let folded = name.map(SQL.caseFolded)
        return columns.firstIndex { SQL.caseFolded($0.name) == folded }
    }

    /// A foreign key that names no columns refers to the primary key.
    func column(named name: String?, orOfKey place: Int) -> Int? {
        if name != nil { return column(named: name) }
        return columns.firstIndex { $0.placeInPrimaryKey == place + 1 }
    }
}

extension Affinity {
    fileprivate func storesLike(_ other: Affinity) -> Bool {
        switch self {
        case .text: other == .text
        case .integer, .numeric: other == .integer || other == .numeric
        case .real, .none: false
        }
    }
}
