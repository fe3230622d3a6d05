import Foundation
import TestSupport
import Testing
import ValetModel
import ValetProtocol
import ValetStore

import struct Synchronization.Atomic

@testable import ValetServer

/// A file that another program changes while a list is read in from it: whatever comes of it is of
/// one commit.
@Suite(.timeLimit(.minutes(5))) struct ChangingFileTests {
    /// What the other program does at once, and what the list is after that.
    enum Change: String, CaseIterable, Sendable {
        case everything, farRowIDs, nothingLeft

        var sql: String {
            let update = "UPDATE cars SET make = 'new', model = 'new', year = 2;"
            return switch self {
            case .everything:
                """
                DELETE FROM cars WHERE id % 3 = 0; \(update)
                INSERT INTO cars SELECT -id, 'new', 'new', 2, NULL FROM cars WHERE id % 3 = 1;
                INSERT INTO cars
                SELECT id + 1000000, 'new', 'new', 2, NULL FROM cars WHERE id % 3 = 2;
                """
            case .farRowIDs:
                // Far from where row ids were when the reading began.
                """
                DELETE FROM cars;
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO cars SELECT 9223372036854775807 - i, 'new', 'new', 2, NULL FROM n;
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO cars SELECT -9223372036854775808 + i, 'new', 'new', 2, NULL FROM n;
                """
            case .nothingLeft: "DELETE FROM cars;"
            }
        }

        func rowIDs(after rows: Int64) -> [Int64] {
            switch self {
            case .everything:
                let kept = (1...rows).filter { $0 % 3 != 0 }
                return kept.filter { $0 % 3 == 1 }.map { -$0 }.reversed() + kept
                    + kept.filter { $0 % 3 == 2 }.map { $0 + 1_000_000 }
            case .farRowIDs:
                return (0...9_000).map { .min + $0 } + (0...9_000).map { .max - 9_000 + $0 }
            case .nothingLeft: return []
            }
        }
    }

    /// Every value says whether it is of before or after. Blobs are not in memory, so pages are
    /// read from the file.
    private func cars(_ rows: Int64, in folder: TemporaryFolder) throws -> String {
        try folder.database(
            """
            PRAGMA journal_mode = wal;
            CREATE TABLE cars (
                id INTEGER PRIMARY KEY, make TEXT, model TEXT, year INTEGER, photo BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO cars SELECT i, 'old', 'old', 1, NULL FROM n;
            """)
    }

    /// Makes the change when it was asked so many times whether the reading is cancelled.
    private final class OtherProgram: Sendable {
        private let path: String
        private let sql: String
        private let moment: Int
        private let asked = Atomic(0)
        private let hasFailed = Atomic(false)

        init(_ path: String, _ sql: String, at moment: Int) {
            self.path = path
            self.sql = sql
            self.moment = moment
        }

        func look() -> Bool {
            if asked.wrappingAdd(1, ordering: .relaxed).newValue == moment { act() }
            return false
        }

        func act() {
            do {
                try Connection(path: path, access: .write).run("BEGIN; \(sql) COMMIT;")
            } catch {
                hasFailed.store(true, ordering: .relaxed)
            }
        }

        /// Whether the change was made while the list was read in.
        func wasMade() -> Bool {
            !hasFailed.load(ordering: .relaxed) && asked.load(ordering: .relaxed) >= moment
        }
    }

    @Test(arguments: Change.allCases, [1, 2, 3, 5, 9])
    func aListIsReadInAsOneCommitLeftIt(_ change: Change, moment: Int) async throws {
        for (rows, threads) in [(100, 1), (100, 2), (20_000, 1), (20_000, 2)] as [(Int64, Int)] {
            let folder = TemporaryFolder()
            let path = try cars(rows, in: folder)
            let database = try Database(path: path)
            let pool = try ReaderPool(database: database, threadCount: threads)
            let other = OtherProgram(path, change.sql, at: moment)
            let loader = ListLoader(list: 0, description: database.catalog.lists[0])
            let work = ListWork()
            let loaded = await loader.load([1, 2, 3], on: pool, work: work) { other.look() }
            await pool.stop()
            let cache = try loaded.get().cache
            let slots = (0..<UInt32(cache.rowCount)).map { $0 }
            let ids = slots.map(cache.rowID)
            let isNew = other.wasMade() && ids != (1...rows).map { $0 }
            #expect(ids == (isNew ? change.rowIDs(after: rows) : (1...rows).map { $0 }))
            let (word, year) = isNew ? ("new", 2 as Int64) : ("old", 1)
            #expect(slots.allSatisfy { cache.column(1).text(at: $0) == word })
            #expect(slots.allSatisfy { cache.column(2).text(at: $0) == word })
            #expect(slots.allSatisfy { cache.column(3)[$0] == .integer(year) })
            // It is told once in 4,096 rows; the other program may have left fewer.
            let progress = work.progress.load(ordering: .relaxed)
            #expect((ids.count > 4_096 ? 1...1_000 : 0...1_000).contains(progress))
        }
    }

    /// Columns of two revisions make no list: those of the later one wait until it is known.
    @Test(arguments: Change.allCases)
    func aColumnOfALaterRevisionSaysSo(_ change: Change) async throws {
        let folder = TemporaryFolder()
        let path = try cars(5_000, in: folder)
        let database = try Database(path: path)
        let reader = try database.makeReader()
        let pool = try ReaderPool(database: database, threadCount: 1)
        let loader = ListLoader(list: 0, description: database.catalog.lists[0])
        let first = try loader.load([1], from: reader, and: pool)
        func later() throws -> ListLoader.AddedColumns {
            try loader.add([3], to: first.cache, of: first.revision, from: reader)
        }
        let before = try later()
        let years = try #require(before.columns[3])
        #expect((0..<5_000 as Range<UInt32>).allSatisfy { years[$0] == .integer(1) })
        #expect(before.revision == first.revision)
        OtherProgram(path, change.sql, at: 1).act()
        let after = try later()
        #expect(after.revision > first.revision)
        #expect(
            loader.budget.bytesTaken == first.cache.byteCount + before.byteCount + after.byteCount)
        await pool.stop()
    }

    /// Another program keeps writing; every list that opens meanwhile is consistent.
    @Test func listsOpenWhileTheFileChanges() async throws {
        let folder = TemporaryFolder()
        let path = try cars(3_000, in: folder)
        for round in 0..<5 {
            let server = try await TestServer(path)
            let client = try await server.client()
            client.askToOpen(stream: 1, Query(grouping: "make"))
            client.askWindow(rows: 100)
            // As likely before the reading as in its midst or after it.
            OtherProgram(
                path, "UPDATE cars SET make = 'round \(round)', year = year + 1;", at: 1
            ).act()
            let opened = try await client.nextOpened()
            #expect(opened.totalRows == 3_000)
            #expect(opened.totalSections == 1, "all rows have one make in every commit")
            let window = try await client.nextWindow()
            #expect(window.rows == 100 && window.runs.count == 1)
            await server.server.stop()
        }
    }

    /// The window was answered, and its pages wait for credit, when another file is copied over
    /// the served one. SQLite does not notice, since both count as many commits.
    @Test func noPageIsReadFromAFileThatIsCopiedOverIt() async throws {
        let (folder, others) = (TemporaryFolder(), TemporaryFolder())
        let path = try folder.cars(3_000, havePhotos: true)
        let copied = try others.cars(3_000, havePhotos: true)
        try TemporaryFolder.change(path, "UPDATE cars SET make = 'old'")
        try TemporaryFolder.change(copied, "UPDATE cars SET make = 'new'")
        let other = try Data(contentsOf: URL(fileURLWithPath: copied))
        let server = try await TestServer(path)
        let client = try await server.client(credit: 0)
        #expect(await client.open(Query(grouping: "None")) != nil)
        client.askWindow(at: 500, rows: 300)
        _ = try await client.nextWindow()
        try other.write(to: URL(fileURLWithPath: path))
        client.send(Credit(byteCount: 1 << 20))
        let rest = await client.untilClosed()
        #expect(rest.contains { if case .goingAway = $0 { true } else { false } })
        #expect(!rest.contains { if case .page = $0 { true } else { false } })
        await server.server.stop()
    }
}
