import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Undo takes back what foreign keys did, also to values that are equal only as SQLite compares
/// them: by the type and the collation of the parent's column.
@Suite struct ForeignKeyUndoTests {
    @Test(
        arguments: [
            // The parent's column, the child's, and their values.
            ("INTEGER", "TEXT", "1", "'1'"), ("INTEGER", "REAL", "1", "1"),
            ("REAL", "INTEGER", "2.0", "2"),
            ("NUMERIC", "TEXT", "2.5", "'2.5'"), ("TEXT", "INTEGER", "'7'", "7"),
            ("TEXT COLLATE NOCASE", "TEXT", "'Abc'", "'aBC'"),
            ("TEXT COLLATE RTRIM", "TEXT", "'Abc'", "'Abc  '"), ("TEXT", "TEXT", "'é'", "'é'"),
        ],
        ["ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE"])
    func whatForeignKeysDidIsTakenBack(
        column: (parent: String, child: String, value: String, childValue: String), action: String
    ) throws {
        let file = try WrittenDatabase(
            """
            CREATE TABLE cars (key \(column.parent) UNIQUE);
            CREATE TABLE parts (car \(column.child) REFERENCES cars(key) \(action), name);
            INSERT INTO cars VALUES (\(column.value));
            INSERT INTO parts VALUES (\(column.childValue), 'wheel');
            """)
        func stored() throws -> [[Cell]] {
            let connection = try Connection(path: file.path)
            return try ["SELECT rowid, key, NULL FROM cars", "SELECT rowid, car, name FROM parts"]
                .flatMap { sql in
                    let statement = try connection.prepare(sql)
                    var rows: [[Cell]] = []
                    while try statement.step() {
                        rows.append((0..<3).map { statement.cell($0, limit: 100) })
                    }
                    return rows
                }
        }
        let before = try stored()
        let new = column.parent.hasPrefix("TEXT") ? Cell.text("new") : .integer(9)
        let change =
            action.contains("UPDATE")
            ? Change.update([
                RowEdit(rowID: 1, cells: [CellEdit(column: 0, value: new, seen: .anything)])
            ]) : .delete([RowDeletion(rowID: 1)])
        try #require(try file.send(change).isApplied)
        let after = try stored()
        #expect(before.count == 2 && after.last != before.last)
        for (turn, rows) in [(Change.undo, before), (.redo, after), (.undo, before)] {
            #expect(try file.send(turn).isApplied)
            #expect(try stored() == rows)
        }
    }
}
