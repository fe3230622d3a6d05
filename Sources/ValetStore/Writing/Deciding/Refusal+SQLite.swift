import CSQLite
import ValetModel

extension Connection {
    /// The rule of the database that the last statement broke, as one sentence for a person; nil if
    /// the statement failed for another reason.
    ///
    /// - Parameter row: the command's row that breaks it.
    func refusal(row: Int, of table: StoredTable) -> Refusal? {
        let code = sqlite3_extended_errcode(handle)
        let message = String(String(cString: sqlite3_errmsg(handle)).prefix(300))
        func refusal(_ text: String, column: Int? = nil) -> Refusal {
            Refusal(row: row, column: column, message: text)
        }
        switch code {
        case Broken.notNull:
            let column = table.column(in: message)
            // A foreign key may have set a column of another table.
            let name = column.map(table.name) ?? "“\(message.afterColon)”"
            return refusal("\(name) must have a value", column: column)
        case Broken.unique, Broken.primaryKey, Broken.rowID:
            let column = table.column(in: message)
            return refusal("another row has the same \(table.name(column))", column: column)
        // RESTRICT works as a trigger.
        case Broken.foreignKey,
            Broken.trigger where message == "FOREIGN KEY constraint failed":
            return refusal(Self.brokenForeignKey)
        case Broken.check:
            return refusal("the rule “\(message.afterColon)” forbids it")
        case Broken.dataType:
            let column = table.columns.indices.first {
                message.hasSuffix("column \(table.name).\(table.columns[$0].name)")
            }
            return refusal("\(table.name(column)) can't have this value", column: column)
        case let code where code & 0xFF == SQLITE_CONSTRAINT: return refusal(message)
        case SQLITE_ERROR, SQLITE_MISMATCH:
            return refusal("“\(table.name)” refuses the change: \(message)")
        case _: return nil
        }
    }

    /// Whether the last statement failed because another row has the same value.
    var hasBrokenUniqueness: Bool {
        [Broken.unique, Broken.primaryKey, Broken.rowID]
            .contains(sqlite3_extended_errcode(handle))
    }

    static let brokenForeignKey =
        "a row that it refers to is missing, or other rows still refer to it"
}

/// Result codes whose definitions Swift does not import.
private enum Broken {
    static let check = SQLITE_CONSTRAINT | 1 << 8
    static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
    static let notNull = SQLITE_CONSTRAINT | 5 << 8
    static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    static let trigger = SQLITE_CONSTRAINT | 7 << 8
    static let unique = SQLITE_CONSTRAINT | 8 << 8
    static let rowID = SQLITE_CONSTRAINT | 10 << 8
    static let dataType = SQLITE_CONSTRAINT | 12 << 8
}

extension StoredTable {
    /// The column that a message of SQLite names first, as in
    /// `UNIQUE constraint failed: cars.plate, cars.year`. Names may contain dots and commas, so all
    /// are tried, and the longest wins.
    fileprivate func column(in message: String) -> Int? {
        let named = message.afterColon
        return columns.indices
            .filter { column in
                let name = "\(self.name).\(columns[column].name)"
                return named == name || named.hasPrefix(name + ", ")
            }
            .max { columns[$0].name.utf8.count < columns[$1].name.utf8.count }
    }

    fileprivate func name(_ column: Int?) -> String {
        column.map { "“\(columns[$0].name)”" } ?? "value"
    }
}

extension String {
    fileprivate var afterColon: String {
        utf8.firstRange(of: ": ".utf8).map { String(self[$0.upperBound...]) } ?? self
    }
}
