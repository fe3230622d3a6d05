import ValetModel

struct CatalogInference {
    init(_ connection: Connection) {}
    func catalog(of tables: [StoredTable]) throws(ValetError) -> Catalog {
        Catalog(lists: tables.map { table in
            let columns = table.columns.map { column in
                let t = column.declaredType.uppercased()
                let type: ColumnType = t.contains("INT") ? .integer : t.contains("REAL") ? .real : t == "BLOB" ? .blob : .text
                return ColumnDescription(name: column.name, type: type)
            }
            let title = columns.firstIndex { $0.type == .text }
            let none = Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)
            let az = title.map { Grouping(name: "A–Z", column: $0, expression: .firstLetter, rowOrder: [SortKey(column: $0)], indexTitles: .firstLetter) }
            let texts = columns.indices.filter { columns[$0].type == .text }
            return ListDescription(name: table.name, title: table.name, columns: columns, titleColumn: title, groupings: [az, none].compactMap { $0 }, scopes: texts.isEmpty ? [] : [Scope(name: "Any", columns: .columns(texts))] + texts.map { Scope(name: columns[$0].name, columns: .columns([$0])) }, cell: .columns)
        })
    }
}
