import CSQLite
import ValetModel

/// A table whose rows can be changed, with its statements.
final class EditedTable {
    let stored: StoredTable
    /// Its lists, as positions in the catalog.
    let lists: [Int]
    /// The columns that conditions of its lists test, or by whose values others refer to its rows:
    /// every change of a row notes their values.
    let conditionColumns: Set<Int>
    /// Columns that what stations may see depends on.
    let noted: () -> Set<Int>
    /// The names of its columns.
    let columns: [String]
    /// By column.
    let affinities: [Affinity]
    var seenIDs: SeenRowIDs

    /// In terms of the alias `s`.
    let rowID: String
    private let clause: SQL.ConflictClause
    private let connection: Connection
    private let reading: Statement
    private let highestInTable: Statement
    private var comparisons: [[Int]: Statement] = [:]
    private var insertions: [[Int]: Statement] = [:]
    private var updates: [[Int]: Statement] = [:]
    private var deletion: Statement?

    init(
        _ stored: StoredTable, rowID: String, lists: [Int] = [], conditionColumns: Set<Int> = [],
        noted: @escaping () -> Set<Int> = { [] },
        seenIDs: SeenRowIDs = SeenRowIDs(), _ clause: SQL.ConflictClause = .own,
        on connection: Connection
    ) throws(ValetError) {
        self.stored = stored
        self.rowID = rowID
        self.lists = lists
        self.conditionColumns = conditionColumns
        self.noted = noted
        columns = stored.columns.map(\.name)
        affinities = try Self.affinities(of: stored, on: connection)
        self.clause = clause
        self.seenIDs = seenIDs
        self.connection = connection
        reading = try connection.prepare(
            SQL.storedRow(of: stored, rowID: rowID), for: stored.subject)
        highestInTable = try connection.prepare(
            SQL.highestRowID(of: stored, rowID: rowID), for: stored.subject)
    }

    /// A row's cells; nil if there is none.
    ///
    /// - Parameter bytesLeft: how many bytes may still be kept. What exceeds them is cut.
    func row(_ id: Int64, bytesLeft: inout Int) throws(ValetError) -> [Cell]? {
        try read(id) { row in
            stored.columns.indices.map { column in
                let cell = row.cell(column, limit: max(bytesLeft, Limits.bytesPerKeyText))
                bytesLeft -= cell.heldByteCount
                return cell
            }
        }
    }

    /// The same, for one row alone.
    func row(
        _ id: Int64, mostBytes: Int = Limits.bytesPerLoggedCommand
    ) throws(ValetError) -> [Cell]? {
        var bytesLeft = mostBytes
        return try row(id, bytesLeft: &bytesLeft)
    }

    /// Calls `body` with a statement that stands at the row; nil if there is none.
    private func read<Value>(
        _ id: Int64, _ body: (Statement) -> Value?
    ) throws(ValetError) -> Value? {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        return try reading.step() ? body(reading) : nil
    }

    /// A cell, whole if it is not longer than `limit`.
    func cell(_ column: Int, row id: Int64, limit: Int) throws(ValetError) -> Cell? {
        try read(id) { $0.cell(column, limit: limit) }
    }

    /// Of a whole text or blob, of which `row` may keep a part.
    func hash(ofColumn column: Int, _ id: Int64) throws(ValetError) -> EntryHash? {
        try read(id) { $0.bytes(column).map { EntryHash(of: $0) } }
    }

    /// The same, as a person's client knows it.
    func digest(ofColumn column: Int, row id: Int64) throws(ValetError) -> ValueDigest? {
        try read(id) { $0.bytes(column).map { ValueDigest(of: $0) } }
    }

    func exists(_ id: Int64) throws(ValetError) -> Bool { try read(id) { _ in true } ?? false }

    /// The tables of a file that can be changed.
    static func all(of database: Database, _ log: LogTables) throws(ValetError) -> [EditedTable] {
        var tables: [EditedTable] = []
        for (position, table) in database.schema.tables.enumerated() {
            guard table.isWritable, let rowID = table.rowID else { continue }
            let lists = database.tables.indices.filter { database.tables[$0] == position }
            let tested = lists.flatMap { database.listedRows[$0]?.columns ?? [] }
            let edited = try EditedTable(
                table, rowID: rowID, lists: lists,
                conditionColumns: database.referredColumns(ofTable: table.name).union(tested),
                noted: { database.notedColumns.of(table: position) },
                seenIDs: SeenRowIDs(
                    inEntries: try log.highestRowID(of: table.name),
                    kept: log.rowIDs.highest(of: table.name),
                    shown: { database.shownRowIDs.highest(ofTable: position) }),
                on: log.connection)
            try edited.noteHighest()
            tables.append(edited)
        }
        return tables
    }

    /// Whether a cell holds what its column makes of a value, or an equal number.
    func holds(_ value: Cell, column: Int, row id: Int64) throws(ValetError) -> Bool {
        let statement = try kept(
            &comparisons, [column], SQL.holds(column, of: stored, rowID: rowID))
        statement.bind([value, .integer(id)])
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) != 0
    }

    /// Another program may delete the row that has the highest id now. Who knows that row must not
    /// take a new one for it.
    func noteHighest() throws(ValetError) {
        defer { highestInTable.reset() }
        if try highestInTable.step(), case .integer(let found) = highestInTable.value(0) {
            seenIDs.highest = max(seenIDs.highest, found)
        }
        seenIDs.noteShown()
    }

    /// The id of the next new row, above all that were seen; nil if there is none left.
    func nextRowID() throws(ValetError) -> Int64? {
        try noteHighest()
        return seenIDs.highest == .max ? nil : seenIDs.highest + 1
    }

    func insert(_ id: Int64, _ values: [ColumnValue]) throws(ValetError) {
        let columns = values.map(\.column)
        let statement = try kept(
            &insertions, columns,
            SQL.insertRow(
                clause, into: stored,
                rowID: rowID.hasPrefix("s.") ? String(rowID.dropFirst(2)) : rowID,
                columns: columns))
        try run(statement, [.integer(id)] + values.map(\.value))
    }

    func update(_ id: Int64, _ values: [ColumnValue]) throws(ValetError) {
        let columns = values.map(\.column)
        let statement = try kept(
            &updates, columns, SQL.updateRow(clause, of: stored, rowID: rowID, columns: columns))
        try run(statement, values.map(\.value) + [.integer(id)])
    }

    func delete(_ id: Int64) throws(ValetError) {
        let statement =
            if let deletion { deletion } else {
                try connection.prepare(
                    SQL.deleteRow(of: stored, rowID: rowID), for: stored.subject)
            }
        deletion = statement
        try run(statement, [.integer(id)])
    }

    private func run(_ statement: Statement, _ values: [Cell]) throws(ValetError) {
        statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// People set few combinations of columns; whoever sets many pays for preparing.
    private func kept(
        _ statements: inout [[Int]: Statement], _ columns: [Int], _ sql: @autoclosure () -> String
    ) throws(ValetError) -> Statement {
        if let known = statements[columns] { return known }
        let made = try connection.prepare(sql(), for: stored.subject)
        if statements.count == Limits.statementsPerReader { statements.removeAll() }
        statements[columns] = made
        return made
    }
}
