import Testing
import ValetModel

@testable import ValetArrangement

/// Words typed letter by letter, each result made from the last; and the bits that results are.
@Suite struct NarrowingTests {
    @Test(arguments: [1, 70, 600, 4_500])
    func eachLetterGivesWhatAFreshSearchGives(rows: Int) throws {
        var random = SeededNumbers(seed: UInt64(rows) &+ 31)
        for round in 0..<(rows < 1_000 ? 10 : 2) {
            let columns = RandomLists.Columns(&random)
            var list = RandomLists.list(columns, rows: rows, &random)
            let grouping = RandomLists.grouping(columns, &random)
            let match: TextMatch = Bool.random(using: &random) ? .contains : .beginsWith
            var snapshot = Snapshot(of: list)
            for length in 1...4 {
                let query = try ListQuery(
                    of: columns.list, by: grouping,
                    search: .init(
                        String("anna".prefix(length)), columns: Array(columns.kinds.indices),
                        match: match, isFlat: Bool.random(using: &random)))
                snapshot = try snapshot.opening(query.specification)
                ArrangementChecker(snapshot, query, list, "round \(round)").check(&random)
                // Between two letters the base order may change, also where nothing was found.
                guard Bool.random(using: &random) else { continue }
                let change = RandomLists.change(list, columns, &random)
                list.apply(change)
                snapshot = try snapshot.after([change], revision: UInt64(length))
                snapshot.checkInvariants()
            }
        }
    }

    /// What was asked one by one is asked together.
    @Test(arguments: [1, 70, 4_500])
    func severalConditionsGiveWhatAFreshSearchGives(rows: Int) throws {
        var random = SeededNumbers(seed: UInt64(rows) &+ 77)
        for round in 0..<(rows < 1_000 ? 40 : 6) {
            let columns = RandomLists.Columns(&random)
            var list = RandomLists.list(columns, rows: rows, &random)
            let grouping = RandomLists.grouping(columns, &random)
            let all = (0..<3).compactMap { _ in RandomLists.condition(columns, &random) }
            var snapshot = Snapshot(of: list)
            let queries = all.map { [$0] } + [Array(all.prefix(2)), Array(all.suffix(2)), all]
            for (number, conditions) in queries.shuffled(using: &random).enumerated() {
                let query = try ListQuery(of: columns.list, by: grouping, conditions: conditions)
                snapshot = try snapshot.opening(query.specification)
                ArrangementChecker(snapshot, query, list, "round \(round), \(conditions)")
                    .check(&random)
                let change = RandomLists.change(list, columns, &random)
                list.apply(change)
                snapshot = try snapshot.after([change], revision: UInt64(number + 1))
            }
        }
    }

    /// A column that is not there can't be tested.
    @Test func rowsFoundForEachConditionAreNotTestedAgain() throws {
        var list = ModelList(
            columns: ["make", "year"].map { ColumnDescription(name: $0, type: .integer) })
        for id in 0..<600 as Range<Int64> { list.rows[id] = [.integer(id % 6), .integer(id % 7)] }
        func query(_ tests: [FilterTest]) -> ArrangementSpecification {
            var query = ArrangementSpecification.rows
            query.filter = Filter(tests)
            return query
        }
        let tests = try [0, 1].map { column in
            FilterTest.values(
                try #require(
                    ConditionTest(
                        .isOneOf, [.integer(3)], column: column, of: list.columns[column])))
        }
        var snapshot = Snapshot(of: list)
        for test in tests { snapshot = try snapshot.opening(query([test])) }
        for column in 0...1 { snapshot.cache.columns[column] = nil }
        let both = try #require(try snapshot.building(query(tests)).last)
        #expect(both.rowCount == list.rows.values.count { $0 == [.integer(3), .integer(3)] })
    }

    @Test func aNarrowerTestIsRecognised() throws {
        func test(_ text: String, _ match: TextMatch, columns: [Int] = [0]) throws -> TextTest {
            try #require(TextTest(text: text, columns: columns, match: match))
        }
        #expect(try test("BMW", .contains).isNarrower(than: test("m", .contains)))
        #expect(try test("bmw", .beginsWith).isNarrower(than: test("bm", .beginsWith)))
        #expect(try !test("bmw", .beginsWith).isNarrower(than: test("mw", .beginsWith)))
        #expect(try !test("bm", .contains).isNarrower(than: test("bmw", .contains)))
        #expect(try !test("bmw", .contains).isNarrower(than: test("b", .beginsWith)))
        #expect(
            try !test("bmw", .contains).isNarrower(than: test("b", .contains, columns: [0, 1])))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 511, 512, 513, 5_000])
    func bitsAreCountedAndFound(count: Int) {
        var random = SeededNumbers(seed: UInt64(count) &+ 7)
        for density in [0, 1, 50, 99, 100] {
            let bits = (0..<count).map { _ in Int.random(in: 0..<100, using: &random) < density }
            var words = [UInt64](repeating: 0, count: (count + 63) / 64)
            for (place, bit) in bits.enumerated() where bit {
                words[place / 64] |= 1 << UInt64(place % 64)
            }
            let vector = BitVector(words: words)
            let places = bits.indices.filter { bits[$0] }
            #expect(vector.setCount == places.count, "\(density) %")
            #expect(places.indices.map { vector.select($0) } == places, "\(density) %")
            for place in stride(from: 0, through: count, by: 1 + count / 200) {
                let before = bits.prefix(place)
                #expect(vector.rank(place) == before.count { $0 }, "\(density) %")
                let next = bits.dropFirst(place).prefix(17).enumerated()
                let expected = next.reduce(into: 0 as UInt64) { word, bit in
                    if bit.element { word |= 1 << UInt64(bit.offset) }
                }
                #expect(vector.bits(from: place, count: 17) == expected, "\(density) %")
            }
        }
    }
}
