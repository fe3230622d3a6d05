import Testing
import ValetModel
import ValetReference

@testable import ValetArrangement

/// Aggregates of random lists, against a reference that looks at each row.
@Suite struct AggregateTests {
    private static let functions = AggregateFunction.allCases

    @Test(arguments: [0, 1, 3, 64, 200, 1_100])
    func aggregatesAreThoseOfAListOfCells(rows: Int) throws {
        var random = SeededNumbers(seed: UInt64(rows) &+ 20_261_122)
        for round in 0..<(rows < 100 ? 60 : 12) {
            let columns = RandomLists.Columns(&random)
            let list = RandomLists.list(columns, rows: rows, &random)
            let specification = try RandomLists.query(columns, &random).specification
            let snapshot = try Snapshot(of: list).opening(specification)
            try check(
                list, snapshot, specification, &random,
                "round \(round), \(columns.kinds), \(specification)")
        }
    }

    /// Edits give a column codes of several spellings, and chunks of several forms.
    @Test func aggregatesFollowChanges() throws {
        var random = SeededNumbers(seed: 5)
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
                "round \(round), \(columns.kinds), \(specification)")
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
        let arrangement = try Snapshot(of: list).opening(.byValue).rows(.byValue).arrangement
        #expect(arrangement.rows(ofSection: 0) == 0..<4)
        #expect(arrangement.rows(ofSection: 1) == 4..<10)
        #expect(arrangement.rows(ofSection: 2) == nil)
        #expect(arrangement.rows(ofSection: -1) == nil)
        #expect(arrangement.rows(ofSection: .max) == nil)
    }

    @Test func aggregatesEndWhenTheyAreCancelled() throws {
        let list = ModelList((0..<1_000).map(Cell.integer), type: .integer)
        let rows = try Snapshot(of: list).opening(.rows).rows(.rows)
        try expectChecks(atLeast: 3) {
            _ = try rows.arrangement.aggregates(
                [ColumnMeasure(column: 0, function: .sum)], over: 0..<1_000, in: rows.cache,
                isCancelled: $0)
        }
    }
}

@Suite struct ExactSumTests {
    private static let hostile: [Cell] =
        [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 53, (1 << 53) + 1].map(Cell.integer)
        + ([
            0, -0.0, 0.1, -0.1, 1e16, 1, 1e308, -1e308, .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            .leastNormalMagnitude, .leastNormalMagnitude.nextDown, 0x1p53, 0x1p63, 0x1p-1060,
        ] as [Double]).map(Cell.real)

    @Test func randomSumsAndMeansAreTheExactOnesRoundedOnce() {
        var random = SeededNumbers(seed: 20_261_122)
        for round in 0..<400 {
            let count = random.below(40) + 1
            let isHostile = random.below(2) == 0
            var numbers: [Cell] = []
            while numbers.count < count {
                if isHostile || random.below(8) == 0 {
                    numbers.append(Self.hostile[random.below(Self.hostile.count)])
                } else if random.below(3) == 0 {
                    numbers.append(.integer(Int64(bitPattern: random.next())))
                } else {
                    // Any bits but infinities and NaN; neighbours often cancel out nearly.
                    let real = Double(bitPattern: random.next())
                    guard real.isFinite else { continue }
                    numbers.append(.real(real))
                    if random.below(2) == 0 { numbers.append(.real(-real.nextUp)) }
                }
            }
            check(numbers, "round \(round)")
            check(numbers.reversed(), "round \(round), reversed")
        }
    }

    private func check(_ numbers: [Cell], _ place: Comment) {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        let column = ColumnDescription(name: "number", type: .real)
        let reference = ReferenceAggregate(numbers, of: column)
        #expect(sum.sum == reference.value(.sum), place)
        #expect(sum.mean == reference.value(.mean), place)
    }

    @Test func aNumberAddedManyTimesIsTheSameAsManyNumbers() {
        var random = SeededNumbers(seed: 3)
        for round in 0..<200 {
            let times = random.below(50)
            var (one, many) = (ExactSum(), ExactSum())
            let number = Self.hostile[random.below(Self.hostile.count)]
            one.add(number, times: UInt32(times))
            for _ in 0..<times { many.add(number) }
            #expect(one.mean == many.mean, "round \(round)")
            if times > 0 { #expect(one.sum == many.sum, "round \(round)") }
        }
    }

    @Test func integersBeyond64BitsStayExact() {
        var sum = ExactSum()
        for _ in 0..<3 { sum.add(Int64.max) }
        #expect(sum.sum == .whole(Int128(Int64.max) * 3))
        sum.add(.min, times: .max)
        #expect(sum.sum == .whole(Int128(Int64.max) * 3 + Int128(Int64.min) * Int128(UInt32.max)))
        sum.add(Int64.max, times: .max)
        #expect(sum.sum == .whole(Int128(Int64.max) * 3 - Int128(UInt32.max)))
    }

    @Test func aMeanDoesNotOverflowWhereItsSumDoes() {
        var sum = ExactSum()
        sum.add(.greatestFiniteMagnitude, times: 2)
        #expect(sum.sum == .cell(.real(.infinity)))
        #expect(sum.mean == .cell(.real(.greatestFiniteMagnitude)))
        sum.add(-.greatestFiniteMagnitude)
        #expect(sum.sum == .cell(.real(.greatestFiniteMagnitude)))
    }

    @Test func oppositeInfinitiesHaveNoSum() {
        var sum = ExactSum()
        sum.add(Double.infinity)
        sum.add(-1e308)
        #expect(sum.sum == .cell(.real(.infinity)))
        #expect(sum.mean == .cell(.real(.infinity)))
        sum.add(-Double.infinity)
        #expect(sum.sum == .none)
        #expect(sum.mean == .none)
        var nan = ExactSum()
        nan.add(Double.nan)
        #expect(nan.sum == .none)
    }

    @Test func noNumbersHaveNoSumAndZeroIsPositive() {
        var sum = ExactSum()
        #expect(sum.sum == .none)
        #expect(sum.mean == .none)
        sum.add(-0.0)
        #expect(sum.sum == .cell(.real(0)))
    }
}

extension ExactSum {
    fileprivate mutating func add(_ number: Cell, times: UInt32 = 1) {
        switch number {
        case .integer(let integer): add(integer, times: times)
        case .real(let real): add(real, times: times)
        case .null, .text, .malformedText, .cutText, .blob: break
        }
    }
}
