import Foundation
import TestSupport
import Testing

/// `valetd log`: Valet's tables in a file.
@Suite(.runsPrograms) struct LogCommandTests {
    private let scratch = Scratch()

    private func tables(_ database: String) throws -> Int64 {
        try TemporaryFolder.number(
            database,
            "SELECT count(*) FROM sqlite_schema WHERE name LIKE '\\_valet%' ESCAPE '\\'")
    }

    @Test func removeTakesValetsTablesOut() throws {
        let database = try scratch.database(table: "cars", csv: "make,year\nBMW,2020\n")
        func remove(_ arguments: String...) throws -> Finished {
            try Program.valetd.run(["log", "remove", database] + arguments, in: scratch)
        }
        let nothing = try remove()
        #expect(nothing.code == 0 && nothing.text.contains("has none of Valet's tables"))
        #expect(try scratch.valet(["set", database, "1", "year=1"]).code == 0)
        #expect(try tables(database) > 5)
        let asked = try remove()
        #expect(asked.code == 2 && asked.message.contains("Undo, the history"), "\(asked.message)")
        #expect(asked.message.contains("--yes"))
        #expect(try tables(database) > 5)
        let daemon = try Daemon(database, in: scratch)
        let served = ["set", daemon.address, "1", "year=3"]
        #expect(try scratch.valet(served).code == 0)
        let owned = try remove("--yes")
        #expect(owned.code == 7 && owned.message.contains("owns"), "\(owned.message)")
        try daemon.end()
        #expect(try remove("--yes").code == 0)
        #expect(try tables(database) == 0)
        let year = try scratch.valet(["get", database, "1"])
        #expect(year.text.contains("1"))
        #expect(try scratch.valet(["undo", database]).code == 5)
        #expect(try scratch.valet(["set", database, "1", "year=2"]).code == 0)
        #expect(try scratch.valet(["undo", database]).code == 0)
    }

    @Test func replayBringsACopyUpToDate() throws {
        let database = try scratch.database(table: "cars", csv: "make,year\nBMW,2020\n")
        let copy = scratch.path("copy.db")
        try FileManager.default.copyItem(atPath: database, toPath: copy)
        func replay(_ arguments: String...) throws -> Finished {
            try Program.valetd.run(["log", "replay", database, copy] + arguments, in: scratch)
        }
        let nothing = try replay()
        #expect(nothing.code == 1 && nothing.message.contains("has no log"))
        let daemon = try Daemon(database, in: scratch)
        for year in ["year=1", "year=2"] {
            let set = ["set", daemon.address, "1", year]
            #expect(try scratch.valet(set).code == 0)
        }
        let applied = try replay("--from", "0")
        #expect(applied.code == 0, "\(applied.message)")
        #expect(applied.text.contains("applied 2 commands in 2 transactions"))
        try daemon.end()
        #expect(try TemporaryFolder.number(copy, "SELECT year FROM cars") == 2)
        #expect(try replay("--from", "9").code == 1)
        #expect(try scratch.valet(["set", copy, "1", "year=3"]).code == 0)
        let served = try replay()
        #expect(served.code == 1 && served.message.contains("another log"))
        let missing = ["log", "replay", database, scratch.path("none.db")]
        #expect(try Program.valetd.run(missing, in: scratch).code == 3)
    }
}
