import ValetModel

/// What makes a list equal to its source.
package struct SourceDifference: Equatable, Sendable {
    package var removed: [Int64] = []
    package var changed: [RowEdit] = []
    package var added: [[ColumnValue]] = []

    package var isEmpty: Bool { removed.isEmpty && changed.isEmpty && added.isEmpty }
    package var count: Int { removed.count + changed.count + added.count }
}

/// The rows of a source, beside the table that they are for.
///
/// They wait in a temporary table whose columns convert values as those of the list do, and SQLite
/// compares the two: so what was stored before is found unchanged, whatever its type.
package final class SourceRows {
    private let connection: Connection
    private let table: StoredTable
    private let source: ListSource
    private let isStopping: @Sendable () -> Bool
    /// By column of the temporary table.
    private var columns: [Int] = []
    package private(set) var count = 0

    package init(
        for list: Int, from source: ListSource, in database: Database,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) throws(ValetError) {
        self.source = source
        self.isStopping = isStopping
        table = database.schema.tables[database.tables[list]]
        connection = try Connection(path: database.path, isStopping: isStopping)
    }

    /// Takes in what `valet-fetch` printed.
    package func load(csv: [UInt8]) throws(ValetError) {
        let separator = CSVSeparator.found(in: csv.prefix(256 << 10), ofFile: "")
        var reader = CSVReader(
            file: source.shownName, separator: separator, bytesPerField: Limits.bytesPerSourceText)
        var loading: Loading?
        try connection.run(SQL.begin)
        defer { connection.rollBack() }
        let outcome: Result<Void, ValetError> = csv.withUnsafeBytes { bytes in
            Result { () throws(ValetError) in
                var input = bytes
                while try reader.readRow(from: &input) { try take(reader, &loading) }
                if try reader.finish() { try take(reader, &loading) }
            }
        }
        try outcome.get()
        guard loading != nil else {
            throw .storageFailed(
                "“\(source.shownName)” is empty: the first line of CSV must name the columns")
        }
        try connection.run(SQL.commit)
    }

    /// The header, and what its fields are for.
    private struct Loading {
        let fieldCount: Int
        /// By column of the temporary table.
        let fields: [Int]
        let key: Int
        let insertion: Statement
    }

    private func take(_ reader: CSVReader, _ loading: inout Loading?) throws(ValetError) {
        guard let loading else {
            loading = try begin(reader)
            return
        }
        if reader.isBlank, loading.fieldCount != 1 { return }
        guard reader.fieldCount == loading.fieldCount else {
            throw reader.error(
                "\(reader.fieldCount) fields, but the header has \(loading.fieldCount)")
        }
        if isStopping() { throw ValetError(.superseded, "the refresh was cancelled") }
        for (place, field) in loading.fields.enumerated() {
            reader.withField(field) { cell in
                if cell.isEmpty {
                    loading.insertion.bindNull(at: place)
                } else {
                    loading.insertion.bind(text: cell, at: place)
                }
            }
        }
        guard reader.withField(loading.key, { !$0.isEmpty }) else {
            throw reader.error(
                "the row has no “\(table.columns[source.key].name)”, which is its key")
        }
        guard count < Limits.rowsPerSource else {
            throw .limit("rows (rowsPerSource)", is: Limits.rowsPerSource, asked: count + 1)
        }
        // Of rows with one key, the first counts.
        _ = try loading.insertion.step()
        loading.insertion.reset()
        count += 1
    }

    private func begin(_ reader: CSVReader) throws(ValetError) -> Loading {
        let header = try CSVHeader.names(of: reader)
        var fields: [(column: Int, field: Int)] = []
        if let named = source.fields {
            for field in named {
                guard let place = NameLookup.index(of: field.name, in: header, by: \.self) else {
                    throw reader.error("it does not name the column “\(field.name)”")
                }
                fields.append((field.column, place))
            }
        } else {
            for (number, column) in table.columns.enumerated() where table.isSettable(number) {
                guard let place = NameLookup.index(of: column.name, in: header, by: \.self) else {
                    continue
                }
                fields.append((number, place))
            }
        }
        guard let key = fields.firstIndex(where: { $0.column == source.key }) else {
            throw reader.error(
                "it does not name the column “\(table.columns[source.key].name)”, which is the key")
        }
        columns = fields.map(\.column)
        try connection.run(SQL.makeSource(of: table, columns: columns, key: key))
        return Loading(
            fieldCount: header.count, fields: fields.map(\.field), key: fields[key].field,
            insertion: try connection.prepare(SQL.addToSource(columnCount: columns.count)))
    }

    /// What the list lacks now.
    package func difference() throws(ValetError) -> SourceDifference {
        try connection.working(within: .row) { () throws(ValetError) in
            try connection.reading { () throws(ValetError) in try compare() }
        }
    }

    private func compare() throws(ValetError) -> SourceDifference {
        guard let rowID = table.rowID, let key = columns.firstIndex(of: source.key) else {
            return SourceDifference()
        }
        var difference = SourceDifference()
        var matched = Set<Int64>()
        var rowCount = 0
        let pairs = try connection.prepare(
            SQL.compareWithSource(table, rowID: rowID, columns: columns, key: key),
            for: table.subject)
        while try pairs.step() {
            connection.interruption.rowCame()
            rowCount += 1
            guard rowCount <= Limits.rowsPerSource else {
                throw ValetError.limit(
                    "rows of a list that is refreshed (rowsPerSource)", is: Limits.rowsPerSource,
                    asked: rowCount)
            }
            guard case .integer(let number) = pairs.value(1), matched.insert(number).inserted else {
                difference.removed.append(pairs.integer(0))
                continue
            }
            // For each column: whether it differs, then the source's value.
            let cells = columns.indices.compactMap { place -> CellEdit? in
                guard pairs.integer(2 + 2 * place) != 0 else { return nil }
                return CellEdit(
                    column: columns[place], value: pairs.cell(3 + 2 * place, limit: .max),
                    seen: .anything)
            }
            if !cells.isEmpty {
                difference.changed.append(
                    RowEdit(
                        rowID: pairs.integer(0), cells: cells.sorted { $0.column < $1.column }))
            }
        }
        let all = try connection.prepare(SQL.sourceRows(columnCount: columns.count))
        while try all.step() {
            if matched.contains(all.integer(0)) { continue }
            connection.interruption.rowCame()
            let values = columns.indices.map { place in
                ColumnValue(column: columns[place], value: all.cell(1 + place, limit: .max))
            }
            difference.added.append(
                values.filter { $0.value != .null }.sorted { $0.column < $1.column })
        }
        return difference
    }
}
