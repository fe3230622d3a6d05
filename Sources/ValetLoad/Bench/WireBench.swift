import ValetClient
import ValetModel

/// What rows cost on the wire: all bytes that a server sends while a client scrolls on from the
/// middle of a list, divided by the rows of the pages among them.
struct WireBench {
    let server: any LoadServer

    /// Every list that is long enough.
    func measureAll() async throws -> [Measurement] {
        let connection = try await server.connect(as: 1)
        let (catalog, counts) = try await connection.catalog()
        await connection.close()
        var measurements: [Measurement] = []
        for (list, count) in zip(catalog.lists, counts) where count ?? 0 >= BenchPlan.rowsScrolled {
            measurements.append(try await measure(list.name))
        }
        return measurements
    }

    func measure(_ list: String) async throws -> Measurement {
        let connection = try await server.connect(as: 12)
        let view = try await connection.openView(list: list, Query())
        let (rows, start) = (view.summary.totalRows, try await connection.bytesReceived())
        var place = min(rows / 2, max(0, rows - BenchPlan.rowsScrolled))
        let end = min(rows, place + BenchPlan.rowsScrolled)
        while place < end {
            _ = try await view.window(at: .ordinal(place), rows: BenchPlan.rowsPerWindow)
            place += BenchPlan.rowsPerWindow
            // Gives prefetched pages time to arrive before they are requested.
            try await Task.sleep(for: BenchPlan.pauseOfScrolling)
        }
        let bytes = try await connection.bytesReceived() - start
        let sent = try await connection.pageTraffic().rows
        await connection.close()
        return Measurement(
            id: "wire.\(list)", name: "sent to scroll through \(list)", unit: .bytesPerRow,
            samples: sent, p50: Double(bytes) / Double(max(1, sent)),
            target: BenchTargets.wireBytesPerRow(list: list))
    }
}
