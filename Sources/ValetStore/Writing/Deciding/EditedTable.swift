import CSQLite
import ValetModel

/// A table whose rows can be changed, with its statements.
final class EditedTable {
    let stored: StoredTable
    /// Its lists, as positions in the catalog.
    let lists: [Int]
    /// The columns that conditions of its lists test: every change of a row notes their values.
    let conditionColumns: Set<Int>
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
        seenIDs: SeenRowIDs = SeenRowIDs(), _ clause: SQL.ConflictClause = .own,
        on connection: Connection
    ) throws(ValetError) {
        self.stored = stored
        self.rowID = rowID
        self.lists = lists
        self.conditionColumns = conditionColumns
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
        reading.bind(id, at: 0)
        defer { reading.reset() }
        guard try reading.step() else { return nil }
        var cells: [Cell] = []
        cells.reserveCapacity(stored.columns.count)
        for column in stored.columns.indices {
            let cell = reading.cell(column, limit: max(bytesLeft, Limits.bytesPerKeyText))
            bytesLeft -= cell.heldByteCount
            cells.append(cell)
        }
        return cells
    }

    /// Calls `read` with a whole text or blob, of which `row` may keep a part.
    private func withBytes<Value>(
        ofColumn column: Int, row id: Int64, _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(ValetError) -> Value? {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        guard try reading.step() else { return nil }
        return reading.bytes(column).map(read)
    }

    /// A cell, whole if it is not longer than `limit`.
    func cell(_ column: Int, row id: Int64, limit: Int) throws(ValetError) -> Cell? {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        return try reading.step() ? reading.cell(column, limit: limit) : nil
    }

    /// Of a whole text or blob, of which `row` may keep a part.
    func hash(ofColumn column: Int, _ id: Int64) throws(ValetError) -> EntryHash? {
        try withBytes(ofColumn: column, row: id) { EntryHash(of: $0) }
    }

    /// The same, as a person's client knows it.
    func digest(ofColumn column: Int, row id: Int64) throws(ValetError) -> ValueDigest? {
        try withBytes(ofColumn: column, row: id) { ValueDigest(of: $0) }
    }

    /// The tables of a file that can be changed.
    static func all(
        of database: Database, _ log: LogTables
    ) throws(ValetError) -> [EditedTable] {
        var tables: [EditedTable] = []
        for (position, table) in database.schema.tables.enumerated() {
            guard table.isWritable, let rowID = table.rowID else { continue }
            let lists = database.tables.indices.filter { database.tables[$0] == position }
            let tested = lists.flatMap { database.listedRows[$0]?.columns ?? [] }
            let edited = try EditedTable(
                table, rowID: rowID, lists: lists, conditionColumns: Set(tested),
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
        let statement = try kept(&comparisons, [column]) { () throws(ValetError) in
            SQL.holds(column, of: stored, rowID: rowID)
        }
        statement.bind(value, at: 0)
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) != 0
    }

    func exists(_ id: Int64) throws(ValetError) -> Bool {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        return try reading.step()
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
        let statement = try kept(&insertions, columns) { () throws(ValetError) in
            SQL.insertRow(
                clause, into: stored,
                rowID: rowID.hasPrefix("s.") ? String(rowID.dropFirst(2)) : rowID,
                columns: columns)
        }
        statement.bind(id, at: 0)
        for (index, value) in values.enumerated() { statement.bind(value.value, at: index + 1) }
        try run(statement)
    }

    func update(_ id: Int64, _ values: [ColumnValue]) throws(ValetError) {
        let columns = values.map(\.column)
        let statement = try kept(&updates, columns) { () throws(ValetError) in
            SQL.updateRow(clause, of: stored, rowID: rowID, columns: columns)
        }
        for (index, value) in values.enumerated() { statement.bind(value.value, at: index) }
        statement.bind(id, at: values.count)
        try run(statement)
    }

    func delete(_ id: Int64) throws(ValetError) {
        let statement: Statement
        if let deletion {
            statement = deletion
        } else {
            statement = try connection.prepare(
                SQL.deleteRow(of: stored, rowID: rowID), for: stored.subject)
            deletion = statement
        }
        statement.bind(id, at: 0)
        try run(statement)
    }

    private func run(_ statement: Statement) throws(ValetError) {
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// People set few combinations of columns; whoever sets many pays for preparing.
    private func kept(
        _ statements: inout [[Int]: Statement], _ columns: [Int],
        sql: () throws(ValetError) -> String
    ) throws(ValetError) -> Statement {
        if let known = statements[columns] { return known }
        let made = try connection.prepare(try sql(), for: stored.subject)
        if statements.count == Limits.statementsPerReader { statements.removeAll() }
        statements[columns] = made
        return made
    }
}
