import Testing
import ValetModel
import ValetReference

@testable import ValetArrangement

/// Aggregates of random lists, against a reference that looks at each row.
@Suite struct AggregateTests {
    private static let functions = AggregateFunction.allCases

    @Test(arguments: [0, 1, 3, 64, 200, 1_100])
    func aggregatesAreThoseOfAListOfCells(rows: Int) throws {
        let seed = UInt64(rows) &+ 20_261_122
        var random = SeededNumbers(seed: seed)
        for round in 0..<(rows < 100 ? 60 : 12) {
            let columns = RandomLists.Columns(&random)
            let list = RandomLists.list(columns, rows: rows, &random)
            let specification = try RandomLists.query(columns, &random).specification
            let snapshot = try Snapshot(of: list).opening(specification)
            try check(
                list, snapshot, specification, &random,
                "seed \(seed), round \(round), \(columns.kinds), \(specification)")
        }
    }

    /// Edits give a column codes of several spellings, and chunks of several forms.
    @Test func aggregatesFollowChanges() throws {
        let seed: UInt64 = 5
        var random = SeededNumbers(seed: seed)
        for round in 0..<12 {
            let columns = RandomLists.Columns(&random)
            var list = RandomLists.list(columns, rows: 150, &random)
            let specification = try RandomLists.query(columns, &random).specification
            var snapshot = try Snapshot(of: list).opening(specification)
            for revision in 2..<60 {
                let change = RandomLists.change(list, columns, &random)
                list.apply(change)
                snapshot = try snapshot.after([change], revision: UInt64(revision))
            }
            try check(
                list, snapshot, specification, &random,
                "seed \(seed), round \(round), \(columns.kinds), \(specification)")
        }
    }

    private func check(
        _ list: ModelList, _ snapshot: Snapshot, _ specification: ArrangementSpecification,
        _ random: inout SeededNumbers, _ place: Comment
    ) throws {
        let rows = snapshot.rows(specification)
        let arrangement = rows.arrangement
        var ranges = [0..<rows.rowCount]
        for _ in 0..<3 {
            ranges += [arrangement.rows(ofSection: random.below(max(rows.sectionCount, 1)))]
                .compactMap(\.self)
            let start = random.below(rows.rowCount + 1)
            ranges.append(start..<start + random.below(rows.rowCount - start + 1))
        }
        for range in ranges {
            let measures = list.columns.indices.flatMap { column in
                Self.functions.map { ColumnMeasure(column: column, function: $0) }
            }
            let values = try arrangement.aggregates(measures, over: range, in: rows.cache)
            let ids = range.map { rows.rowID(at: $0) }
            for (measure, value) in zip(measures, values) {
                let cells = ids.map { list.rows[$0]![measure.column] }
                let reference = ReferenceAggregate(cells, of: list.columns[measure.column])
                #expect(
                    value == reference.value(measure.function), "\(measure) of \(range), \(place)")
            }
        }
    }

    @Test func aSectionThatDoesNotExistHasNoRows() throws {
        let list = ModelList(texts: (0..<10).map { $0 < 4 ? "BMW" : "Buick" })
        let specification = ArrangementSpecification(sectionColumn: 0, expression: .wholeValue)
        let snapshot = try Snapshot(of: list).opening(specification)
        let arrangement = try #require(snapshot.arrangements[specification])
        #expect(arrangement.rows(ofSection: 0) == 0..<4)
        #expect(arrangement.rows(ofSection: 1) == 4..<10)
        #expect(arrangement.rows(ofSection: 2) == nil)
        #expect(arrangement.rows(ofSection: -1) == nil)
        #expect(arrangement.rows(ofSection: .max) == nil)
    }

    @Test func aggregatesEndWhenTheyAreCancelled() throws {
        let list = ModelList((0..<1_000).map(Cell.integer), type: .integer)
        let specification = ArrangementSpecification(sectionColumn: nil, expression: .none)
        let snapshot = try Snapshot(of: list).opening(specification)
        let arrangement = try #require(snapshot.arrangements[specification])
        try expectChecks(atLeast: 3) {
            _ = try arrangement.aggregates(
                [ColumnMeasure(column: 0, function: .sum)], over: 0..<1_000, in: snapshot.cache,
                isCancelled: $0)
        }
    }
}
