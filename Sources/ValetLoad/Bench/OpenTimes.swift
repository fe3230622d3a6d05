import ValetClient
import ValetModel

/// How long a station waits for a list that it opens: until its first rows are here.
struct OpenTimes {
    let plan: BenchPlan
    private var firstOfList = Latencies()
    private var firstOfGrouping: [(grouping: String, times: Latencies)] = []
    private var shared = Latencies()

    init(plan: BenchPlan) {
        self.plan = plan
    }

    /// Opens every grouping on a server that has not read the list yet, and then as other clients.
    /// - Returns: the groupings, the list's default first.
    mutating func measure(_ server: any LoadServer) async throws(ValetError) -> [String] {
        let first = try await server.connect(as: 1)
        let groupings = try await Bench.groupings(first)
        var views: [ValetView] = []
        for (index, grouping) in groupings.enumerated() {
            var times = Latencies()
            try await times.time { () async throws(ValetError) in
                views.append(try await Bench.open(Bench.list, grouping, on: first))
            }
            if index == 0 {
                firstOfList.add(times)
            } else if let known = firstOfGrouping.firstIndex(where: { $0.grouping == grouping }) {
                firstOfGrouping[known].times.add(times)
            } else {
                firstOfGrouping.append((grouping, times))
            }
        }
        for number in 0..<plan.laterClients {
            let later = try await server.connect(as: UInt64(100 + number))
            for grouping in groupings {
                try await shared.time { () async throws(ValetError) in
                    _ = try await Bench.open(Bench.list, grouping, on: later)
                }
            }
            await later.close()
        }
        withExtendedLifetime(views) {}
        await first.close()
        return groupings
    }

    func measurements(rows: Int) -> [Measurement] {
        let targets = BenchTargets(rows: rows)
        let list = Measurement(
            "open.first", "first of the list, reading it in", firstOfList,
            target: targets.firstOpen)
        let others = firstOfGrouping.map { grouping, times in
            Measurement(
                "open.grouping.\(grouping)", "first by \(grouping)", times,
                target: targets.firstOpen)
        }
        let second = Measurement(
            "open.shared", "what another client has open", shared, target: targets.sharedOpen)
        return [list] + others + [second]
    }
}

extension Bench {
    /// Opens a view and requests its first window without waiting in between, as a terminal does.
    /// The view closes when it is released, so the caller retains it to keep it open.
    static func open(
        _ list: String, _ grouping: String?, on connection: ValetConnection
    ) async throws(ValetError) -> ValetView {
        let query = Query(grouping: grouping)
        let view = connection.startView(list: list, query) { _ in }
        _ = try await view.window(at: .ordinal(0), rows: BenchPlan.rowsPerWindow)
        return view
    }

    /// The default, those that tell most about a server's work, and what else the catalog suggests.
    static func groupings(_ connection: ValetConnection) async throws(ValetError) -> [String] {
        let list = try await connection.catalog(countingRows: false).catalog.list(named: Bench.list)
        let known = list.groupings.map(\.name)
        let wanted = ["model", "year", "parked", "make", "owner_last"].filter { name in
            list.columns.contains { $0.name == name }
        }
        var names = known.prefix(1) + wanted
        names += known.filter { !names.contains($0) }
        return Array(names)
    }
}
