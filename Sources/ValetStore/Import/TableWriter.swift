import CSQLite
import ValetModel

/// A column of a table to be made.
package struct NewColumn: Hashable, Sendable {
    package enum DeclaredType: String, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case date = "DATE"
        case datetime = "DATETIME"
        case boolean = "BOOLEAN"
        case blob = "BLOB"
        /// No type: values stay what they are.
        case any = ""
    }

    package var name: String
    package var type: DeclaredType

    package init(_ name: String, _ type: DeclaredType) {
        self.name = name
        self.type = type
    }
}

/// Fills one table in one transaction, on a connection that nobody else uses meanwhile.
///
/// Bind the values of `row`, then `insertRow()`, again and again; `commit()` keeps them, and a
/// writer that goes without it leaves the file as it was. Parameters that are not bound again keep
/// their value.
package final class TableWriter {
    /// The prepared insert: one parameter for each column, from 0.
    package let row: Statement
    private let connection: Connection
    private var isOpen = true

    /// Begins the transaction, and makes the table unless `appending`.
    package init(
        on connection: Connection, table: String, columns: [NewColumn], appending: Bool = false
    ) throws(ValetError) {
        self.connection = connection
        try connection.run(SQL.beginWriting)
        do {
            if !appending { try connection.run(SQL.makeTable(table, columns: columns)) }
            let insert = SQL.insert(into: table, columns: columns.map(\.name))
            row = try connection.prepare(insert, for: "table “\(table)”")
        } catch {
            connection.rollBack()
            throw error
        }
    }

    deinit {
        if isOpen { rollBack() }
    }

    package func insertRow() throws(ValetError) {
        // An insert answers no row, and is reset by its own end.
        _ = try row.step()
        row.reset()
    }

    package func commit() throws(ValetError) {
        try connection.run(SQL.commit)
        isOpen = false
    }

    package func rollBack() {
        row.reset()
        connection.rollBack()
        isOpen = false
    }
}
