import ValetClient
import ValetModel
import ValetStore

/// Queries with conditions, values of columns with their counts, and aggregates. What is asked
/// is made of rows of the file.
extension ServedBench {
    private static let valueColumns = ["make", "model", "year", "owner_last"]

    func queries() async throws -> [Measurement] {
        try await viewing(as: 50, "make") { _, view in
            [
                Measurement(
                    "ask.condition", "a condition added or dropped", try await changing(view)),
                Measurement("ask.all", "3 conditions and 2 words at once", try await atOnce(view)),
                Measurement(
                    "ask.values", "values of a column, most rows first", try await values(view)),
                Measurement(
                    "ask.aggregates", "6 aggregates of 4 % of the rows",
                    try await aggregates(view)),
            ]
        }
    }

    private func examples(_ turn: Int) throws -> EnumeratedSequence<[ExampleRow]> {
        try ExampleRow.some(plan.queries, of: file, rows: rows, seed: plan.seed, turn: turn)
            .enumerated()
    }

    private func changing(_ view: ValetView) async throws -> Latencies {
        var times = Latencies()
        for (round, example) in try examples(0) {
            let all = example.conditions(round)
            // Three are added, and the first two dropped.
            for range in [0..<1, 0..<2, 0..<3, 1..<3, 2..<3] {
                try await time(Query(grouping: "make", conditions: Array(all[range])), view, &times)
            }
        }
        return times
    }

    private func time(_ query: Query, _ view: ValetView, _ times: inout Latencies) async throws {
        guard try await times.time({ try await view.ask(query) }) > 0 else {
            throw ValetError(.malformed, "no row meets \(query.conditions), made of one")
        }
    }

    /// After a first search, for which the server reads in the columns that it lacks.
    private func atOnce(_ view: ValetView) async throws -> Latencies {
        var times = Latencies()
        try await view.ask(Query(grouping: "make", search: .init(text: "x", scope: "Any")))
        for (round, example) in try examples(1) {
            let words = "\(example.model.prefix(4)) \(example.owner.prefix(5))"
            let query = Query(
                grouping: "make", search: .init(text: words, scope: "Any"),
                conditions: Array(example.conditions(round).prefix(3)))
            try await time(query, view, &times)
            try await view.ask(Query(grouping: "make"))
        }
        return times
    }

    /// Of rows that a condition leaves. Whoever looks at a column first waits for its order, too,
    /// as in `OpenTimes`: that is left out here.
    private func values(_ view: ValetView) async throws -> Latencies {
        for column in Self.valueColumns {
            try await view.ask(Query(grouping: column, expression: .wholeValue))
        }
        return try await Latencies.of(examples(2)) { round, example in
            let fuel = Condition(column: "fuel", .below, [.real(example.fuel + 10)])
            _ = try await view.rearrange(
                Query(
                    grouping: Self.valueColumns[round % Self.valueColumns.count],
                    expression: .wholeValue, conditions: [fuel]))
            _ = try await view.largestSections(from: 0, count: BenchPlan.rowsPerWindow)
        }
    }

    private func aggregates(_ view: ValetView) async throws -> Latencies {
        _ = try await view.rearrange(Query(grouping: "make"))
        let sections = try await view.sections(from: 0, count: Limits.sectionsPerAnswer)
        let ordinal = sections.indices.min {
            abs(sections[$0].count - rows / 25) < abs(sections[$1].count - rows / 25)
        }
        let turns = BenchPlan.warmUp + plan.queries
        return try await Latencies.of(0..<turns, warmUp: BenchPlan.warmUp) { turn in
            let column = ["year", "fuel", "parked"][turn % 3]
            let measures = AggregateFunction.allCases.map { Measure(column: column, function: $0) }
            _ = try await view.aggregates(of: measures, ofAllRows: false, sections: [ordinal ?? 0])
        }
    }
}

/// A row whose values conditions and words are made of.
struct ExampleRow {
    var make: String
    var model: String
    var year: Int64
    var fuel: Double
    var month: String
    var owner: String

    /// All that it meets, in another order each round.
    func conditions(_ round: Int) -> [Condition] {
        let all = [
            Condition(column: "make", .isOneOf, [.text(make)]),
            Condition(column: "fuel", .atMost, [.real(fuel + Double(round) / 1_000)]),
            Condition(column: "parked", .isOneOf, [.text(month)]),
            Condition(column: "year", .atLeast, [.integer(year)]),
            Condition(column: "owner_last", .contains, [.text(String(owner.prefix(3)))]),
        ]
        let first = round % all.count
        return Array(all[first...] + all[..<first])
    }

    /// Rows of the fleet, others in each turn. Those that lack a value are left out.
    static func some(
        _ count: Int, of file: String, rows: Int, seed: UInt64, turn: Int
    ) throws -> [ExampleRow] {
        let row = try Connection(path: file).prepare(
            """
            SELECT make, model, year, fuel, strftime('%Y-%m', parked, 'unixepoch'), owner_last
            FROM \(Bench.list) WHERE rowid = ?
            """)
        var numbers = SeededNumbers(seed: seed, index: -200 - turn)
        var examples: [ExampleRow] = []
        for _ in 0..<count * 100 where examples.count < count {
            row.bind(Int64(1 + numbers.below(rows)), at: 0)
            defer { row.reset() }
            guard try row.step(), let make = row.text(0), let model = row.text(1),
                case .real(let fuel) = row.value(3), let month = row.text(4),
                let owner = row.text(5), ![make, model, owner].contains("")
            else { continue }
            examples.append(
                ExampleRow(
                    make: make, model: model, year: row.integer(2), fuel: fuel, month: month,
                    owner: owner))
        }
        return examples
    }
}
