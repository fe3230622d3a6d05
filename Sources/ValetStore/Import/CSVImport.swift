import ValetModel

/// Reads a CSV file into a table: twice, in constant memory, in one transaction.
///
/// The first reading finds the columns' types and every mistake of form; only then is anything
/// written. An error or a cancellation leaves the database as it was, and a new one away.
package enum CSVImport {
    /// - Parameters:
    ///   - csvPath: a file, a pipe, or `-` for standard input. Its first line names the columns.
    ///   - appending: to a table that is there, whose columns must be those of the file.
    ///   - progress: hears bytes done, bytes in all (each counts twice; 0 while that is not known),
    ///     and rows written, four times a megabyte.
    ///   - cancelled: asked as often; true ends the import with `.superseded`.
    /// - Returns: how many rows were written.
    package static func run(
        csvPath: String, databasePath: String, table: String, appending: Bool = false,
        progress: (_ bytesDone: Int, _ bytesTotal: Int, _ rows: Int) -> Void = { _, _, _ in },
        cancelled: () -> Bool = { false }
    ) throws(ValetError) -> Int {
        try check(table: table)
        progress(0, 0, 0)
        let file = try CSVFile(path: csvPath, cancelled: cancelled)
        let columns = try columns(of: file, progress: progress, cancelled: cancelled)

        let isNew = !FilePath.exists(databasePath)
        do throws(ValetError) {
            let connection = try Connection(path: databasePath, access: .create)
            let existing = try connection.hasTable(table)
            if existing, !appending {
                throw ValetError(
                    .storageFailed,
                    "“\(databasePath)” already has “\(table)”: add to it with --append, or name "
                        + "another table")
            }
            if appending, !existing {
                throw ValetError(
                    .unknownList,
                    "“\(databasePath)” has no table “\(table)” to add to: leave out --append to "
                        + "make it")
            }
            let target = existing ? try Target(appendingTo: table, columns, on: connection) : nil
            let writer = try TableWriter(
                on: connection, table: table, columns: target?.columns ?? columns.map(\.new),
                appending: existing)
            let types = target?.types ?? columns.map(\.type)
            let rows = try write(
                file, types: types, to: writer, progress: progress, cancelled: cancelled)
            try writer.commit()
            return rows
        } catch {
            if isNew { FilePath.removeDatabase(databasePath) }
            throw error
        }
    }

    static func cancelled(_ name: String) -> ValetError {
        ValetError(.superseded, "the import of “\(name)” was cancelled")
    }

    private static func check(table: String) throws(ValetError) {
        guard table.utf8.count <= Limits.bytesPerName else {
            throw .limit("bytesPerName", is: Limits.bytesPerName, asked: table.utf8.count)
        }
        guard !table.utf8.contains(0), !Schema.isInternal(table) else {
            throw ValetError(
                .storageFailed, "a table can't be called “\(table)”: name another table")
        }
    }
}

// MARK: The two readings

extension CSVImport {
    struct Column {
        var name: String
        var type: CSVType

        var new: NewColumn { NewColumn(name, type.declared) }
    }

    private static func columns(
        of file: CSVFile, progress: (Int, Int, Int) -> Void, cancelled: () -> Bool
    ) throws(ValetError) -> [Column] {
        var columns: [Column] = []
        try rows(of: file, cancelled: cancelled) { (reader) throws(ValetError) in
            if columns.isEmpty {
                columns = try CSVHeader.names(of: reader).map { Column(name: $0, type: .empty) }
                return
            }
            guard reader.fieldCount == columns.count else {
                let fields = reader.fieldCount == 1 ? "1 field" : "\(reader.fieldCount) fields"
                throw reader.error("\(fields), and the header has \(columns.count)")
            }
            for field in columns.indices where columns[field].type < .text {
                let type = reader.withField(field) { CSVType(of: $0) }
                columns[field].type = max(columns[field].type, type)
            }
        } chunk: { done in
            progress(done, 2 * file.byteCount, 0)
        }
        guard !columns.isEmpty else {
            throw ValetError(
                .storageFailed, "“\(file.name)” is empty: its first line must name the columns")
        }
        return columns
    }

    private static func write(
        _ file: CSVFile, types: [CSVType], to writer: TableWriter,
        progress: (Int, Int, Int) -> Void, cancelled: () -> Bool
    ) throws(ValetError) -> Int {
        // The header is no row.
        var count = -1
        try rows(of: file, cancelled: cancelled) { (reader) throws(ValetError) in
            count += 1
            if count == 0 { return }
            for field in types.indices {
                reader.withField(field) { bind($0, as: types[field], to: writer.row, at: field) }
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

    private static func bind(
        _ cell: UnsafeRawBufferPointer, as type: CSVType, to row: Statement, at index: Int
    ) {
        if cell.isEmpty {
            row.bindNull(at: index)
        } else if type == .integer, let number = CSVType.integer(cell) {
            row.bind(number, at: index)
        } else if type == .real, let number = CSVType.real(cell) {
            row.bind(number, at: index)
        } else {
            row.bind(text: cell, at: index)
        }
    }

    /// Hands every row to `row`, the header first.
    private static func rows(
        of file: CSVFile, cancelled: () -> Bool,
        row: (CSVReader) throws(ValetError) -> Void, chunk: (_ bytesDone: Int) -> Void
    ) throws(ValetError) {
        var reader = CSVReader(file: file.name)
        var columnCount: Int?
        func hand(_ reader: CSVReader) throws(ValetError) {
            // A blank line is a row of one empty cell, when rows have one cell, and else nothing.
            if reader.isBlank, columnCount != 1 {
                if columnCount == nil { throw reader.error("a blank line in place of the header") }
                return
            }
            columnCount = columnCount ?? reader.fieldCount
            try row(reader)
        }
        try file.read { (bytes, done) throws(ValetError) in
            if cancelled() { throw Self.cancelled(file.name) }
            var input = bytes
            while try reader.readRow(from: &input) { try hand(reader) }
            chunk(done)
        }
        if try reader.finish() { try hand(reader) }
    }
}

// MARK: Appending

extension CSVImport {
    /// An existing table's columns in the order of the file, and how cells are bound to them.
    private struct Target {
        let columns: [NewColumn]
        let types: [CSVType]

        init(
            appendingTo table: String, _ columns: [Column], on connection: Connection
        ) throws(ValetError) {
            let existing = try connection.columnsToFill(of: table)
            let names = existing.map(\.name)
            var left = existing
            var columnsInOrder: [NewColumn] = []
            var types: [CSVType] = []
            for column in columns {
                let folded = SQL.caseFolded(column.name)
                guard let index = left.firstIndex(where: { SQL.caseFolded($0.name) == folded })
                else {
                    throw ValetError(
                        .unknownColumn, "table “\(table)” has no column “\(column.name)” to fill",
                        alternatives: names)
                }
                let found = left.remove(at: index)
                columnsInOrder.append(NewColumn(found.name, .any))
                types.append(found.type(for: column.type))
            }
            if let missing = left.first(where: { !$0.fillsItself }) {
                throw ValetError(
                    .unknownColumn, "the file has no column “\(missing.name)” for table “\(table)”",
                    alternatives: columns.map(\.name))
            }
            self.columns = columnsInOrder
            self.types = types
        }
    }
}
