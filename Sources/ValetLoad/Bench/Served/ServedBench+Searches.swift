import ValetClient
import ValetModel

/// Searches by what a column contains, each for something new: until the exact count and the first
/// rows are here.
extension ServedBench {
    /// - Parameter scopes: where searches look, and the columns that their needles are from.
    func searches(
        _ list: String, by grouping: String, in scopes: [(name: String, columns: [String])]
    ) async throws -> [Measurement] {
        var needles = try Needles(file: file, table: list, seed: plan.seed, rows: rows)
        return try await viewing(as: 40, grouping, of: list) { _, view in
            var measurements: [Measurement] = []
            for scope in scopes {
                var times = Latencies()
                needles.forget()
                for length in BenchPlan.needleLengths {
                    let column = scope.columns[length % scope.columns.count]
                    for needle in try needles.take(
                        plan.needlesPerLength, ofLength: length, from: column)
                    {
                        let search = Query.Search(text: needle, scope: scope.name)
                        let found = try await times.time {
                            try await view.ask(Query(grouping: grouping, search: search))
                        }
                        // It was taken from a row.
                        guard found > 0 else {
                            throw ValetError(
                                .malformed, "“\(needle)” was not found in \(scope.name)")
                        }
                    }
                }
                measurements.append(
                    Measurement(
                        "search.\(scope.name)", "1 to 6 letters in \(scope.name)", times))
            }
            return measurements
        }
    }
}
