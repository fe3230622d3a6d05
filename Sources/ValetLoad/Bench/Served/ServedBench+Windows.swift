import ValetClient
import ValetModel

/// Windows of fifty rows, from the request until all rows are decoded.
extension ServedBench {
    /// Clients take turns, because the speed of each also depends on the processors that it and the
    /// server run on.
    private static let clients: UInt64 = 4

    /// - Parameters:
    ///   - grouping: where random windows go.
    ///   - other: a grouping whose pages were not requested before.
    func windows(_ grouping: String, tenthsOf other: String) async throws -> [Measurement] {
        [try await cached(grouping), try await random(grouping), try await byTenth(other)]
    }

    /// - Returns: the time it took.
    func window(_ view: ValetView, at place: Int, velocity: Int = 0) async throws -> Duration {
        let start = ContinuousClock.now
        let (window, end) = try await view.timedWindow(
            at: .ordinal(place), rows: BenchPlan.rowsPerWindow, velocity: velocity,
            isSettled: velocity == 0)
        guard window.rows.count == BenchPlan.rowsPerWindow else {
            throw ValetError(.malformed, "a window of \(window.rows.count) rows came")
        }
        return end - start
    }

    /// - Parameters:
    ///   - warmUp: windows at the beginning of each client that don't count.
    ///   - places: where a client goes.
    private func windows(
        of clients: Range<UInt64>, _ grouping: String, warmUp: Int = 0, at places: () -> [Int]
    ) async throws -> Latencies {
        var times = Latencies()
        for client in clients {
            try await viewing(as: client, grouping) { _, view in
                for (number, place) in places().enumerated() {
                    let time = try await window(view, at: place)
                    if number >= warmUp { times.record(time) }
                }
            }
        }
        return times
    }

    private func random(_ grouping: String) async throws -> Measurement {
        var numbers = numbers(-1)
        let warmUp = BenchPlan.warmUp
        let times = try await windows(of: 10..<10 + Self.clients, grouping, warmUp: warmUp) {
            (0..<warmUp + plan.windows / Int(Self.clients)).map { _ in anyPlace(&numbers) }
        }
        return Measurement("window.random", "window at a random place", times)
    }

    private func cached(_ grouping: String) async throws -> Measurement {
        var numbers = numbers(-2)
        let places = (0..<plan.windows / Int(Self.clients)).map { _ in anyPlace(&numbers) }
        // A client goes first, so that the server has the pages.
        _ = try await windows(of: 20..<21, grouping) { places }
        let times = try await windows(of: 21..<21 + Self.clients, grouping) { places }
        return Measurement("window.cached", "window whose pages the server has", times)
    }

    /// How much slower the slowest tenth of the list is than the fastest. The tenths take turns, so
    /// that a slow moment of the machine affects all of them.
    private func byTenth(_ grouping: String) async throws -> Measurement {
        var times = Array(repeating: Latencies(), count: 10)
        var numbers = numbers(-3)
        let span = (rows - BenchPlan.rowsPerWindow) / 10
        try await viewing(as: 11, grouping) { _, view in
            for turn in 0..<BenchPlan.warmUp { _ = try await window(view, at: turn % 10 * span) }
            for _ in 0..<plan.windowsPerTenth {
                for tenth in times.indices {
                    let place = tenth * span + numbers.below(span)
                    times[tenth].record(try await window(view, at: place))
                }
            }
        }
        let medians = times.compactMap { $0.percentile(50) }
        let ratio = medians.max().flatMap { most in medians.min().map { most / max($0, 0.001) } }
        return Measurement(
            "window.flatness", "slowest tenth of the list to fastest", ratio, .times,
            of: times.count * plan.windowsPerTenth)
    }

    // MARK: - Scrolling

    /// The places of a person who scrolls by screens through some of the list.
    private static func scrolled(from first: Int, _ rows: Int) -> StrideTo<Int> {
        stride(
            from: first, to: min(rows, first + BenchPlan.rowsScrolled), by: BenchPlan.rowsPerWindow)
    }

    func scroll(_ grouping: String) async throws -> Measurement {
        var times = Latencies()
        let velocity = BenchPlan.rowsPerWindow * BenchPlan.screensPerSecond
        try await viewing(as: 12, grouping) { _, view in
            for place in Self.scrolled(from: rows / 2, rows)
            where place + BenchPlan.rowsPerWindow <= rows {
                times.record(try await window(view, at: place, velocity: velocity))
            }
        }
        return Measurement("window.scroll", "next window when scrolling", times)
    }

    /// What rows cost on the wire: all bytes that a server sends while a client scrolls, divided by
    /// the rows of the pages among them.
    func wire(_ list: String) async throws -> Measurement {
        try await viewing(as: 12, nil, of: list) { connection, view in
            let (rows, start) = (view.summary.totalRows, try await connection.bytesReceived())
            let first = min(rows / 2, max(0, rows - BenchPlan.rowsScrolled))
            for place in Self.scrolled(from: first, rows) {
                _ = try await view.window(at: .ordinal(place), rows: BenchPlan.rowsPerWindow)
                // Gives prefetched pages time to arrive before they are requested.
                try await Task.sleep(for: BenchPlan.pauseOfScrolling)
            }
            let bytes = try await connection.bytesReceived() - start
            let sent = try await connection.pageTraffic().rows
            return Measurement(
                "wire.\(list)", "sent to scroll through \(list)",
                Double(bytes) / Double(max(1, sent)), .bytesPerRow, of: sent)
        }
    }

    /// Every list that is long enough.
    func scrollAll() async throws -> [Measurement] {
        let (catalog, counts) = try await connected(as: 1) { try await $0.catalog() }
        var measurements: [Measurement] = []
        for (list, count) in zip(catalog.lists, counts) where count ?? 0 >= BenchPlan.rowsScrolled {
            measurements.append(try await wire(list.name))
        }
        return measurements
    }
}
