import Foundation
import TestSupport
import Testing
import ValetClient
import ValetModel
import ValetStore

/// Random queries are answered as SQL answers them.
///
/// `VALET_QUERIES` is how many are asked of random tables; a few without it.
@Suite(.offThePool) struct QueryTests {
    private static let queries = ProcessInfo.processInfo.environment["VALET_QUERIES"].flatMap {
        Int($0)
    }
    private static let perTable = 12
    private static let tables = max(1, (queries ?? 120) / perTable)

    private let folder = TemporaryFolder()

    @Test(.timeLimit(.minutes(queries == nil ? 10 : 120)))
    func randomTablesAreAnsweredAsBySQL() async throws {
        var figures = QueryRun.Figures()
        let time = try await ContinuousClock().measure {
            for table in 0..<Self.tables {
                let seed = runSeed &+ UInt64(table)
                let random = try RandomTable(seed: seed, in: folder)
                figures.add(
                    try await QueryRun(
                        path: random.path, catalogPath: random.catalogPath, list: "things",
                        titles: RandomTable.titles, seed: seed
                    ).ask(Self.perTable))
            }
        }
        figures.record()
        #expect(figures.foundSome * 10 > figures.asked)
        guard Self.queries != nil else { return }
        let line = """
            VALET_SEED=\(runSeed): \(figures.asked) queries of \(Self.tables) tables, \
            \(figures.foundSome) with some rows, \(figures.differences.count) differences, \(time)

            """
        FileHandle.standardError.write(Data(line.utf8))
    }

    @Test(.timeLimit(.minutes(10))) func aWrongAnswerIsNoticed() async throws {
        let random = try RandomTable(seed: 4, in: folder)
        let changed = folder.file("changed.db")
        try FileManager.default.copyItem(atPath: random.path, toPath: changed)
        try TemporaryFolder.change(changed, "UPDATE things SET name = 'other' WHERE rowid % 20 = 0")
        let run = QueryRun(
            path: random.path, pathForSQL: changed, catalogPath: random.catalogPath,
            list: "things", titles: RandomTable.titles, seed: 4)
        #expect(try await run.ask(60).differences.count == 3)
    }

    @Test(
        .enabled(if: SampleFolder.path != nil), .timeLimit(.minutes(10)),
        arguments: ["vehicles", "cities"])
    func importedRowsAreAnsweredAsBySQL(_ name: String) async throws {
        let data = try #require(SampleFolder.path)
        let path = folder.file("data.db")
        _ = try CSVImport.run(csvPath: "\(data)/\(name).csv", databasePath: path, table: name)
        if Self.queries == nil {
            // More than one chunk of 4,096 rows, in the time that there is.
            try TemporaryFolder.change(path, "DELETE FROM \(name) WHERE rowid % 4 <> 0")
        }
        try await QueryRun(path: path, list: name, seed: runSeed).ask(6).record()
    }

    @Test(
        .enabled(if: SampleFolder.path != nil), .timeLimit(.minutes(10)),
        arguments: ["Track", "Invoice", "Employee", "PlaylistTrack"])
    func aForeignDatabaseIsAnsweredAsBySQL(_ list: String) async throws {
        let data = try #require(SampleFolder.path)
        func titles(_ title: String, _ table: String, _ key: String, _ column: String) -> String {
            "(SELECT t.\(title) FROM \(table) AS t WHERE t.\(key) = s.\(column))"
        }
        let shown = [
            "Album": titles("Title", "Album", "AlbumId", "AlbumId"),
            "Genre": titles("Name", "Genre", "GenreId", "GenreId"),
            "MediaType": titles("Name", "MediaType", "MediaTypeId", "MediaTypeId"),
            "Customer": titles(
                "FirstName || ' ' || t.LastName", "Customer", "CustomerId", "CustomerId"),
            "ReportsTo LastName FirstName": titles(
                "LastName || ' ' || t.FirstName", "Employee", "EmployeeId", "ReportsTo"),
            "Playlist": titles("Name", "Playlist", "PlaylistId", "PlaylistId"),
            "Track": titles("Name", "Track", "TrackId", "TrackId"),
        ]
        try await QueryRun(
            path: data + "/chinook.sqlite", list: list, titles: shown, seed: runSeed
        ).ask(15).record()
    }
}

/// Sample data that some machines have beside the repository.
private enum SampleFolder {
    static let path: String? = {
        let repository = #filePath.split(separator: "/").dropLast(4)
        let roots = (0..<3).map { "/" + repository.dropLast($0).joined(separator: "/") }
        return roots.map { $0 + "/../shared/data" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()
}
