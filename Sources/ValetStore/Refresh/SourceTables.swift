import ValetModel

/// Makes the tables of lists that are loaded from elsewhere, where they are not there yet.
package enum SourceTables {
    /// Called before a file is opened for serving; does nothing if all tables are there.
    ///
    /// Mistakes in the catalog are found later, with everything else in it. A file that can't be
    /// written is one here.
    ///
    /// - Parameter address: this process's, which may own the file: then it is opened anew.
    package static func make(
        in path: String, catalogPath: String, address: String
    ) throws(ValetError) {
        let missing = try missingTables(in: path, catalogPath: catalogPath)
        guard let first = missing.first else { return }
        do throws(ValetError) {
            if let refusal = Ownership.refusal(
                for: try FilePath.existingFile(path), besides: address)
            {
                throw refusal
            }
            let connection = try Connection(path: path, access: .write, leavesLog: true)
            try connection.run(SQL.beginWriting)
            defer { connection.rollBack() }
            for table in missing {
                try connection.run(SQL.makeTable(table.name, columns: table.columns))
            }
            try connection.run(SQL.commit)
        } catch {
            throw first.place.error(
                "there is no table “\(first.name)”, and it can't be made: \(error.message)",
                code: error.code)
        }
    }

    private struct MissingTable {
        let name: String
        let place: YAMLValue
        let columns: [NewColumn]
    }

    private static func missingTables(
        in path: String, catalogPath: String
    ) throws(ValetError) -> [MissingTable] {
        guard case .mapping(let root) = try YAMLValue(file: catalogPath).kind,
            let lists = root.first(where: { $0.key == "lists" })?.value,
            case .sequence(let entries) = lists.kind
        else { return [] }
        let refreshed = entries.filter { $0["refresh"] != nil }
        if refreshed.isEmpty { return [] }
        let connection = try Connection(path: path)
        let schema = try connection.result(of: Schema(of: connection), within: .opening)
        var missing: [MissingTable] = []
        for entry in refreshed {
            guard let refresh = entry["refresh"], let named = entry["table"] ?? entry["name"]
            else { continue }
            let name = try named.text()
            let isThere =
                NameLookup.index(of: name, in: schema.tables, by: \.name) != nil
                || schema.leftOut.contains { $0.name == name }
                || missing.contains { $0.name == name }
            if isThere { continue }
            try CSVImport.check(table: name)
            let columns = try columns(SourceEntry(refresh), entry)
            missing.append(MissingTable(name: name, place: named, columns: columns))
        }
        return missing
    }

    /// Those that are filled, and those that the list describes besides.
    private static func columns(
        _ source: SourceEntry, _ entry: YAMLValue
    ) throws(ValetError) -> [NewColumn] {
        let described = try entry["columns"]?.pairs() ?? []
        var columns: [NewColumn] = []
        for (name, field) in try source.columnsToMake() {
            let isDate = ["published", "updated"].contains(field)
            columns.append(try column(name, described, isDate ? .date : .text))
        }
        for (name, value) in described
        where !columns.contains(where: { SQL.caseFolded($0.name) == SQL.caseFolded(name) }) {
            guard !name.isEmpty, !name.utf8.contains(0) else {
                throw value.error("a column must have a name")
            }
            columns.append(try column(name, described, .text))
        }
        return columns
    }

    private static func column(
        _ name: String, _ described: [(key: String, value: YAMLValue)],
        _ type: NewColumn.DeclaredType
    ) throws(ValetError) -> NewColumn {
        let value = described.first { SQL.caseFolded($0.key) == SQL.caseFolded(name) }?.value
        guard let word = value?["type"] else { return NewColumn(name, type) }
        let types = ColumnType.allCases.map { ($0.name, NewColumn.DeclaredType($0)) }
        return NewColumn(name, try word.choice(types))
    }
}

extension NewColumn.DeclaredType {
    fileprivate init(_ type: ColumnType) {
        self =
            switch type {
            case .text: .text
            case .integer: .integer
            case .real: .real
            case .date: .date
            case .boolean: .boolean
            case .blob: .any
            }
    }
}

extension YAMLValue {
    /// The value of a key; nil if there is none, or if this has no keys.
    fileprivate subscript(_ key: String) -> YAMLValue? {
        guard case .mapping(let pairs) = kind else { return nil }
        return pairs.first { $0.key == key && !$0.value.isNothing }?.value
    }
}
