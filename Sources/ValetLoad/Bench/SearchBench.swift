import ValetClient
import ValetModel

/// Searches by what a column contains, each for something new: until the exact count and the first
/// rows are here.
struct SearchBench {
    /// Where a search looks, and where its needles are from.
    struct Scope {
        var name: String
        var columns: [String]
        var target: Measurement.Target?

        init(_ name: String, columns: [String], target: Measurement.Target?) {
            self.name = name
            self.columns = columns
            self.target = target
        }
    }

    let plan: BenchPlan
    let server: any LoadServer
    let list: String
    let grouping: String
    var needles: Needles

    mutating func measure(_ scopes: [Scope]) async throws(ValetError) -> [Measurement] {
        let connection = try await server.connect(as: 40)
        let view = try await connection.openView(list: list, Query(grouping: grouping))
        var measurements: [Measurement] = []
        for scope in scopes {
            measurements.append(
                Measurement(
                    "search.\(scope.name)", "1 to 6 letters in \(scope.name)",
                    try await search(in: scope, view), target: scope.target))
        }
        await connection.close()
        return measurements
    }

    private mutating func search(
        in scope: Scope, _ view: ValetView
    ) async throws(ValetError) -> Latencies {
        var times = Latencies()
        needles.forget()
        for length in BenchPlan.needleLengths {
            let column = scope.columns[length % scope.columns.count]
            let taken = try needles.take(plan.needlesPerLength, ofLength: length, from: column)
            for needle in taken {
                let query = Query(
                    grouping: grouping, search: .init(text: needle, scope: scope.name))
                let found = try await times.time { () async throws(ValetError) in
                    let found = try await view.rearrange(query).totalRows
                    _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
                    return found
                }
                // It was taken from a row.
                guard found > 0 else {
                    throw ValetError(.malformed, "“\(needle)” was not found in \(scope.name)")
                }
            }
        }
        return times
    }
}
