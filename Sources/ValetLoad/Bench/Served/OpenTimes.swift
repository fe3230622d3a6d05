import ValetClient
import ValetModel

/// How long a station waits for a list that it opens: until its first rows are here.
struct OpenTimes {
    /// By grouping; the first of a server reads the list in.
    private var firsts: [(grouping: String, times: Latencies)] = []
    private var shared = Latencies()

    /// Opens every grouping on a server that has not read the list yet, and then as other clients.
    /// - Returns: the groupings, the list's default first.
    mutating func measure(_ bench: ServedBench) async throws -> [String] {
        try await bench.connected(as: 1) { first in
            let groupings = try await Bench.groupings(first)
            if firsts.isEmpty { firsts = groupings.map { ($0, Latencies()) } }
            var views: [ValetView] = []
            for (index, grouping) in groupings.enumerated() {
                try await firsts[index].times.time {
                    views.append(try await Bench.open(Bench.list, grouping, on: first))
                }
            }
            for number in 0..<bench.plan.laterClients {
                try await bench.connected(as: UInt64(100 + number)) { later in
                    for grouping in groupings {
                        try await shared.time {
                            _ = try await Bench.open(Bench.list, grouping, on: later)
                        }
                    }
                }
            }
            withExtendedLifetime(views) {}
            return groupings
        }
    }

    var measurements: [Measurement] {
        firsts.enumerated().map { index, first in
            let isOfList = index == 0
            return Measurement(
                isOfList ? "open.first" : "open.grouping.\(first.grouping)",
                isOfList ? "first of the list, reading it in" : "first by \(first.grouping)",
                first.times)
        } + [Measurement("open.shared", "what another client has open", shared)]
    }
}
