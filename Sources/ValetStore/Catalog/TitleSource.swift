import ValetModel

/// Where the values of a column of titles are: in the rows of another table that a column of the
/// list's table refers to, or of the same.
struct TitleSource: Hashable, Sendable {
    /// Of the list: behind all that its table has.
    let column: Int
    /// Of the list's table.
    let keyColumn: Int
    let keyName: String
    /// The table with the titles, as the schema spells it, and its columns.
    let table: String
    let key: String
    /// What names a row: one column, or several whose texts follow one another.
    let names: [String]
}

/// A list that others may refer to, before it is known to whom it refers itself.
struct ReferableList {
    let name: String
    let table: StoredTable
    let columns: [ColumnDescription]
    /// As the catalog says.
    let titleColumn: Int?
    /// Whether it has all rows of its table: titles of rows that no list has are not told.
    let hasAllRows: Bool
    let isKey: (_ column: Int, _ other: StoredColumn) throws(ValetError) -> Bool
    /// Whether many rows have the same value, as far as the table was read.
    let isShared: (_ column: Int) -> Bool

    /// What names a row to a person beside its key. A text that many rows have names none of them:
    /// invoices to one address would read alike.
    fileprivate func names(beside key: String) -> [ColumnDescription] {
        if let titleColumn, columns[titleColumn].name == key { return [] }
        let names = columns.naming(titleColumn: titleColumn, beside: reference(byKey: key).column)
        if titleColumn == nil, names.count == 1, isShared(names[0]) { return [] }
        return names.contains { columns[$0].name == key } ? [] : names.map { columns[$0] }
    }

    fileprivate func reference(byKey key: String) -> RowReference {
        let isRowID = table.rowIDColumn.map { table.columns[$0].name == key } ?? false
        return RowReference(list: name, column: isRowID ? nil : key)
    }
}

/// The columns of a list, with those of titles, and where these come from.
struct TitledColumns {
    private(set) var columns: [ColumnDescription]
    private(set) var titles: [TitleSource] = []
    private var names: Set<[UInt8]>

    init(_ columns: [ColumnDescription]) {
        self.columns = columns
        names = Set(columns.map { TextFolding.fold($0.name) })
    }

    /// A table's foreign keys refer to the lists that show these tables: to the first of several.
    ///
    /// - Parameter known: columns of which it is said to which list they refer.
    mutating func refer(
        by keys: [StoredReference], _ known: [(StoredReference, ReferableList)] = [],
        toFirstOf lists: [ReferableList]
    ) {
        let found = keys.compactMap { key in
            lists.first { $0.table.name == key.table }.map { (key, $0) }
        }
        for (key, list) in (found + known).sorted(by: { $0.0.column < $1.0.column }) {
            add(key, to: list)
        }
    }

    /// A column refers to the rows of a list: it has a column of their titles, unless they have
    /// none, or are named by the key itself.
    private mutating func add(_ reference: StoredReference, to list: ReferableList) {
        let key = columns[reference.column]
        let rowReference = list.reference(byKey: reference.key)
        columns[reference.column].reference = rowReference
        if key.editor == .automatic, key.rules.choices.isEmpty {
            columns[reference.column].editor = .list(
                name: rowReference.list, valueColumn: rowReference.column)
        }
        let named = list.names(beside: reference.key)
        guard list.hasAllRows, let title = named.first, titles.count < Limits.titlesPerList,
            columns.count < Limits.columnsPerList,
            let name = name(of: key.name, named.map(\.name).joined(separator: " "))
        else { return }
        names.insert(TextFolding.fold(name))
        titles.append(
            TitleSource(
                column: columns.count, keyColumn: reference.column, keyName: key.name,
                table: list.table.name, key: reference.key, names: named.map(\.name)))
        columns.append(
            ColumnDescription(
                name: name, label: Self.bare(key.label), type: title.type,
                unit: title.unit, isEditable: false, format: title.format,
                keyColumn: reference.column))
    }

    /// `AlbumId` has the titles `Album`, and `follows` those called `follows Title`.
    private func name(of key: String, _ title: String) -> String? {
        [Self.bare(key), "\(key) \(title)"].first { name in
            !names.contains(TextFolding.fold(name)) && name.utf8.count <= Limits.bytesPerName
        }
    }

    /// What a key is called without the word that says that it is one.
    private static func bare(_ key: String) -> String {
        for ending in ["_id", "_ID", " id", " ID", "Id", "ID"] where key.hasSuffix(ending) {
            let name = key.dropLast(ending.count)
            // Not of `VALID`.
            if let last = name.last, ending.count == 3 || last.isLowercase { return String(name) }
        }
        return key
    }
}
