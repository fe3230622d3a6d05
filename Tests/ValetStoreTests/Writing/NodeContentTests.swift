import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// The digest by which nodes of a cluster compare their files.
@Suite struct NodeContentTests {
    private let folder = TemporaryFolder()
    private let path: String

    private static let tables = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, fuel, loud AS (upper(make)));
        INSERT INTO cars (make, fuel) VALUES ('VW', 1), ('Kia', 2.5), ('BMW', x'01'), (NULL, '1');
        CREATE TABLE keyed (a TEXT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
        INSERT INTO keyed VALUES ('x', 'y'), ('y', 'x');
        CREATE TABLE plain (text TEXT);
        INSERT INTO plain VALUES ('one'), ('two'), ('three');
        """

    init() throws {
        path = try folder.database(Self.tables)
        try NodeMark.make(inFile: path, [7, 8], at: 1)
    }

    private func content(
        _ path: String, began: () -> Void = {}, cancelled: () -> Bool = { false }
    ) throws -> NodeContent {
        try NodeContent(ofFile: path, began: began, cancelled: cancelled)
    }

    /// A copy of the file, changed.
    private func digest(after sql: String) throws -> UInt64 {
        let copy = folder.file(UUID().uuidString)
        try Connection(path: path).copy(to: copy)
        try TemporaryFolder.change(copy, "PRAGMA journal_mode=WAL; " + sql)
        return try content(copy).digest
    }

    @Test(arguments: [
        "", "CREATE INDEX i ON cars (make)", "CREATE VIEW v AS SELECT 1", "ANALYZE",
        "UPDATE cars SET make = 'x'; UPDATE cars SET make = substr('VW KiaBMW', 3 * id - 2, 3)"
            + " WHERE id < 4; UPDATE cars SET make = 'VW' WHERE id = 1;"
            + " UPDATE cars SET make = NULL WHERE id = 4",
        "DELETE FROM _valet_state",
        "DELETE FROM keyed; INSERT INTO keyed VALUES ('y', 'x'), ('x', 'y')",
    ])
    func filesOfTheSameRowsHaveOne(sql: String) throws {
        #expect(try digest(after: sql) == content(path).digest)
    }

    @Test(arguments: [
        "UPDATE cars SET make = 'VW ' WHERE id = 1", "UPDATE cars SET fuel = 1.0 WHERE id = 1",
        "UPDATE cars SET fuel = '1' WHERE id = 1", "UPDATE cars SET fuel = '\u{1}' WHERE id = 3",
        "UPDATE cars SET make = '' WHERE id = 4", "UPDATE cars SET id = 9 WHERE id = 4",
        "DELETE FROM cars WHERE id = 2", "INSERT INTO cars (make) VALUES ('Fiat')",
        "UPDATE plain SET rowid = 9 WHERE text = 'three'", "DELETE FROM keyed WHERE a = 'x'",
        "UPDATE keyed SET a = 'z' WHERE a = 'x'", "CREATE TABLE more (a)",
        "ALTER TABLE plain RENAME TO plains",
        // The bytes of two texts, cut elsewhere.
        "UPDATE plain SET text = substr('onetwo', 1 + 2 * (rowid - 1), 2 + 2 * (rowid - 1))"
            + " WHERE rowid < 3",
    ])
    func filesOfOtherRowsHaveOthers(sql: String) throws {
        #expect(try digest(after: sql) != content(path).digest, "\(sql)")
    }

    /// What others commit after it has begun is not in it, and they need not wait.
    @Test func itIsOfTheMomentAtWhichItBegan() throws {
        let before = try content(path)
        #expect(before.state == [7, 8])
        var failure: (any Error)?
        let meanwhile = try content(path) {
            do {
                try TemporaryFolder.change(path, "UPDATE cars SET make = 'Opel'")
            } catch { failure = error }
        }
        #expect(failure == nil && meanwhile.digest == before.digest)
        #expect(try content(path).digest != before.digest)
    }

    @Test func manyRowsAreReadInOrder() throws {
        let sql = """
            WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO plain SELECT 'row ' || i FROM n
            """
        let whole = try digest(after: sql)
        let backwards = sql.replacing(
            "plain SELECT 'row ' || i",
            with: "plain (rowid, text) SELECT 20004 - i, 'row ' || (20001 - i)")
        #expect(try digest(after: backwards) == whole)
        let last = "UPDATE plain SET text = 'row' WHERE rowid = 20003"
        #expect(try digest(after: sql + ";" + last) != whole)
    }

    @Test func itEndsWhenItIsCancelled() {
        let error = #expect(throws: ValetError.self) {
            try content(path, began: { Issue.record("it has begun") }, cancelled: { true })
        }
        #expect(error != nil)
    }

    @Test func aFileThatIsNoNodesHasNone() throws {
        let other = try folder.database("CREATE TABLE t (a)", name: "other")
        #expect(throws: ValetError.self) { try content(other) }
        try TemporaryFolder.change(other, "PRAGMA journal_mode=WAL")
        let error = #expect(throws: ValetError.self) { try content(other) }
        #expect(error?.message.contains("of no cluster") == true)
    }
}
