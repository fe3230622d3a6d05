import TestSupport
import Testing
import ValetArrangement
import ValetModel
import ValetStore

@testable import ValetServer

@Suite(.timeLimit(.minutes(5))) struct MemoryBudgetTests {
    /// Many columns, so that they are not all read in at once.
    private func wide(_ rows: Int, in folder: TemporaryFolder) throws -> Database {
        let columns = (0..<20).map { "c\($0) TEXT" }.joined(separator: ", ")
        return try Database(
            path: folder.database(
                """
                CREATE TABLE wide (\(columns));
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                INSERT INTO wide (c0, c1, c2)
                SELECT 'one ' || i, 'two ' || i, 'three ' || i FROM n;
                """))
    }

    private func load(
        _ columns: [Int], _ database: Database, _ budget: MemoryBudget, threads: Int = 1
    ) async throws -> (cache: ColumnCache, loader: ListLoader) {
        let pool = try ReaderPool(database: database, threadCount: threads)
        let loader = ListLoader(list: 0, description: database.catalog.lists[0], budget: budget)
        let loaded = await loader.load(columns, on: pool)
        await pool.stop()
        return (try loaded.get().cache, loader)
    }

    @Test(arguments: [1, 2], [100, 20_000])
    func aListThatWasReadInCounts(threads: Int, rows: Int) async throws {
        let folder = TemporaryFolder()
        let (database, budget) = (try wide(rows, in: folder), MemoryBudget())
        let (cache, loader) = try await load([0, 1], database, budget, threads: threads)
        #expect(budget.bytesTaken == cache.byteCount)
        let added = try loader.add([2], to: cache, of: 0, from: database.makeReader())
        #expect(budget.bytesTaken == cache.adding(added.columns).byteCount)
    }

    @Test(arguments: [1, 2], [100, 20_000])
    func moreThanThereIsRoomForIsRefusedAndTakesNothing(threads: Int, rows: Int) async throws {
        let folder = TemporaryFolder()
        let database = try wide(rows, in: folder)
        let whole = MemoryBudget()
        let known = try await load([0, 1], database, whole, threads: threads)
        let size = whole.bytesTaken

        let tight = MemoryBudget(limit: size - 1)
        let refused = await failure { try await load([0, 1], database, tight, threads: threads) }
        #expect(refused?.code == .limitExceeded)
        #expect(tight.bytesTaken == 0)

        // The next column of what is read in already, too.
        let loader = ListLoader(
            list: 0, description: database.catalog.lists[0], budget: MemoryBudget(limit: 64))
        let later = failure {
            try loader.add([2], to: known.cache, of: 0, from: database.makeReader())
        }
        #expect(later?.code == .limitExceeded)
        #expect(loader.budget.bytesTaken == 0)
    }

    /// Long before all of it is in memory.
    @Test func aTableThatIsTooLargeIsNotReadToItsEnd() async throws {
        let folder = TemporaryFolder()
        let (rows, chunk) = (40_000, ColumnChunk.slots)
        let database = try wide(rows, in: folder)
        let whole = MemoryBudget()
        _ = try await load([0], database, whole)
        let tight = MemoryBudget(limit: whole.bytesTaken / 4)
        let reached = ListWork()
        let loader = ListLoader(list: 0, description: database.catalog.lists[0], budget: tight)
        let pool = try ReaderPool(database: database, threadCount: 1)
        #expect(throws: ValetError.self) {
            _ = try loader.load(
                [0], from: database.makeReader(), and: pool, progress: LoadProgress(reached))
        }
        // In thousandths; loading ends at 900.
        let read = reached.progress.load(ordering: .relaxed) * rows / 900
        #expect((chunk - 100...rows / 2).contains(read))
        await pool.stop()
    }
}
