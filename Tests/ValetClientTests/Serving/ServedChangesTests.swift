import Dispatch
import Foundation
import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetClient

/// A file that another program changes while it is served.
@Suite(.timeLimit(.minutes(10))) struct ServedChangesTests {
    /// Every row says which round of changes it is of, and each round has a row more.
    private static func rounds(_ folder: TemporaryFolder, journal: String) throws -> String {
        try folder.database(
            """
            PRAGMA journal_mode = \(journal);
            CREATE TABLE cars (make TEXT, model TEXT, round INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO cars SELECT 'make ' || i % 7, 'round 0', 0 FROM n;
            CREATE VIEW rounds AS SELECT make, round FROM cars;
            """)
    }

    /// Serves the rounds to a connection.
    private func serveRounds(
        journal: String = "delete", hasTriggers: Bool = false,
        _ body: (ValetConnection, _ path: String) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let path = try Self.rounds(folder, journal: journal)
        if hasTriggers { try TemporaryFolder.addTriggers(path) }
        try await TestServer.run(path) { try await body($0, path) }
    }

    private static func round(_ number: Int) -> String {
        """
        BEGIN IMMEDIATE;
        UPDATE cars SET model = 'round \(number)', round = \(number), make = 'make ' || rowid % 5;
        INSERT INTO cars VALUES ('new', 'round \(number)', \(number));
        COMMIT;
        """
    }

    /// Asks until the answer is as wanted: a change is seen some time after it was committed.
    private static func window(
        of view: ValetView, at ordinal: Int = 0, rows: Int = 200, until isWanted: (Window) -> Bool
    ) async throws -> Window {
        while true {
            let window = try await view.window(at: .ordinal(ordinal), rows: rows)
            if isWanted(window) { return window }
        }
    }

    @Test(arguments: [("delete", false), ("wal", false), ("wal", true)])
    func everyWindowIsOfOneCommit(journal: String, hasTriggers: Bool) async throws {
        let last = 25
        try await serveRounds(journal: journal, hasTriggers: hasTriggers) { connection, path in
            let byMake = try await connection.openView(list: "cars", Query(grouping: "make"))
            let found = try await connection.openView(
                list: "cars", Query(grouping: "None", search: .init(text: "round")))
            let writer = DispatchQueue(label: "writer")
            let failed = Atomic(0)
            for number in 1...last {
                // A reader may hold the file for longer than a writer waits.
                writer.async {
                    while (try? TemporaryFolder.change(path, Self.round(number))) == nil {
                        failed.add(1, ordering: .relaxed)
                    }
                }
            }
            var (seen, turn) = (0, 0)
            while seen < last {
                turn += 1
                let view = turn % 2 == 0 ? byMake : found
                let window = try await view.window(at: .ordinal(turn * 131 % 1_000), rows: 150)
                let rounds = Set(window.rows.map { $0?.cells[2] })
                #expect(rounds.count == 1, "rows of several commits in one window")
                guard case .integer(let round)?? = rounds.first else { continue }
                #expect(window.totalRows == 1_000 + Int(round))
                #expect(Int(round) >= seen || view !== byMake, "a view never goes back")
                if view === byMake { seen = Int(round) }
            }
            let detail = try await connection.detail(list: "cars", rowID: 1)
            #expect(detail.cells[2] == .integer(Int64(last)))
        }
    }

    /// A list that is read in anew has none of its pages any more.
    @Test func withTriggersOnlyChangedPagesAreReadAgain() async throws {
        try await serveRounds(journal: "wal", hasTriggers: true) { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            _ = try await view.window(at: .ordinal(0), rows: 1_000)
            let before = try await connection.statistics()[.pagesRead] ?? 0
            for (number, rowID) in [100, 400, 100].enumerated() {
                try TemporaryFolder.change(
                    path, "UPDATE cars SET model = 'new \(number)' WHERE rowid = \(rowID)")
                _ = try await Self.window(of: view, rows: 1_000) {
                    $0.rows[rowID - 1]?.cells[1] == .text("new \(number)")
                }
            }
            let after = try await connection.statistics()[.pagesRead] ?? 0
            #expect((3...6).contains(after - before))
        }
    }

    @Test func rowsThatAreGoneAreGone() async throws {
        try await serveRounds { connection, path in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            let before = try await view.window(at: .ordinal(0), rows: 200)
            try TemporaryFolder.change(path, "DELETE FROM cars WHERE rowid <= 990")
            let after = try await Self.window(of: view) { $0.totalRows == 10 }
            #expect(after.rows.map { $0?.id } == (991...1_000).map { $0 })
            #expect(after.rows.allSatisfy { $0?.cells[1] == .text("round 0") })
            #expect(after.revision > before.revision)
            #expect(try await connection.catalog().rowCounts.first == 10)
        }
    }

    /// As VACUUM leaves a table whose row ids nobody declared.
    @Test func aSearchFindsWhatItShowsAfterAllRowIDsHaveChanged() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE r (name TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO r SELECT 'r' || i FROM n;
            """)
        try await TestServer.run(path) { connection in
            let view = try await connection.openView(list: "r", Query(grouping: "None"))
            try TemporaryFolder.change(
                path,
                """
                BEGIN;
                CREATE TEMP TABLE kept AS SELECT name FROM r WHERE rowid % 3 <> 0;
                DELETE FROM r; INSERT INTO r SELECT name FROM kept;
                COMMIT;
                """)
            _ = try await Self.window(of: view) { $0.totalRows == 2_000 }
            let found = try await connection.openView(
                list: "r", Query(grouping: "None", search: .init(text: "r1999")))
            #expect(try await found.allRows().map(\.cells) == [[.text("r1999")]])
        }
    }

    /// They are copied, and the copy is made again.
    @Test func viewsFollowTheirTables() async throws {
        try await serveRounds { connection, path in
            let view = try await connection.openView(list: "rounds", Query(grouping: "None"))
            #expect(try await view.window(at: .ordinal(0), rows: 5).totalRows == 1_000)
            try TemporaryFolder.change(path, Self.round(1))
            let after = try await Self.window(of: view) { $0.totalRows == 1_001 }
            #expect(Set(after.rows.map { $0?.cells[1] }) == [.integer(1)])
        }
    }

    /// The lists, once the server takes connections again.
    private static func listsServedNext(_ local: TestServer) async throws -> [ListDescription] {
        while true {
            guard let connection = try? await local.connect() else { continue }
            let lists = try await connection.catalog().catalog.lists
            await connection.close()
            return lists
        }
    }

    enum Replacement: String, CaseIterable {
        case otherColumns, otherTable, renamedFile
    }

    /// Connections end with the reason, and the next finds the new file in another epoch.
    @Test(arguments: Replacement.allCases)
    func aFileThatIsReplacedIsOpenedAgain(_ replacement: Replacement) async throws {
        let folder = TemporaryFolder()
        let path = try Self.rounds(folder, journal: "delete")
        let local = try await TestServer(path)
        let first = try await local.connect()
        let (reasons, tell) = AsyncStream<String>.makeStream()
        first.onGoingAway { tell.yield($0) }
        let view = try await first.openView(list: "cars")
        _ = try await view.window(at: .ordinal(0), rows: 10)
        switch replacement {
        case .otherColumns:
            try TemporaryFolder.change(path, "DROP TABLE cars; CREATE TABLE cars (a, b, c, d, e)")
        case .otherTable: try TemporaryFolder.change(path, "CREATE TABLE bikes (make TEXT)")
        case .renamedFile:
            let other = try folder.database("CREATE TABLE boats (name TEXT)", name: "other.db")
            try #require(rename(other, path) == 0)
        }
        var told = reasons.makeAsyncIterator()
        #expect(await told.next()?.contains("replaced") == true)
        await first.closed()
        let second = try await local.connect()
        #expect(second.server.epoch != first.server.epoch)
        let lists = try await second.catalog().catalog.lists
        switch replacement {
        case .otherColumns: #expect(lists.first?.columns.count == 5)
        case .otherTable: #expect(lists.contains { $0.name == "bikes" })
        case .renamedFile: #expect(lists.map(\.name) == ["boats"])
        }
        await second.close()
        await local.server.stop()
    }

    /// Its tables have changed, and its catalog is gone: nobody knows what to show.
    @Test func aFileThatCanNotBeOpenedAgainIsNotShownAsItWas() async throws {
        let folder = TemporaryFolder()
        let path = try Self.rounds(folder, journal: "wal")
        let text = "lists: [{name: cars}]"
        let catalog = folder.write(text, to: "valet.yaml")
        let local = try await TestServer(path) { $0.catalogPath = catalog }
        let first = try await local.connect()
        _ = try await first.openView(list: "cars")
        try FileManager.default.removeItem(atPath: catalog)
        try TemporaryFolder.change(path, "ALTER TABLE cars ADD COLUMN color; DELETE FROM cars")
        await first.closed()
        let refused = await #expect(throws: ValetError.self) { try await local.connect() }
        #expect(refused?.code == .shuttingDown)
        #expect(refused?.message.contains("can't open it again") == true)
        _ = folder.write(text, to: "valet.yaml")
        #expect(try await Self.listsServedNext(local).first?.columns.count == 4)
        await local.server.stop()
    }

    /// Commits to a file without a name would be lost.
    @Test(arguments: ["delete", "wal"])
    func aFileThatIsDeletedIsServedAgainOnceThereIsAnother(journal: String) async throws {
        let folder = TemporaryFolder()
        let path = try Self.rounds(folder, journal: journal)
        let local = try await TestServer(path)
        let first = try await local.connect()
        _ = try await first.openView(list: "cars")
        try FileManager.default.removeItem(atPath: path)
        await first.closed()
        #expect(await failure { try await local.connect() }?.code == .shuttingDown)
        _ = try folder.database("CREATE TABLE boats (name TEXT)", name: "other.db")
        try #require(rename(folder.file("other.db"), path) == 0)
        #expect(try await Self.listsServedNext(local).map(\.name) == ["boats"])
        await local.server.stop()
    }

    /// A station's edits go on in the file that is there, which is not mixed with the other one.
    @Test func editsGoOnInAFileThatWasCopiedOver() async throws {
        let folder = TemporaryFolder()
        let path = try Self.rounds(folder, journal: "wal")
        let copy = try folder.database(
            "PRAGMA journal_mode = wal; CREATE TABLE cars (make TEXT, model TEXT, round INTEGER)",
            name: "copy.db")
        let local = try await TestServer(path)
        let station = try await local.connectStation()
        func add() async throws -> Outcome {
            try await station.submit(.insert([.text("new")]), list: .cars)
        }
        #expect(try await add().verdict == .applied(rowIDs: [1_001]))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: URL(filePath: copy)))
        // Its writer is of the other file, whose commands the server does not know.
        var outcome = try? await add()
        while outcome == nil { outcome = try? await add() }
        #expect(outcome?.verdict == .applied(rowIDs: [1]))
        await station.close()
        await local.server.stop()
        #expect(try TemporaryFolder.number(path, "SELECT count(*) FROM cars") == 1)
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(kept.contains { $0.contains("-wal-replaced-") })
    }
}
