import ValetClient
import ValetModel
import ValetStore

/// Queries with conditions, values of columns with their counts, and aggregates. What is asked
/// is made of rows of the file.
struct QueryBench {
    let plan: BenchPlan
    let server: any LoadServer
    let file: String
    let rows: Int

    /// A row whose values conditions and words are made of.
    struct Example {
        var make: String
        var model: String
        var year: Int64
        var fuel: Double
        var month: String
        var owner: String
    }

    private static let valueColumns = ["make", "model", "year", "owner_last"]

    func measure() async throws(ValetError) -> [Measurement] {
        let connection = try await server.connect(as: 50)
        let view = try await connection.openView(list: Bench.list, Query(grouping: "make"))
        let targets = BenchTargets(rows: rows)
        let measurements = [
            Measurement(
                "ask.condition", "a condition added or dropped", try await changing(view),
                target: targets.condition),
            Measurement(
                "ask.all", "3 conditions and 2 words at once", try await atOnce(view),
                target: targets.conditionsAndWords),
            Measurement(
                "ask.values", "values of a column, most rows first", try await values(view),
                target: targets.values),
            Measurement(
                "ask.aggregates", "6 aggregates of 4 % of the rows", try await aggregates(view),
                target: targets.aggregates),
        ]
        await connection.close()
        return measurements
    }

    /// Until the exact count and the first rows are here.
    private static func ask(
        _ query: Query, _ view: ValetView
    ) async throws(ValetError) -> Int {
        let found = try await view.rearrange(query).totalRows
        _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
        return found
    }

    private func changing(_ view: ValetView) async throws(ValetError) -> Latencies {
        var times = Latencies()
        for (round, example) in try examples(plan.queries, turn: 0).enumerated() {
            var all = conditions(example, round)
            var query = Query(grouping: "make")
            // Three are added, and the first two dropped.
            while query.conditions.count < 3 {
                query.conditions.append(all.removeFirst())
                try await time(query, view, &times)
            }
            while query.conditions.count > 1 {
                query.conditions.removeFirst()
                try await time(query, view, &times)
            }
        }
        return times
    }

    private func time(
        _ query: Query, _ view: ValetView, _ times: inout Latencies
    ) async throws(ValetError) {
        let found = try await times.time { () async throws(ValetError) in
            try await Self.ask(query, view)
        }
        guard found > 0 else {
            throw ValetError(.malformed, "no row meets \(query.conditions), made of one")
        }
    }

    /// After a first search, for which the server reads in the columns that it lacks.
    private func atOnce(_ view: ValetView) async throws(ValetError) -> Latencies {
        var times = Latencies()
        _ = try await Self.ask(
            Query(grouping: "make", search: .init(text: "x", scope: "Any")), view)
        for (round, example) in try examples(plan.queries, turn: 1).enumerated() {
            let words = "\(example.model.prefix(4)) \(example.owner.prefix(5))"
            let query = Query(
                grouping: "make", search: .init(text: words, scope: "Any"),
                conditions: Array(conditions(example, round).prefix(3)))
            try await time(query, view, &times)
            _ = try await Self.ask(Query(grouping: "make"), view)
        }
        return times
    }

    /// Of rows that a condition leaves. Whoever looks at a column first waits for its order, too,
    /// as in `OpenTimes`: that is left out here.
    private func values(_ view: ValetView) async throws(ValetError) -> Latencies {
        var times = Latencies()
        for column in Self.valueColumns {
            _ = try await Self.ask(Query(grouping: column, expression: .wholeValue), view)
        }
        for (round, example) in try examples(plan.queries, turn: 2).enumerated() {
            let column = Self.valueColumns[round % Self.valueColumns.count]
            let query = Query(
                grouping: column, expression: .wholeValue,
                conditions: [Condition(column: "fuel", .below, [.real(example.fuel + 10)])])
            try await times.time { () async throws(ValetError) in
                _ = try await view.rearrange(query)
                _ = try await view.largestSections(from: 0, count: BenchPlan.rowsPerWindow)
            }
        }
        return times
    }

    private func aggregates(_ view: ValetView) async throws(ValetError) -> Latencies {
        _ = try await view.rearrange(Query(grouping: "make"))
        let sections = try await view.sections(from: 0, count: Limits.sectionsPerAnswer)
        let ordinal = sections.indices.min {
            abs(sections[$0].count - rows / 25) < abs(sections[$1].count - rows / 25)
        }
        var times = Latencies()
        for turn in 0..<BenchPlan.warmUp + plan.queries {
            let column = ["year", "fuel", "parked"][turn % 3]
            let measures = AggregateFunction.allCases.map { Measure(column: column, function: $0) }
            try await times.time(counts: turn >= BenchPlan.warmUp) {
                () async throws(ValetError) in
                _ = try await view.aggregates(
                    of: measures, ofAllRows: false, sections: [ordinal ?? 0])
            }
        }
        return times
    }

    // MARK: - Examples

    private func conditions(_ example: Example, _ round: Int) -> [Condition] {
        let all = [
            Condition(column: "make", .isOneOf, [.text(example.make)]),
            Condition(column: "fuel", .atMost, [.real(example.fuel + Double(round) / 1_000)]),
            Condition(column: "parked", .isOneOf, [.text(example.month)]),
            Condition(column: "year", .atLeast, [.integer(example.year)]),
            Condition(column: "owner_last", .contains, [.text(String(example.owner.prefix(3)))]),
        ]
        let first = round % all.count
        return Array(all[first...] + all[..<first])
    }

    private func examples(_ count: Int, turn: Int) throws(ValetError) -> [Example] {
        try Self.examples(count, of: file, rows: rows, seed: plan.seed, turn: turn)
    }

    /// Rows of the fleet, others in each turn. Those that lack a value are left out.
    static func examples(
        _ count: Int, of file: String, rows: Int, seed: UInt64, turn: Int
    ) throws(ValetError) -> [Example] {
        let row = try Connection(path: file).prepare(
            """
            SELECT make, model, year, fuel, strftime('%Y-%m', parked, 'unixepoch'), owner_last
            FROM \(Bench.list) WHERE rowid = ?
            """)
        var numbers = SeededNumbers(seed: seed, index: -200 - turn)
        var examples: [Example] = []
        for _ in 0..<count * 100 where examples.count < count {
            row.bind(Int64(1 + numbers.below(rows)), at: 0)
            defer { row.reset() }
            guard try row.step(), let make = row.text(0), let model = row.text(1),
                case .real(let fuel) = row.value(3), let month = row.text(4),
                let owner = row.text(5), ![make, model, owner].contains("")
            else { continue }
            examples.append(
                Example(
                    make: make, model: model, year: row.integer(2), fuel: fuel, month: month,
                    owner: owner))
        }
        return examples
    }
}
