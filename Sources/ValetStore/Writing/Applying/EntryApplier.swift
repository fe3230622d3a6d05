import ValetModel

/// Applies entries to a file, in transactions that are open. Nothing counts but the entries and the
/// file, so files that were the same stay the same.
///
/// An entry has all that its commands changed, also by triggers and foreign keys: so neither acts
/// here. It is refused if it does not follow those that the file has, or if its rows are not what
/// they were; then the transaction must be taken back.
final class EntryApplier {
    let log: LogTables
    private let connection: Connection
    private let schema: Schema
    /// Bytes of a row that are compared.
    private static let wholeRow = Int.max / 2
    private var tables: [EntryTable: AppliedTable] = [:]

    /// Called outside of a transaction: `PRAGMA foreign_keys` does nothing inside.
    static func prepare(_ connection: Connection) throws(ValetError) {
        connection.enableTriggers(false)
        try connection.run(SQL.withoutForeignKeys)
    }

    /// Commands may be decided on the connection again. Called outside of a transaction.
    static func end(on connection: Connection) throws(ValetError) {
        connection.enableTriggers(true)
        try connection.run(SQL.writing)
    }

    /// - Parameter log: on a connection that was prepared.
    init(_ log: LogTables) throws(ValetError) {
        self.log = log
        connection = log.connection
        schema = try Schema(of: connection)
    }

    func apply(_ sealed: SealedEntry) throws(ValetError) {
        let entry = sealed.entry
        try check(entry)
        for (place, command) in entry.commands.enumerated() {
            if let table = command.unnamedTables.first {
                throw ValetError(
                    .notAllowed,
                    "revision \(entry.first + UInt64(place)) can't be applied: it changed "
                        + "“\(table)”, whose rows have no ids that last, or are in a virtual table")
            }
            try change(command.effects, of: entry)
            try log.store(command, at: entry.first + UInt64(place), of: entry)
        }
        try log.end(sealed)
    }

    private func check(_ entry: Entry) throws(ValetError) {
        guard entry.logID == log.logID else {
            throw .expired("revision \(entry.first) is of another log than “\(connection.file)”")
        }
        guard entry.previous == log.head, entry.first > log.newest else {
            throw .expired(
                "revision \(entry.first) does not follow revision \(log.newest), which is the "
                    + "newest of “\(connection.file)”")
        }
    }
}

/// A table that an entry names.
private struct AppliedTable {
    let table: EditedTable
    /// By column of the entry.
    let columns: [Int]

    /// What can be set of these cells.
    func values(_ cells: some Sequence<(Int, Cell)>) -> [ColumnValue] {
        cells.compactMap { column, cell in
            let column = columns[column]
            return table.stored.isSettable(column) ? ColumnValue(column: column, value: cell) : nil
        }
    }

    /// Whether a row holds these cells. Of what was cut only the beginning is known, and nothing of
    /// what SQLite computes.
    func holds(_ cells: some Sequence<(Int, Cell)>, in row: [Cell]) -> Bool {
        values(cells).allSatisfy { $0.value.isCut || row[$0.column] == $0.value }
    }
}

// MARK: Rows

extension EntryApplier {
    /// The values of a unique column may have moved from row to row, so deleted rows go first and
    /// new ones come last. A row whose value another one still has is taken out meanwhile.
    private func change(_ effects: [Effect], of entry: Entry) throws(ValetError) {
        var new: [(table: AppliedTable, rowID: Int64, values: [ColumnValue])] = []
        for effect in effects {
            // Each row has its own time.
            connection.interruption.rowCame()
            guard case .delete(let cells) = effect.change else { continue }
            let table = try table(entry.tables[effect.table])
            _ = try row(effect.rowID, of: table, holding: cells.enumerated().map { ($0, $1) })
            try table.table.delete(effect.rowID)
        }
        for effect in effects {
            connection.interruption.rowCame()
            guard case .update(let cells) = effect.change else { continue }
            let table = try table(entry.tables[effect.table])
            let row = try row(effect.rowID, of: table, holding: cells.map { ($0.column, $0.old) })
            let changed = cells.filter(\.isChanged)
            guard !changed.contains(where: \.new.isCut) else {
                throw differs(effect.rowID, table, "is not kept whole")
            }
            let values = table.values(changed.map { ($0.column, $0.new) })
            if values.isEmpty { continue }
            do throws(ValetError) {
                try table.table.update(effect.rowID, values)
            } catch {
                guard connection.hasBrokenUniqueness else { throw error }
                try table.table.delete(effect.rowID)
                new.append((table, effect.rowID, table.table.merged(row, values)))
            }
        }
        for effect in effects {
            guard case .insert(let cells) = effect.change else { continue }
            let table = try table(entry.tables[effect.table])
            guard !cells.contains(where: \.isCut) else {
                throw differs(effect.rowID, table, "is not kept whole")
            }
            new.append((table, effect.rowID, table.values(cells.enumerated().map { ($0, $1) })))
        }
        for (table, rowID, values) in new {
            connection.interruption.rowCame()
            try table.table.insert(rowID, values)
        }
    }

    /// A row that is what it was when the entry was decided.
    private func row(
        _ rowID: Int64, of table: AppliedTable, holding cells: [(Int, Cell)]
    ) throws(ValetError) -> [Cell] {
        guard let row = try table.table.row(rowID, mostBytes: Self.wholeRow),
            table.holds(cells, in: row)
        else { throw differs(rowID, table, "is not what the log changed") }
        return row
    }

    private func differs(_ rowID: Int64, _ table: AppliedTable, _ how: String) -> ValetError {
        ValetError(
            .catalogChanged,
            "row \(rowID) of “\(table.table.stored.name)” in “\(connection.file)” \(how): another "
                + "program has changed one of the files. Copy it anew")
    }

    private func table(_ named: EntryTable) throws(ValetError) -> AppliedTable {
        if let known = tables[named] { return known }
        guard let stored = schema.tables.first(where: { $0.name == named.name }),
            stored.isWritable, let rowID = stored.rowID
        else { throw missing("table “\(named.name)”") }
        var columns: [Int] = []
        for name in named.columns {
            guard let column = stored.columns.firstIndex(where: { $0.name == name }) else {
                throw missing("column “\(name)” in “\(named.name)”")
            }
            columns.append(column)
        }
        let made = AppliedTable(
            table: try EditedTable(stored, rowID: rowID, .abort, on: connection),
            columns: columns)
        tables[named] = made
        return made
    }

    private func missing(_ what: String) -> ValetError {
        ValetError(
            .catalogChanged,
            "“\(connection.file)” has no \(what), which the log changed: copy it anew")
    }
}

extension EditedTable {
    /// All that can be set of a row, with some values of its own.
    fileprivate func merged(_ row: [Cell], _ values: [ColumnValue]) -> [ColumnValue] {
        var row = row
        for value in values { row[value.column] = value.value }
        return row.indices.filter(stored.isSettable).map {
            ColumnValue(column: $0, value: row[$0])
        }
    }
}
