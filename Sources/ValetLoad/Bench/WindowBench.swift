import ValetClient
import ValetModel

/// Windows of fifty rows, from the request until all rows are decoded.
struct WindowBench {
    let plan: BenchPlan
    let server: any LoadServer
    let rows: Int

    /// Clients take turns, because the speed of each also depends on the processors that it and the
    /// server run on.
    private static let clients = 4

    /// - Parameters:
    ///   - grouping: where random windows go.
    ///   - other: a grouping whose pages were not requested before.
    func measure(
        _ grouping: String, tenthsOf other: String
    ) async throws(ValetError) -> [Measurement] {
        [
            try await cached(grouping), try await random(grouping), try await byTenth(other),
        ]
    }

    private func view(_ grouping: String, as number: UInt64) async throws(ValetError) -> (
        connection: ValetConnection, view: ValetView
    ) {
        let connection = try await server.connect(as: number)
        let query = Query(grouping: grouping)
        return (connection, try await connection.openView(list: Bench.list, query))
    }

    /// - Returns: the time it took.
    private func window(
        _ view: ValetView, at place: Int, velocity: Int = 0
    ) async throws(ValetError) -> Duration {
        let start = ContinuousClock.now
        let (window, end) = try await view.timedWindow(
            at: .ordinal(place), rows: BenchPlan.rowsPerWindow, velocity: velocity,
            isSettled: velocity == 0)
        guard window.rows.count == BenchPlan.rowsPerWindow else {
            throw ValetError(.malformed, "a window of \(window.rows.count) rows came")
        }
        return end - start
    }

    // MARK: - At random places

    private func random(_ grouping: String) async throws(ValetError) -> Measurement {
        var times = Latencies()
        var numbers = SeededNumbers(seed: plan.seed, index: -1)
        for number in 0..<Self.clients {
            let (connection, view) = try await view(grouping, as: UInt64(10 + number))
            for index in 0..<BenchPlan.warmUp + plan.windows / Self.clients {
                let place = numbers.below(rows - BenchPlan.rowsPerWindow)
                let time = try await window(view, at: place)
                if index >= BenchPlan.warmUp { times.record(time) }
            }
            await connection.close()
        }
        return Measurement(
            "window.random", "window at a random place", times,
            target: BenchTargets(rows: rows).window)
    }

    /// A client goes first, so that the server has the pages.
    private func cached(_ grouping: String) async throws(ValetError) -> Measurement {
        var numbers = SeededNumbers(seed: plan.seed, index: -2)
        let places = (0..<plan.windows / Self.clients).map { _ in
            numbers.below(rows - BenchPlan.rowsPerWindow)
        }
        var times = Latencies()
        for number in 0...Self.clients {
            let (connection, view) = try await view(grouping, as: UInt64(20 + number))
            for place in places {
                let time = try await window(view, at: place)
                if number > 0 { times.record(time) }
            }
            await connection.close()
        }
        return Measurement(
            "window.cached", "window whose pages the server has", times,
            target: BenchTargets(rows: rows).cachedWindow)
    }

    // MARK: - By place

    /// How much slower the slowest tenth of the list is than the fastest. The tenths take turns, so
    /// that a slow moment of the machine affects all of them.
    private func byTenth(_ grouping: String) async throws(ValetError) -> Measurement {
        var times = Array(repeating: Latencies(), count: 10)
        var numbers = SeededNumbers(seed: plan.seed, index: -3)
        let (connection, view) = try await view(grouping, as: 11)
        let span = (rows - BenchPlan.rowsPerWindow) / 10
        for turn in 0..<BenchPlan.warmUp { _ = try await window(view, at: turn % 10 * span) }
        for _ in 0..<plan.windowsPerTenth {
            for tenth in times.indices {
                let place = tenth * span + numbers.below(span)
                times[tenth].record(try await window(view, at: place))
            }
        }
        await connection.close()
        let medians = times.compactMap { $0.percentile(50) }
        let ratio = medians.max().flatMap { most in medians.min().map { most / max($0, 0.001) } }
        return Measurement(
            id: "window.flatness", name: "slowest tenth of the list to fastest", unit: .times,
            samples: times.count * plan.windowsPerTenth, p50: ratio)
    }

    // MARK: - Scrolling

    /// Reads on from the middle, window after window, as a person does who scrolls by screens.
    func scroll(_ grouping: String) async throws(ValetError) -> Measurement {
        let (connection, view) = try await view(grouping, as: 12)
        var times = Latencies()
        var place = rows / 2
        let end = min(rows, place + BenchPlan.rowsScrolled)
        while place + BenchPlan.rowsPerWindow <= end {
            let velocity = BenchPlan.rowsPerWindow * BenchPlan.screensPerSecond
            times.record(try await window(view, at: place, velocity: velocity))
            place += BenchPlan.rowsPerWindow
        }
        await connection.close()
        return Measurement("window.scroll", "next window when scrolling", times)
    }
}
