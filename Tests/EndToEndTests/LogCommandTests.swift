import TestSupport
import Testing

/// `valetd log remove`: a file without Valet's tables.
@Suite(.runsPrograms) struct LogCommandTests {
    private func tables(_ database: String) throws -> Int64 {
        try TemporaryFolder.number(
            database,
            "SELECT count(*) FROM sqlite_schema WHERE name LIKE '\\_valet%' ESCAPE '\\'")
    }

    @Test func removeTakesValetsTablesOut() throws {
        try Scratch.with { scratch in
            let database = try scratch.database(table: "cars", csv: "make,year\nBMW,2020\n")
            func remove(_ arguments: String...) throws -> Finished {
                try Program.valetd.run(["log", "remove", database] + arguments, in: scratch)
            }
            let nothing = try remove()
            #expect(nothing.code == 0 && nothing.text.contains("has none of Valet's tables"))
            #expect(try Program.valet.run(["set", database, "1", "year=1"], in: scratch).code == 0)
            #expect(try tables(database) > 5)
            let asked = try remove()
            #expect(asked.code == 2 && asked.message.contains("can be undone"), "\(asked.message)")
            #expect(asked.message.contains("--yes"))
            #expect(try tables(database) > 5)
            let daemon = try Daemon(database, in: scratch)
            let served = ["set", daemon.address, "1", "year=3"]
            #expect(try Program.valet.run(served, in: scratch).code == 0)
            let owned = try remove("--yes")
            #expect(owned.code == 7 && owned.message.contains("owns"), "\(owned.message)")
            try daemon.end()
            #expect(try remove("--yes").code == 0)
            #expect(try tables(database) == 0)
            let year = try Program.valet.run(["get", database, "1"], in: scratch)
            #expect(year.text.contains("1"))
            #expect(try Program.valet.run(["undo", database], in: scratch).code == 5)
            #expect(try Program.valet.run(["set", database, "1", "year=2"], in: scratch).code == 0)
            #expect(try Program.valet.run(["undo", database], in: scratch).code == 0)
        }
    }
}
