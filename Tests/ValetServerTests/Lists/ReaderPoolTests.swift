import Dispatch
import TestSupport
import Testing
import ValetModel
import ValetStore

import struct Synchronization.Atomic

@testable import ValetServer

#if os(Linux)
    import Glibc
#endif

/// Work that the threads of a pool share.
@Suite struct ReaderPoolTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = TemporaryFolder()
        database = try Database(path: folder.cars(3))
    }

    /// Runs `body` on a thread of the pool, with its reader.
    private func onThread<Value: Sendable>(
        of pool: ReaderPool, for owner: WorkOwner = .server,
        _ body: @escaping @Sendable (Reader) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            pool.submit(for: owner) { reader in
                guard case .success(let reader) = reader else { return }
                continuation.resume(returning: body(reader))
            }
        }
    }

    @Test(arguments: [1, 2, 3]) func allPartsAreDoneInTheirOrder(threads: Int) async throws {
        let pool = try ReaderPool(database: database, threadCount: threads)
        let values = await onThread(of: pool) { reader in
            try? pool.share(parts: 20, with: reader) { part, reader throws(ValetError) in
                part * 10 + (try reader.rowCount(list: 0))
            }
        }
        #expect(values == (0..<20).map { $0 * 10 + 3 })
        await pool.stop()
    }

    @Test func aBusyThreadIsNotWaitedFor() async throws {
        let pool = try ReaderPool(database: database, threadCount: 2)
        let gate = DispatchSemaphore(value: 0)
        pool.submit { _ in gate.wait() }
        let values = await onThread(of: pool) { reader in
            try? pool.share(parts: 5, with: reader) { part, _ throws(ValetError) in part }
        }
        #expect(values == [0, 1, 2, 3, 4])
        gate.signal()
        await pool.stop()
    }

    @Test func aReadingForAnOwnerThatHasLeftIsNotDone() async throws {
        let pool = try ReaderPool(database: database, threadCount: 1)
        let (gone, other) = (WorkOwner(number: 1), WorkOwner(number: 2))
        let gate = DispatchSemaphore(value: 0)
        let results = Mutex<[String: Bool]>([:])
        func submit(_ name: String, for owner: WorkOwner) -> WorkNumber? {
            pool.submit(for: owner) { reader in
                results.withLock { $0[name] = (try? reader.get()) != nil }
            }
        }
        pool.submit { _ in gate.wait() }
        _ = submit("own", for: gone)
        let shared = try #require(submit("shared", for: gone))
        pool.join(shared, other)
        _ = submit("other's", for: other)
        pool.left(gone)
        #expect(results.withLock { $0 } == ["own": false])
        gate.signal()
        // The work of one owner is done in its order.
        await onThread(of: pool, for: other) { _ in }
        await pool.stop()
        #expect(results.withLock { $0 } == ["own": false, "shared": true, "other's": true])
    }

    @Test func unstartedPartsAreSkippedWhenOneFails() async throws {
        let pool = try ReaderPool(database: database, threadCount: 1)
        let begun = Mutex<[Int]>([])
        let error = await onThread(of: pool) { reader in
            failure {
                try pool.share(parts: 5, with: reader) { part, _ throws(ValetError) in
                    begun.withLock { $0.append(part) }
                    if part == 1 { throw ValetError(.storageFailed, "part 1") }
                }
            }
        }
        #expect(error?.message == "part 1")
        #expect(begun.withLock { $0 } == [0, 1])
        await pool.stop()
    }

    /// Before its first row such a view has to be copied, which takes for ever.
    @Test func aViewThatNeverEndsCanBeLeft() async throws {
        let path = try folder.database(
            """
            CREATE TABLE t (a); INSERT INTO t VALUES ('x');
            CREATE VIEW silent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i, 'a' AS a, 'b' AS b FROM n WHERE i < 0
            """)
        let database = try Database(path: path)
        let pool = try ReaderPool(database: database, threadCount: 2)
        let description = database.catalog.lists[1]
        let code = await onThread(of: pool) { reader in
            let asked = Atomic(0)
            return failure {
                try ListLoader(list: 1, description: description).load(
                    [0, 1, 2], from: reader, and: pool,
                    isCancelled: { asked.add(1, ordering: .relaxed).newValue > 100 })
            }?.code
        }
        #expect(code == .superseded)
        await pool.stop()
    }

    #if os(Linux)
        /// Else ten clients that search stand in the way of one that scrolls.
        @Test(arguments: [false, true]) func longWorkYieldsToEventLoops(yields: Bool) async throws {
            let pool = try ReaderPool(database: database, threadCount: 1, yieldsToLoops: yields)
            let nice = await onThread(of: pool) { _ in
                getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
            }
            let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
            #expect(nice == (yields ? max(own, 5) : own))
            await pool.stop()
        }
    #endif
}
