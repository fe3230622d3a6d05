import ValetModel

/// Triggers that record which rows of a table change, whichever program changes them.
///
/// They write the row's id into `_valet_touched`. After another program's commit, the writer reads
/// the rows named there; without triggers, lists are read in anew.
///
/// `REPLACE` deletes rows without running triggers, so the rows that a new one would replace are
/// recorded before. `VACUUM` may give rows new ids, which the schema's version shows. Only
/// `sqlite3_blob_write` changes a row without a trace.
struct TouchTriggers: Equatable {
    struct Trigger: Equatable {
        let name: String
        /// As the schema stores it.
        let sql: String
    }

    let triggers: [Trigger]

    /// Throws `.listUnavailable` for a table whose changes can't be noted.
    init(of table: StoredTable, on connection: Connection) throws(ValetError) {
        guard table.isWritable, let rowID = table.rowID else {
            throw .listUnavailable("\(table.subject) can't have triggers: its rows have no ids")
        }
        let touch = Touch(table: table.name, rowID: String(rowID.dropFirst(2)))
        let replaced = try Self.uniqueColumns(of: table, on: connection).flatMap { columns in
            let equal = columns.map {
                "s.\($0.name) = NEW.\($0.name) COLLATE \($0.collation)"
            }
            // REPLACE puts a column's default in place of a NULL that the column refuses, but only
            // after the triggers, so any row may be replaced.
            let defaults = columns.filter(\.isRequired).map { "NEW.\($0.name) IS NULL" }
            return ([equal.joined(separator: " AND ")] + defaults).map(touch.rows)
        }
        var triggers = [
            ("insert", "AFTER INSERT", [touch.row("NEW")]),
            ("update", "AFTER UPDATE", [touch.row("OLD"), touch.row("NEW")]),
            ("delete", "AFTER DELETE", [touch.row("OLD")]),
        ]
        if !replaced.isEmpty {
            triggers += [
                ("insert_replaces", "BEFORE INSERT", replaced),
                ("update_replaces", "BEFORE UPDATE", replaced),
            ]
        }
        self.triggers = triggers.map { event, moment, statements in
            let name = "\(SQL.touchTriggerPrefix)\(event)_\(table.name)"
            return Trigger(
                name: name,
                sql: "CREATE TRIGGER \(SQL.quoted(name)) \(moment) ON \(SQL.quoted(table.name)) "
                    + "BEGIN \(statements.joined(separator: "; ")); END")
        }
    }

    private struct UniqueColumn {
        let name: String
        let collation: String
        let isRequired: Bool
    }

    /// The columns of the table's unique indexes, including partial ones.
    private static func uniqueColumns(
        of table: StoredTable, on connection: Connection
    ) throws(ValetError) -> [[UniqueColumn]] {
        let indexes = try connection.prepare(SQL.uniqueIndexes, [.text(table.name)])
        var unique: [[UniqueColumn]] = []
        while try indexes.step() {
            let index = indexes.text(0) ?? ""
            let statement = try connection.prepare(SQL.indexColumns, [.text(index)])
            var columns: [UniqueColumn] = []
            while try statement.step() {
                let name = statement.text(0)
                guard let column = table.columns.first(where: { $0.name == name }),
                    !column.isGenerated
                else {
                    throw .listUnavailable(
                        "\(table.subject) can't have triggers: the unique index “\(index)” is not "
                            + "of plain columns, so rows that REPLACE deletes can't be noted")
                }
                columns.append(
                    UniqueColumn(
                        name: SQL.quoted(column.name),
                        collation: SQL.quoted(statement.text(1) ?? "BINARY"),
                        isRequired: column.isRequired))
            }
            unique.append(columns)
        }
        return unique
    }
}

/// Statements inside triggers. They must not conflict, because the conflict policy of the statement
/// that fired the trigger would override theirs.
private struct Touch {
    let table: String
    let rowID: String

    func row(_ alias: String) -> String {
        let id = "\(alias).\(rowID)"
        return "\(insertion) SELECT \(name), \(id) WHERE \(isNew(id))"
    }

    func rows(_ condition: String) -> String {
        let id = "s.\(rowID)"
        return "\(insertion) SELECT \(name), \(id) FROM \(SQL.quoted(table)) AS s "
            + "WHERE \(condition) AND \(isNew(id))"
    }

    private var insertion: String { "INSERT INTO _valet_touched (tab, id)" }
    private var name: String { table.inSingleQuotes }

    private func isNew(_ id: String) -> String {
        "NOT EXISTS (SELECT 1 FROM _valet_touched AS t WHERE t.tab = \(name) AND t.id = \(id))"
    }
}

// MARK: - In a file

/// Adds the triggers to a file, and removes them, in one transaction each.
package enum FileTriggers {
    /// The result for one table.
    package struct Added: Sendable {
        package let table: String
        /// Why it has no triggers; nil if it has them.
        package let obstacle: String?
    }

    /// Adds triggers to all tables that can have them, in place of earlier ones.
    package static func add(toFile path: String) throws(ValetError) -> [Added] {
        try replacing(path) { connection, schema throws(ValetError) in
            try connection.run(SQL.makeTouched)
            var added: [Added] = []
            for table in schema.tables {
                do throws(ValetError) {
                    let made = try TouchTriggers(of: table, on: connection)
                    for trigger in made.triggers { try connection.run(trigger.sql) }
                    added.append(Added(table: table.name, obstacle: nil))
                } catch {
                    guard error.code == .listUnavailable else { throw error }
                    added.append(Added(table: table.name, obstacle: error.message))
                }
            }
            return added
        }.result
    }

    /// - Returns: how many triggers there were.
    package static func remove(fromFile path: String) throws(ValetError) -> Int {
        try replacing(path) { _, _ in }.removed
    }

    /// Removes the triggers and their table, and runs `body`, which may make new ones.
    private static func replacing<Result>(
        _ path: String, _ body: (Connection, Schema) throws(ValetError) -> Result
    ) throws(ValetError) -> (removed: Int, result: Result) {
        try LeftLog.check(path)
        let connection = try Connection(path: path, access: .write)
        return try connection.working(within: .opening) { () throws(ValetError) in
            try connection.run(SQL.noCheckpoints)
            try connection.run(SQL.beginWriting)
            defer { connection.rollBack() }
            let names = try connection.touchTriggers().map(\.name)
            for name in names { try connection.run(SQL.dropTrigger(name)) }
            try connection.run(SQL.dropTouched)
            let result = try body(connection, try Schema(of: connection))
            try connection.run(SQL.commit)
            return (names.count, result)
        }
    }
}

extension Connection {
    /// All triggers whose names are Valet's.
    func touchTriggers() throws(ValetError) -> [TouchTriggers.Trigger] {
        let statement = try prepare(SQL.touchTriggers)
        var triggers: [TouchTriggers.Trigger] = []
        while try statement.step() {
            triggers.append(
                TouchTriggers.Trigger(
                    name: statement.text(0) ?? "", sql: statement.text(1) ?? ""))
        }
        return triggers
    }
}
