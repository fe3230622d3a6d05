import TestSupport
import Testing
import ValetModel
import ValetStore

@testable import ValetServer

@Suite(.timeLimit(.minutes(5))) struct RowCounterTests {
    @Test func requestsDuringACountGetItsResult() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE a (x); INSERT INTO a VALUES (1), (2);
            CREATE TABLE b (x INTEGER); INSERT INTO b VALUES (-9223372036854775808);
            CREATE VIEW c AS SELECT x FROM b WHERE abs(x) > 0;
            """)
        let shop = try Workshop(folder, path: path)
        let counter = RowCounter(lists: shop.lists, builders: shop.builders)
        shop.hold()
        let heard = Mutex<[[Int?]]>([])
        for _ in 0..<100 {
            counter.count { result in heard.withLock { $0.append((try? result.get()) ?? []) } }
        }
        // Written while the hundred wait for the first count to begin.
        try Connection(path: path, access: .write).run("INSERT INTO a VALUES (3)")
        shop.goOn()
        await withCheckedContinuation { continuation in
            counter.count { _ in continuation.resume() }
        }
        let counts = heard.withLock { $0 }
        #expect(counts.count == 100)
        #expect(Set(counts) == [[3, 1, nil]], "a list that can't be counted has no count")
        await shop.stop()
        let late = await withCheckedContinuation { continuation in
            counter.count { continuation.resume(returning: $0) }
        }
        #expect(throws: ValetError.self) { try late.get() }
    }

    @Test func aViewThatCannotBeCountedInTimeHasNoCount() async throws {
        let folder = TemporaryFolder()
        let silent = """
            WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c WHERE x > 0)
            SELECT x FROM c WHERE x < 0
            """
        let path = try folder.database(
            """
            CREATE VIEW a AS \(silent); CREATE VIEW b AS \(silent);
            CREATE VIEW c AS SELECT 1 AS x UNION ALL SELECT 2;
            CREATE TABLE d (x); INSERT INTO d VALUES (1), (2), (3);
            """)
        let shop = try Workshop(folder, path: path, threads: 2)
        let counter = RowCounter(
            lists: shop.lists, builders: shop.builders, time: .milliseconds(1_000))
        let counts = await withCheckedContinuation { continuation in
            counter.count { continuation.resume(returning: $0) }
        }
        #expect(try counts.get() == [nil, nil, 2, 3])
        await shop.stop()
    }
}
