import Testing
import ValetArrangement
import ValetModel

/// Changes that come together by row, against a list that takes them one after another.
@Suite struct MissedChangesTests {
    private struct Trial {
        var random: SeededNumbers
        let columns: RandomLists.Columns
        var list: ModelList
        var missed = MissedChanges()

        init(seed: UInt64) {
            random = SeededNumbers(seed: seed)
            columns = RandomLists.Columns(&random)
            list = RandomLists.list(columns, rows: 40, &random)
        }

        mutating func change() -> [RowChange] {
            let changes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                let change = RandomLists.change(list, columns, &random)
                list.apply(change)
                return change
            }
            missed.add(changes)
            return changes
        }

        func check(_ snapshot: Snapshot?, _ place: String) throws {
            let snapshot = try #require(snapshot, "\(place)")
            snapshot.checkInvariants()
            snapshot.cache.expectCells(of: list, place)
        }
    }

    private static let seeds = (0..<40 as Range<UInt64>).map { 9_100 + $0 }

    @Test(arguments: seeds) func missedChangesAreMadeUpForAtOnce(seed: UInt64) throws {
        var trial = Trial(seed: seed)
        let before = try Snapshot(of: trial.list).opening(.byValue)
        // What was read in between has some of it already.
        let between = try before.after(trial.change(), revision: 5)
        _ = trial.change()
        #expect(trial.missed.count == trial.missed.rowIDs.count)
        for (start, place) in [(before, "of the old"), (between, "of some")] {
            let caughtUp = start.catchingUp(with: trial.missed, revision: 9)
            try trial.check(caughtUp, "seed \(seed), \(place)")
            let built = caughtUp?.arrangements[.byValue]
            #expect(built?.rowCount == trial.list.rows.count)
        }
    }

    @Test(arguments: seeds) func columnsThatWereReadBeforeGetWhatTheyMissed(
        seed: UInt64
    ) throws {
        var trial = Trial(seed: seed)
        let last = trial.list.columns.count - 1
        let some = Snapshot(cache: .reading(trial.list, wanted: Array(0..<last)))
        let read = ColumnCache.reading(trial.list, wanted: [last]).columns[last]
        let after = try some.after(trial.change(), revision: 1)
        let added = after.adding(
            [last: try #require(read)], readWith: some.cache.slotCount, missing: trial.missed)
        try trial.check(added, "seed \(seed)")
    }
}
