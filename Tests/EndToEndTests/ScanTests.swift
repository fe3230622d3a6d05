import TestSupport
import Testing
import ValetStore

import struct Synchronization.Atomic

/// Scans of many windows, while another program writes all the time.
@Suite(.runsPrograms) struct ScanTests {
    private let scratch = Scratch()

    /// Moves rows with odd ids to and fro in the order, and deletes and inserts others, until it
    /// is stopped.
    private final class OtherProgram: Sendable {
        private let isStopped = Atomic(false)
        private let commits = Atomic(0)

        func write(to path: String) throws {
            let connection = try Connection(path: path, access: .write)
            var round = 0
            while !isStopped.load(ordering: .relaxed) {
                round += 1
                try connection.run(
                    """
                    BEGIN IMMEDIATE;
                    UPDATE cars SET make = char(65 + (id * \(round)) % 26) WHERE id % 20 = 1;
                    DELETE FROM cars WHERE id > 3000;
                    INSERT INTO cars SELECT 3000 + id, 'A', 'new' FROM cars
                    WHERE id <= 30 * (1 + \(round) % 9);
                    COMMIT
                    """)
                commits.add(1, ordering: .relaxed)
            }
        }

        func stop() { isStopped.store(true, ordering: .relaxed) }

        /// Returns when another commit was made.
        func waitForACommit() async {
            let now = commits.load(ordering: .relaxed)
            while commits.load(ordering: .relaxed) == now { await Task.yield() }
        }
    }

    @Test func noRowIsLostOrRepeatedWhileAnotherProgramWrites() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA journal_mode=wal;
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, model TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO cars SELECT i, char(65 + i % 26), 'model ' || i FROM n
            """)
        let other = OtherProgram()
        let writing = Task.detached { try other.write(to: path) }
        defer { other.stop() }
        await other.waitForACommit()
        let daemon = try Daemon(path, in: scratch)
        for (command, options) in [
            ("export", ["--format", "jsonl"]), ("rows", ["--format", "jsonl"]),
            ("export", ["--sort", "model", "--format", "jsonl"]),
        ] {
            let done = try scratch.valet(
                [command, daemon.address, "--group", "make"] + options, expecting: 0)
            let ids = try done.objects.compactMap { row in
                (row["id"] ?? (row["cells"] as? [String: Any])?["id"]) as? Int
            }
            #expect(Set(ids).count == ids.count, "\(command): a row comes twice")
            #expect(Set(1...3_000).isSubset(of: ids), "\(command): a row is missing")
        }
        let facets = try scratch.valet(
            ["facets", daemon.address, "model", "--format", "jsonl"], expecting: 0)
        let values = try facets.objects.compactMap { $0["value"] as? String }
        #expect(Set(values).count == values.count)
        #expect(values.count { $0.hasPrefix("model ") } == 3_000)
        let sections = try scratch.valet(
            [
                "aggregate", daemon.address, "id", "model", "--group", "make", "--where",
                "id <= 3000", "--count", "--sections", "--format", "jsonl",
            ], expecting: 0)
        for column in ["id", "model"] {
            let found = try sections.objects.filter { $0["column"] as? String == column }
            #expect(found.compactMap { $0["section"] as? Int } == found.indices.map { $0 })
            #expect(found.compactMap { $0["rows"] as? Int }.reduce(0, +) == 3_000)
        }
        other.stop()
        _ = try await writing.value
    }
}
