import Foundation
import ValetModel

@testable import ValetStore

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "valet-server-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A database made by running `sql`.
    func database(_ sql: String, name: String = "test.db") throws -> String {
        let file = path + "/" + name
        try Connection(path: file, access: .create).run(sql)
        return file
    }

    /// A database with one table `cars` of `count` rows: make, model and year, ten makes.
    func cars(_ count: Int) throws -> String {
        let file = path + "/cars.db"
        let connection = try Connection(path: file, access: .create)
        let writer = try TableWriter(
            on: connection, table: "cars",
            columns: [
                NewColumn("make", .text), NewColumn("model", .text), NewColumn("year", .integer),
            ])
        for index in 0..<count {
            writer.row.bind("Make \(index % 10)", at: 0)
            writer.row.bind("Model \(index)", at: 1)
            writer.row.bind(Int64(1_950 + index % 60), at: 2)
            try writer.insertRow()
        }
        try writer.commit()
        return file
    }
}
