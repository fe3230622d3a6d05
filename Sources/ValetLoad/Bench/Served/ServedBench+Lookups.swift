import ValetClient
import ValetModel

/// What a person does to get somewhere: to a row, to a section, along the index.
extension ServedBench {
    private static let titlesOfIndex = 40

    func lookups(_ grouping: String) async throws -> [Measurement] {
        try await viewing(as: 30, grouping) { connection, view in
            [
                // What every other time includes.
                try await lookup("ping", "round trip", plan.lookups) { _ in
                    _ = try await connection.roundTrip()
                },
                try await lookup("locate", "locate a row by its id", plan.lookups) { turn in
                    var numbers = numbers(-1_000 - turn)
                    let rowID = Int64(1 + numbers.below(rows))
                    guard try await view.locate(rowID) != nil else {
                        throw ValetError(.unknownRow, "row \(rowID) is in no place")
                    }
                },
                try await lookup(
                    "index", "section index of \(Self.titlesOfIndex) titles", plan.lookups
                ) { _ in
                    guard try await !view.index(most: Self.titlesOfIndex).isEmpty else {
                        throw ValetError(.malformed, "the section index is empty")
                    }
                },
                try await jump(view),
            ]
        }
    }

    private func lookup(
        _ id: String, _ name: String, _ count: Int, _ body: (_ turn: Int) async throws -> Void
    ) async throws -> Measurement {
        let warmUp = BenchPlan.warmUp
        return Measurement(
            id, name, try await Latencies.of(0..<warmUp + count, warmUp: warmUp, body))
    }

    private func jump(_ view: ValetView) async throws -> Measurement {
        // Some hundred different titles from all over the list.
        var numbers = numbers(-4)
        var titles: [String] = []
        let count = plan.windowsPerTenth * 2
        for _ in 0..<BenchPlan.warmUp + count {
            let start = numbers.below(max(1, view.summary.totalSections))
            titles += try await view.sections(from: start, count: 1).map(\.title)
        }
        if titles.isEmpty { throw ValetError(.unknownSection, "the list has no sections") }
        return try await lookup("jump", "jump to a section, with rows", count) { turn in
            let section = try await view.section(titled: titles[turn % titles.count])
            _ = try await view.window(at: .ordinal(section.first), rows: BenchPlan.rowsPerWindow)
        }
    }
}
