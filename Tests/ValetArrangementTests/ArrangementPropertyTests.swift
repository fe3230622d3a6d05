import Testing
import ValetArrangement
import ValetModel

/// Arrangements of random lists under random queries, against a reference that sorts arrays.
@Suite struct ArrangementPropertyTests {
    @Test(arguments: [0, 1, 2, 3, 63, 64, 65, 129, 1_100])
    func answersAreThoseOfASortedArray(rows: Int) throws {
        let seed = UInt64(rows) &+ 20_261_121
        try Self.run(seed: seed, rows: rows, rounds: rows < 100 ? 60 : (rows < 1_000 ? 25 : 8))
    }

    /// Columns of several chunks of 4,096 slots.
    @Test func answersAreTheSameAcrossChunks() throws {
        try Self.run(seed: 7, rows: 4_096, rounds: 2)
        try Self.run(seed: 8, rows: 9_001, rounds: 2)
    }

    private static func run(seed: UInt64, rows: Int, rounds: Int) throws {
        var random = SeededNumbers(seed: seed)
        for round in 0..<rounds {
            let columns = RandomLists.Columns(&random)
            let list = RandomLists.list(columns, rows: rows, &random)
            let snapshot = Snapshot(of: list)
            for _ in 0..<2 {
                let query = try RandomLists.query(columns, &random)
                let opened = try snapshot.opening(query.specification)
                opened.checkInvariants()
                ArrangementChecker(
                    opened, query, list, "seed \(seed), round \(round), \(columns.kinds)"
                ).check(&random)
            }
        }
    }
}
