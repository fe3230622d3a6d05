import ValetModel

/// Imports a CSV file into a table: in two passes, in constant memory, in one transaction.
///
/// The first pass finds the column types and all errors of form; nothing is written before it ends.
/// An error or a cancellation leaves an existing database unchanged and removes a new one.
package enum CSVImport {
    /// - Parameters:
    ///   - csvPath: a file, a pipe, or `-` for standard input. Its first line names the columns.
    ///   - appending: to an existing table, whose columns must match the file.
    ///   - isStrict: whether rows with other fields than the header, and columns without a name of
    ///     their own, are errors.
    ///   - repaired: called with what was done instead, if there was something to do.
    ///   - progress: called four times per megabyte with the bytes done, the total (both count
    ///     every byte twice; 0 while the total is unknown), and the rows written.
    ///   - cancelled: polled as often; true ends the import with `.superseded`.
    /// - Returns: the number of rows written.
    package static func run(
        csvPath: String, databasePath: String, table: String, appending: Bool = false,
        isStrict: Bool = true, repaired: (CSVRepairs) -> Void = { _ in },
        progress: (_ bytesDone: Int, _ bytesTotal: Int, _ rows: Int) -> Void = { _, _, _ in },
        cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Int {
        try check(table: table)
        progress(0, 0, 0)
        let file = try CSVFile(path: csvPath, cancelled: cancelled)
        var repairs = isStrict ? nil : CSVRepairs()
        let (header, columns) = try columns(
            of: file, &repairs, progress: progress, cancelled: cancelled)

        let isNew = !FilePath.exists(databasePath)
        do throws(ValetError) {
            if !isNew { try LeftLog.check(databasePath) }
            let connection = try Connection(path: databasePath, access: .create)
            let existing = try connection.hasTable(table)
            if existing, !appending {
                throw .storageFailed(
                    "“\(databasePath)” already has “\(table)”: add to it with --append, or name "
                        + "another table")
            }
            if appending, !existing {
                throw ValetError(
                    .unknownList,
                    "“\(databasePath)” has no table “\(table)” to add to: leave out --append to "
                        + "make it")
            }
            let target =
                existing
                ? try columnsToFill(of: table, with: columns, on: connection)
                : columns.map(ColumnToFill.init(new:))
            let writer = try TableWriter(
                on: connection, table: table, columns: target.map(\.new), appending: existing)
            let rows = try write(
                file, under: header, to: target, by: writer, progress: progress,
                cancelled: cancelled)
            try writer.commit()
            if let repairs, !repairs.isEmpty { repaired(repairs) }
            return rows
        } catch {
            if isNew { FilePath.removeDatabase(databasePath) }
            throw error
        }
    }

    static func cancelled(_ name: String) -> ValetError {
        ValetError(.superseded, "the import of “\(name)” was cancelled")
    }

    static func check(table: String) throws(ValetError) {
        guard table.utf8.count <= Limits.bytesPerName else {
            throw .limit("bytesPerName", is: Limits.bytesPerName, asked: table.utf8.count)
        }
        guard !table.utf8.contains(0), !Schema.isInternal(table) else {
            throw .storageFailed("a table can't be called “\(table)”: name another table")
        }
    }

    // MARK: The two readings

    /// - Parameter repairs: gets what is done about irregular rows; nil if they are errors.
    /// - Returns: also the header as it is written, if it may come again; else nothing.
    private static func columns(
        of file: CSVFile, _ repairs: inout CSVRepairs?, progress: (Int, Int, Int) -> Void,
        cancelled: () -> Bool
    ) throws(ValetError) -> (header: [String], [CSVColumn]) {
        var columns: [CSVColumn] = []
        var header: [String] = []
        var width = 0
        var found = repairs
        try rows(of: file, cancelled: cancelled) { (reader) throws(ValetError) in
            if columns.isEmpty {
                columns = try CSVHeader.names(of: reader, &found).map {
                    CSVColumn(name: $0, types: .all)
                }
                width = columns.count
                // In one column, it may be a value.
                if found != nil, width > 1 { header = (0..<width).map { reader.text($0) } }
                return
            }
            if reader.isRow(header) {
                found?.header(at: reader.rowLine)
                return
            }
            if reader.fieldCount != width {
                guard found != nil, reader.fieldCount <= Limits.columnsPerCSV else {
                    let fields = reader.fieldCount == 1 ? "1 field" : "\(reader.fieldCount) fields"
                    throw reader.error("\(fields), but the header has \(width)")
                }
                if reader.fieldCount < width {
                    found?.short(at: reader.rowLine)
                } else {
                    found?.long(at: reader.rowLine)
                }
                if columns.count < reader.fieldCount {
                    var names = CSVHeader.NewNames(besides: columns.map(\.name))
                    for field in columns.count..<reader.fieldCount {
                        columns.append(CSVColumn(name: names.next(for: field), types: .all))
                    }
                }
            }
            for field in 0..<reader.fieldCount where !columns[field].types.isEmpty {
                columns[field].types.formIntersection(reader.withField(field) { CSVTypes(of: $0) })
            }
        } chunk: { done in
            progress(done, 2 * file.byteCount, 0)
        }
        guard !columns.isEmpty else {
            throw .storageFailed("“\(file.name)” is empty: its first line must name the columns")
        }
        repairs = found
        return (header, columns)
    }

    private static func write(
        _ file: CSVFile, under header: [String], to columns: [ColumnToFill],
        by writer: TableWriter, progress: (Int, Int, Int) -> Void, cancelled: () -> Bool
    ) throws(ValetError) -> Int {
        // The header is not a row.
        var count = -1
        try rows(of: file, cancelled: cancelled) { (reader) throws(ValetError) in
            if count >= 0, reader.isRow(header) { return }
            count += 1
            if count == 0 { return }
            for field in columns.indices {
                guard field < reader.fieldCount else {
                    writer.row.bindNull(at: field)
                    continue
                }
                let isKept = reader.withField(field) {
                    bind($0, as: columns[field].affinity, to: writer.row, at: field)
                }
                if !isKept { throw changed(reader, field, in: columns[field]) }
            }
            do throws(ValetError) {
                try writer.insertRow()
            } catch {
                throw reader.error(error.message, code: error.code)
            }
        } chunk: { done in
            progress(file.byteCount + done, 2 * file.byteCount, max(0, count))
        }
        return count
    }

    /// False if a column of this affinity would not return the cell's value unchanged.
    private static func bind(
        _ cell: UnsafeRawBufferPointer, as affinity: Affinity, to row: Statement, at index: Int
    ) -> Bool {
        if cell.isEmpty {
            row.bindNull(at: index)
            return true
        }
        switch affinity {
        case .text, .none: row.bind(text: cell, at: index)
        case .integer, .real, .numeric:
            guard let number = CSVNumber(cell) else {
                row.bind(text: cell, at: index)
                return true
            }
            if affinity != .real, let integer = number.integer {
                row.bind(integer, at: index)
            } else if let real = number.real {
                row.bind(real, at: index)
            } else {
                return false
            }
        }
        return true
    }

    private static func changed(
        _ reader: CSVReader, _ field: Int, in column: ColumnToFill
    ) -> ValetError {
        let cell = reader.text(field)
        let shown = cell.utf8.count <= 64 ? cell : cell.cut(toBytes: 64) + "…"
        return reader.error(
            "column “\(column.name)” stores numbers and would not keep “\(shown)” as it is "
                + "written: correct the cell, or declare the column TEXT")
    }

    /// Calls `row` with every row, the header first.
    private static func rows(
        of file: CSVFile, cancelled: () -> Bool,
        row: (CSVReader) throws(ValetError) -> Void, chunk: (_ bytesDone: Int) -> Void
    ) throws(ValetError) {
        var reader = CSVReader(file: file.name, separator: file.separator)
        var columnCount: Int?
        func hand(_ reader: CSVReader) throws(ValetError) {
            // A blank line is a row of one empty cell in a one-column file, and is skipped
            // elsewhere.
            if reader.isBlank, columnCount != 1 {
                if columnCount == nil { throw reader.error("a blank line instead of the header") }
                return
            }
            columnCount = columnCount ?? reader.fieldCount
            try row(reader)
        }
        try file.forEachChunk { (bytes, done) throws(ValetError) in
            if cancelled() { throw Self.cancelled(file.name) }
            var input = bytes
            while try reader.readRow(from: &input) { try hand(reader) }
            chunk(done)
        }
        if try reader.finish() { try hand(reader) }
    }

    // MARK: Appending

    /// An existing table's columns, in the file's order.
    private static func columnsToFill(
        of table: String, with columns: [CSVColumn], on connection: Connection
    ) throws(ValetError) -> [ColumnToFill] {
        let existing = try connection.columnsToFill(of: table)
        var left = existing
        var target: [ColumnToFill] = []
        for column in columns {
            let folded = SQL.caseFolded(column.name)
            guard let index = left.firstIndex(where: { SQL.caseFolded($0.name) == folded })
            else {
                throw ValetError(
                    .unknownColumn, "table “\(table)” has no column “\(column.name)” to fill",
                    alternatives: existing.map(\.name))
            }
            target.append(left.remove(at: index).filled(with: column.types))
        }
        if let missing = left.first(where: { !$0.fillsItself }) {
            throw ValetError(
                .unknownColumn, "the file has no column “\(missing.name)” for table “\(table)”",
                alternatives: columns.map(\.name))
        }
        return target
    }
}
