import ValetClient
import ValetModel

/// How long a station waits for a list that it opens: until its first rows are here.
struct OpenTimes {
    private(set) var rows = 0
    private var firstOfList = Latencies()
    private var firstOfGrouping: [(grouping: String, times: Latencies)] = []
    private var shared = Latencies()
    /// Memory at the start, and with some groupings open.
    private var before: ServerMemory?
    private var after: ServerMemory?
    private var groupingsInMemory = 0

    /// Opens every grouping on a server that has not read the list yet, and then as other clients.
    /// - Returns: the groupings, the list's default first.
    mutating func measure(_ server: any LoadServer) async throws(ValetError) -> [String] {
        let first = try await server.connect(as: 1)
        let groupings = try await groupings(first)
        before = server.memory()
        var views: [ValetView] = []
        for (index, grouping) in groupings.enumerated() {
            var times = Latencies()
            try await times.time { () async throws(ValetError) in
                views.append(try await Self.open(grouping, on: first))
            }
            rows = views[index].summary.totalRows
            if index == 0 {
                firstOfList.add(times)
            } else if let known = firstOfGrouping.firstIndex(where: { $0.grouping == grouping }) {
                firstOfGrouping[known].times.add(times)
            } else {
                firstOfGrouping.append((grouping, times))
            }
            if index < BenchPlan.groupingsInMemory {
                after = server.memory()
                groupingsInMemory = index + 1
            }
        }
        for number in 0..<BenchPlan.laterClients {
            let later = try await server.connect(as: UInt64(100 + number))
            for grouping in groupings {
                try await shared.time { () async throws(ValetError) in
                    _ = try await Self.open(grouping, on: later)
                }
            }
            await later.close()
        }
        withExtendedLifetime(views) {}
        await first.close()
        return groupings
    }

    /// A view that nobody holds closes: what shall stay open, the caller keeps.
    private static func open(
        _ grouping: String, on connection: ValetConnection
    ) async throws(ValetError) -> ValetView {
        let view = try await connection.openView(
            list: Bench.list, Question(grouping: grouping))
        _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
        return view
    }

    /// The default, those that tell most about a server's work, and what else the catalog suggests.
    private func groupings(_ connection: ValetConnection) async throws(ValetError) -> [String] {
        let list = try await connection.catalog().catalog.list(named: Bench.list)
        let known = list.groupings.map(\.name)
        let wanted = ["model", "year", "parked", "make", "owner_last"].filter { name in
            list.columns.contains { $0.name == name }
        }
        var names = known.prefix(1) + wanted
        names += known.filter { !names.contains($0) }
        return Array(names)
    }
}

extension OpenTimes {
    var measurements: [Measurement] {
        let list = Measurement(
            "open.first", "first open of the list, reading it in", firstOfList,
            target: BenchTargets.firstOpen(rows: rows))
        let others = firstOfGrouping.map { grouping, times in
            Measurement(
                "open.grouping.\(grouping)", "first open by \(grouping)", times,
                target: BenchTargets.firstOpen(rows: rows))
        }
        let second = Measurement(
            "open.shared", "open of what another client opened", shared,
            target: BenchTargets.sharedOpen)
        return [list] + others + [second]
    }

    /// What the list takes of the server's memory.
    var memory: [Measurement] {
        let name = "server memory per row, \(groupingsInMemory) groupings open"
        guard let before, let after, rows > 0 else {
            let note = "not measured: the system does not tell it"
            return [
                Measurement(
                    id: "memory.resident", name: name, unit: .bytesPerRow, samples: 0, note: note)
            ]
        }
        func perRow(_ bytes: Int) -> Double {
            Double(max(0, bytes - before.resident)) / Double(rows)
        }
        return [
            Measurement(
                id: "memory.resident", name: name, unit: .bytesPerRow, samples: 1,
                p50: perRow(after.resident), target: BenchTargets.residentBytesPerRow(rows: rows)),
            Measurement(
                id: "memory.peak", name: "the same, at its highest", unit: .bytesPerRow,
                samples: 1, p50: perRow(after.peak)),
        ]
    }
}
