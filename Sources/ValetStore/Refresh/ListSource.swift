import ValetModel

/// Where a list's rows are loaded from: `refresh` in a catalog.
///
/// A catalog is written by whoever serves the file, so its addresses are trusted, and its files are
/// those of its own folder. Clients can't name any, and what comes from there is not trusted.
package struct ListSource: Hashable, Sendable {
    /// A column, and the field of the source that fills it.
    package struct Field: Hashable, Sendable {
        package let column: Int
        package let name: String
    }

    /// As the catalog writes it.
    package let from: String
    /// The same, with a path that does not depend on the current folder.
    package let address: String
    /// The catalog's, which a file must stand in or below; nil for an address on the web.
    package let folder: String?
    /// nil: found out from the document.
    package let kind: SourceKind?
    /// The column whose values tell the rows apart.
    package let key: Int
    /// nil: the columns that are called as fields of the source are filled.
    package let fields: [Field]?

    /// The source in messages: clients see them, so it is without folders and parameters.
    package var shownName: String {
        guard SourceKind.isURL(from) else {
            return from.split(separator: "/").last.map(String.init) ?? from
        }
        return from.split(separator: "/").dropFirst().first.map { host in
            host.split(separator: "@").last.map(String.init) ?? ""
        } ?? from
    }

    /// The fields to ask of a feed; none for what all feeds have.
    package var fieldNames: [String] { fields?.map(\.name) ?? [] }
}

/// An entry `refresh` of a catalog, before the table that it fills is known.
struct SourceEntry {
    let value: YAMLValue
    let from: String
    let address: String
    let folder: String?
    let kind: SourceKind?
    let key: YAMLValue?
    /// By the names of columns.
    let fields: [(column: String, value: YAMLValue, field: String)]?

    /// What a feed's items have: of these the table is made, if the catalog names no columns.
    static let usualFields = [
        "id", "title", "link", "author", "published", "updated", "category", "summary",
    ]

    init(_ value: YAMLValue) throws(ValetError) {
        self.value = value
        let entries = try value.fields(["from", "kind", "key", "columns"])
        guard let source = entries["from"] else {
            throw value.error("needs “from”: a file beside the catalog, or a URL")
        }
        from = try source.text(limit: Limits.bytesPerMessage)
        guard !from.isEmpty, !from.utf8.contains(0) else {
            throw source.error("must be a file, or a URL of http or https")
        }
        if SourceKind.isURL(from) {
            (address, folder) = (from, nil)
        } else if from.contains("://") {
            throw source.error("must be a file, or a URL of http or https")
        } else if from.split(separator: "/").contains("..") {
            throw source.error("must be a file beside the catalog, or in a folder below it")
        } else {
            let parent = FilePath.folder(of: value.place.file) + "/"
            (address, folder) = (from.hasPrefix("/") ? from : parent + from, parent)
        }
        kind = try entries["kind"]?.choice(SourceKind.allCases.map { ($0.rawValue, $0) })
        key = entries["key"]
        fields = try entries["columns"].map(Self.fields)
    }

    private static func fields(
        _ value: YAMLValue
    ) throws(ValetError) -> [(column: String, value: YAMLValue, field: String)] {
        let fields = try value.pairs().map { column, field throws(ValetError) in
            (column: column, value: field, field: field.isNothing ? column : try field.text())
        }
        guard !fields.isEmpty, fields.count <= Limits.columnsPerList else {
            throw value.error("must name from 1 to \(Limits.columnsPerList) columns")
        }
        return fields
    }

    private var isCSV: Bool { kind == .csv || kind == nil && SourceKind(ofFile: from) == .csv }

    /// The columns of a table to be made: name and field.
    func columnsToMake() throws(ValetError) -> [(name: String, field: String)] {
        if let fields { return fields.map { ($0.column, $0.field) } }
        guard isCSV else { return Self.usualFields.map { ($0, $0) } }
        throw value.error(
            "needs “columns” (column: field), since there is no table yet and it is made before "
                + "the file is read")
    }

    /// - Parameter columns: of the list.
    func source(
        of table: InferredTable, _ columns: [ColumnDescription]
    ) throws(ValetError) -> ListSource {
        guard table.table.isWritable else {
            throw value.error("\(table.table.subject) is read-only")
        }
        func settable(_ column: Int, _ value: YAMLValue) throws(ValetError) -> Int {
            guard table.table.isSettable(column) else {
                throw value.error("“\(columns[column].name)” can't be set")
            }
            return column
        }
        var filled: [ListSource.Field]?
        for (name, value, field) in fields ?? [] {
            let column = try settable(try value.column(of: columns, called: name), value)
            guard filled?.contains(where: { $0.column == column }) != true else {
                throw value.error("“\(columns[column].name)” is filled more than once")
            }
            filled = (filled ?? []) + [ListSource.Field(column: column, name: field)]
        }
        let keyColumn: Int
        if let key {
            keyColumn = try settable(try key.column(of: columns), key)
            guard filled?.contains(where: { $0.column == keyColumn }) != false else {
                throw key.error("must be one of the columns that are filled")
            }
        } else if let known = usualKey(filled, of: table, columns) {
            keyColumn = known
        } else {
            throw value.error("needs “key”: the column whose values tell the rows apart")
        }
        return ListSource(
            from: from, address: address, folder: folder, kind: kind, key: keyColumn,
            fields: filled)
    }

    /// In a feed, the column that its items' ids are in.
    private func usualKey(
        _ filled: [ListSource.Field]?, of table: InferredTable, _ columns: [ColumnDescription]
    ) -> Int? {
        if isCSV { return nil }
        for name in ["id", "guid", "link"] {
            let column =
                if let filled {
                    filled.first { $0.name == name }?.column
                } else {
                    columns.firstIndex { $0.name == name }
                }
            if let column, table.table.isSettable(column) { return column }
        }
        return nil
    }
}
