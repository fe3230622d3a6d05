import CSQLite
import Foundation
import ValetModel
import ValetStore

/// A folder of a test's own, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = NSTemporaryDirectory() + "/valet-test-" + UUID().uuidString
        let isMade: Void? = try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        precondition(isMade != nil, "no temporary folder")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// A new database made by running `sql`.
    package func database(_ sql: String, name: String = "test.db") throws -> String {
        try? FileManager.default.removeItem(atPath: file(name))
        try Connection(path: file(name), access: .create).run(sql)
        return file(name)
    }

    /// What another program does to a database.
    package static func change(_ path: String, _ sql: String) throws {
        try Connection(path: path, access: .write).run(sql)
    }

    /// Writes other content over a file, which stays the same file to whoever has it open.
    package static func overwrite(_ path: String, with content: Data) throws {
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw ValetError(.storageFailed, "can't write “\(path)”")
        }
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: content)
        try handle.close()
    }

    /// Without the limits of this project's connections: VACUUM attaches a database.
    ///
    /// - Parameter version: what the schema's is set to.
    package static func vacuum(_ path: String, version: String? = nil) throws {
        let sql = version.map { "VACUUM; PRAGMA schema_version = \($0)" } ?? "VACUUM"
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(path, &database) == SQLITE_OK,
            // A server may be committing.
            sqlite3_busy_timeout(database, 10_000) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { throw ValetError(.storageFailed, "can't vacuum “\(path)”") }
    }

    /// The number that another program reads in a database.
    package static func number(_ path: String, _ sql: String) throws -> Int64 {
        try integers(in: path, sql).first ?? 0
    }

    /// The first column of what a query finds.
    package static func integers(in path: String, _ query: String) throws -> [Int64] {
        let statement = try Connection(path: path).prepare(query)
        var found: [Int64] = []
        while try statement.step() { found.append(statement.integer(0)) }
        return found
    }

    /// Lets a database note which rows other programs change.
    package static func addTriggers(_ path: String) throws {
        _ = try FileTriggers.add(toFile: path)
    }

    /// Runs `body` while another program has a database for itself.
    package static func locking(_ path: String, _ body: () throws -> Void) throws {
        let connection = try Connection(path: path, access: .write)
        try connection.run("BEGIN EXCLUSIVE")
        try body()
        try connection.run("ROLLBACK")
    }

    /// A database with one table `cars` of `count` rows: make, model and year, ten makes.
    ///
    /// - Parameter havePhotos: whether there is a column of blobs, too. A server never reads that
    ///   in, so it takes pages from the file.
    package func cars(_ count: Int, havePhotos: Bool = false) throws -> String {
        let connection = try Connection(path: file("cars.db"), access: .create)
        var columns = [
            NewColumn("make", .text), NewColumn("model", .text), NewColumn("year", .integer),
        ]
        if havePhotos { columns.append(NewColumn("photo", .blob)) }
        let writer = try TableWriter(on: connection, table: "cars", columns: columns)
        for index in 0..<count {
            writer.row.bind("Make \(index % 10)", at: 0)
            writer.row.bind("Model \(index)", at: 1)
            writer.row.bind(Int64(1_950 + index % 60), at: 2)
            try writer.insertRow()
        }
        try writer.commit()
        return file("cars.db")
    }

    /// Writes a file, and makes the folders that it stands in.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) -> String {
        let above = URL(filePath: file(name)).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        let isWritten = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
        precondition(isWritten, "can't write \(name)")
        return file(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }
}
