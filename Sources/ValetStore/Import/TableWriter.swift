import CSQLite
import ValetModel

/// A column of a new table.
package struct NewColumn: Hashable, Sendable {
    package enum DeclaredType: String, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case date = "DATE"
        case datetime = "DATETIME"
        case boolean = "BOOLEAN"
        case blob = "BLOB"
        /// No declared type: values are stored as given.
        case any = ""
    }

    package var name: String
    package var type: DeclaredType

    package init(_ name: String, _ type: DeclaredType) {
        self.name = name
        self.type = type
    }
}

/// Fills one table in one transaction, on a connection that has no other users meanwhile.
///
/// For each row, bind the values of `row`, then call `insertRow()`; `commit()` keeps them. A writer
/// that is released without a commit leaves the file unchanged. Parameters keep their values until
/// they are bound again.
package final class TableWriter {
    /// The prepared insert: one parameter per column, from 0.
    package let row: Statement
    private let connection: Connection
    private var isOpen = true

    /// Begins the transaction, and creates the table unless `appending`.
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
        // An insert returns no row, and its end resets it.
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
