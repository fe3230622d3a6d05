import CSQLite
import ValetModel

/// A table whose rows can be changed, with its statements.
final class EditedTable {
    let stored: StoredTable
    /// Its lists, as positions in the catalog.
    let lists: [Int]
    /// The columns that conditions of its lists test: every change of a row notes their values.
    let conditionColumns: Set<Int>
    /// Its number, and that of its columns as they are now, in Valet's own tables.
    let number: Int64
    let shape: Int64
    /// The highest row id that was ever given or deleted.
    var highest: Int64
    /// The same, as it is stored.
    var storedHighest: Int64

    /// In terms of the alias `s`.
    let rowID: String
    private let connection: Connection
    private let reading: Statement
    private let highestInTable: Statement
    private var insertions: [[Int]: Statement] = [:]
    private var updates: [[Int]: Statement] = [:]
    private var deletion: Statement?

    init(
        _ stored: StoredTable, rowID: String, lists: [Int], conditionColumns: Set<Int>,
        number: Int64, shape: Int64, highest: Int64, on connection: Connection
    ) throws(ValetError) {
        self.stored = stored
        self.rowID = rowID
        self.lists = lists
        self.conditionColumns = conditionColumns
        self.number = number
        self.shape = shape
        self.highest = highest
        storedHighest = highest
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
            bytesLeft -= cell.byteCount
            cells.append(cell)
        }
        return cells
    }

    /// Of a whole text or blob, of which `row` may keep a part.
    func digest(ofColumn column: Int, row id: Int64) throws(ValetError) -> ValueDigest? {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        guard try reading.step() else { return nil }
        return reading.bytes(column).map { ValueDigest(of: $0) }
    }

    func exists(_ id: Int64) throws(ValetError) -> Bool {
        reading.bind(id, at: 0)
        defer { reading.reset() }
        return try reading.step()
    }

    /// The id of the next new row; nil if there is none left.
    func nextRowID() throws(ValetError) -> Int64? {
        defer { highestInTable.reset() }
        if try highestInTable.step(), case .integer(let found) = highestInTable.value(0) {
            highest = max(highest, found)
        }
        return highest == .max ? nil : highest + 1
    }

    func insert(_ id: Int64, _ values: [ColumnValue]) throws(ValetError) {
        let columns = values.map(\.column)
        let statement = try kept(&insertions, columns) { () throws(ValetError) in
            SQL.insertRow(
                into: stored, rowID: rowID.hasPrefix("s.") ? String(rowID.dropFirst(2)) : rowID,
                columns: columns)
        }
        statement.bind(id, at: 0)
        for (index, value) in values.enumerated() { statement.bind(value.value, at: index + 1) }
        try run(statement)
    }

    func update(_ id: Int64, _ values: [ColumnValue]) throws(ValetError) {
        let columns = values.map(\.column)
        let statement = try kept(&updates, columns) { () throws(ValetError) in
            SQL.updateRow(of: stored, rowID: rowID, columns: columns)
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
