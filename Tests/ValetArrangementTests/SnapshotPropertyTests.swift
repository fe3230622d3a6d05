import Testing
import ValetArrangement
import ValetModel

/// Snapshots through random changes, against a model that changes rows and sorts again.
@Suite struct SnapshotPropertyTests {
    @Test(arguments: [0, 1, 40, 200, 5_000])
    func changedArrangementsAreThoseOfTheChangedRows(rows: Int) throws {
        var random = SeededNumbers(seed: UInt64(rows) &+ 4_242)
        for round in 0..<(rows < 300 ? 6 : 1) {
            let columns = RandomLists.Columns(&random)
            var list = RandomLists.list(columns, rows: rows, &random)
            let queries = try (0..<3).map { _ in try RandomLists.query(columns, &random) }
            var snapshot = Snapshot(of: list)
            for query in queries { snapshot = try snapshot.opening(query.specification) }
            var past: [(Snapshot, ModelList)] = []
            for batch in 1...(rows < 300 ? 8 : 4) {
                past.append((snapshot, list))
                let changes = (0..<Int.random(in: 0...25, using: &random)).map { _ in
                    let change = RandomLists.change(list, columns, &random)
                    list.apply(change)
                    return change
                }
                snapshot = try snapshot.after(changes, revision: UInt64(batch))
                #expect(snapshot.revision == UInt64(batch))
                snapshot.checkInvariants()
                let place = "round \(round), batch \(batch), \(columns.kinds)"
                Self.check(snapshot, list, queries, place, &random)
                if Bool.random(using: &random) {
                    snapshot = try Self.compacting(snapshot, list, queries, place, &random)
                }
                for query in queries {
                    Self.checkVersions(past[past.count - 1].0, snapshot, query, place)
                }
            }
            let (old, oldList) = past.randomElement(using: &random)!
            old.checkInvariants()
            Self.check(old, oldList, queries, "round \(round), old", &random)
            // What is built from a changed cache is what changes made of the old arrangement.
            let fresh = Snapshot(cache: snapshot.cache, revision: 9)
            for query in queries {
                let rebuilt = try fresh.opening(query.specification)
                rebuilt.checkInvariants()
                Self.check(rebuilt, list, [query], "round \(round), rebuilt", &random)
            }
        }
    }

    private static func check(
        _ snapshot: Snapshot, _ list: ModelList, _ queries: [ListQuery], _ place: String,
        _ random: inout SeededNumbers
    ) {
        snapshot.cache.expectCells(of: list, place)
        for query in queries {
            ArrangementChecker(snapshot, query, list, place).check(&random)
        }
    }

    /// A compacted snapshot has the same leaves under the same numbers.
    private static func compacting(
        _ snapshot: Snapshot, _ list: ModelList, _ queries: [ListQuery], _ place: String,
        _ random: inout SeededNumbers
    ) throws -> Snapshot {
        let compacted = try snapshot.compacted()
        compacted.checkInvariants()
        #expect(compacted.cache.slotCount == list.rows.count)
        check(compacted, list, queries, "compacted, \(place)", &random)
        for query in queries {
            let leaves = [snapshot, compacted].map { snapshot in
                let rows = snapshot.rows(query.specification, query.titles)
                let window = rows.window(at: .ordinal(0), rowsBefore: 0, rows: rows.rowCount)
                return window?.leaves.map { leaf in
                    [Int64(leaf.number)] + leaf.slots.map(rows.cache.rowID)
                }
            }
            #expect(leaves[0] == leaves[1], "\(place)")
        }
        return compacted
    }

    /// What a version stands for is the same under the same version.
    private static func checkVersions(
        _ old: Snapshot, _ new: Snapshot, _ query: ListQuery, _ place: String
    ) {
        let rows = [old, new].map { $0.rows(query.specification, query.titles) }
        let leaves = rows.map { rows in
            rows.window(at: .ordinal(0), rowsBefore: 0, rows: rows.rowCount)?.leaves.map(\.number)
        }
        if rows[0].arrangement.version == rows[1].arrangement.version {
            #expect(leaves[0] == leaves[1], "\(place)")
        }
        let titles = rows.map { rows in
            rows.sections(from: 0, count: rows.sectionCount).map(\.title)
        }
        if rows[0].arrangement.sectionsVersion == rows[1].arrangement.sectionsVersion {
            #expect(titles[0] == titles[1], "\(place)")
        }
    }

    /// A tree that shrinks to nothing and grows again, at its ends and in its middle.
    @Test func aListMayBeEmptiedAndFilledAgain() throws {
        var random = SeededNumbers(seed: 99)
        var list = ModelList([])
        let query = try ListQuery(
            of: list.description,
            by: .sections(
                by: 0, .firstLetter, rowOrder: [SortKey(column: 0)], indexTitles: .firstLetter))
        var snapshot = try Snapshot(of: list).opening(query.specification)
        for wave in 0..<4 {
            var changes: [RowChange] = []
            if wave.isMultiple(of: 2) {
                for id in (0..<700).shuffled(using: &random) {
                    let cell = Cell.text(RandomLists.words.randomElement(using: &random)!)
                    changes.append(.insert(rowID: Int64(id), cells: [0: cell]))
                }
            } else {
                changes = list.rows.keys.sorted().shuffled(using: &random).map {
                    .delete(rowID: $0)
                }
            }
            for part in stride(from: 0, to: changes.count, by: 100) {
                let batch = Array(changes[part..<min(part + 100, changes.count)])
                batch.forEach { list.apply($0) }
                snapshot = try snapshot.after(batch, revision: snapshot.revision + 1)
                snapshot.checkInvariants()
            }
            ArrangementChecker(snapshot, query, list, "wave \(wave)").check(&random)
        }
        #expect(snapshot.cache.rowCount == 0)
    }

    /// Whatever a commit brings, nothing traps: then the rows are unknown.
    @Test func aChangeThatDoesNotFitChangesNothing() {
        let list = ModelList([.null, .integer(1)], type: .integer)
        let snapshot = Snapshot(of: list, revision: 3)
        let misfits: [RowChange] = [
            .insert(rowID: 1, cells: [:]), .delete(rowID: 2), .update(rowID: 2, cells: [0: .null]),
        ]
        for misfit in misfits {
            #expect(snapshot.applying([misfit], revision: 4) == nil)
            let insert = RowChange.insert(rowID: 9, cells: [0: .real(.nan)])
            #expect(snapshot.applying([insert, misfit], revision: 4) == nil)
        }
        let twice: [RowChange] = [.insert(rowID: 2, cells: [:]), .insert(rowID: 2, cells: [:])]
        #expect(snapshot.applying(twice, revision: 4) == nil)
        #expect(snapshot.applying([.delete(rowID: 1), .delete(rowID: 1)], revision: 4) == nil)
        #expect(snapshot.applying([.delete(rowID: 1)], revision: 2) == nil, "an older revision")
        let strange = snapshot.applying(
            [.update(rowID: 1, cells: [7: .null, -1: .null, .max: .null])], revision: 4)
        #expect(strange?.cache.rowCount == 2, "a column that the list does not have")
    }
}

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
