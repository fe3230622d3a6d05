import CSQLite
import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// That a file is taken for a hostile one, read back from SQLite.
@Suite struct ConnectionTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [Connection.Access.read, .readAlone, .write, .create])
    func eachDefenceIsOn(access: Connection.Access) throws {
        let path = try folder.database("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let connection = try Connection(path: path, access: access)
        #expect(try connection.integer("PRAGMA trusted_schema") == 0)
        #expect(try connection.integer("PRAGMA cell_size_check") == 1)
        #expect(try connection.integer("PRAGMA mmap_size") == 0)
        func isRefused(_ sql: String, saying reason: String) -> Bool {
            failure { try connection.run(sql) }?.message.contains(reason) == true
        }
        #expect(isRefused("SELECT load_extension('x')", saying: "not authorized"))
        #expect(isRefused("ATTACH ':memory:' AS other", saying: "too many attached databases"))
        for sql in ["PRAGMA writable_schema=ON", "PRAGMA journal_mode=OFF"] {
            try connection.run(sql)
        }
        #expect(isRefused("UPDATE sqlite_schema SET sql = ''", saying: "may not be modified"))
        for (limit, value) in Connection.limits {
            #expect(sqlite3_limit(connection.handle, limit, -1) == value)
        }
    }

    @Test func ourLimitsAreBelowSQLitesOwn() throws {
        var opened: OpaquePointer?
        try #require(sqlite3_open(":memory:", &opened) == SQLITE_OK)
        defer { sqlite3_close(opened) }
        for (limit, value) in Connection.limits {
            #expect(value <= Int(sqlite3_limit(opened, limit, -1)))
        }
    }
}
