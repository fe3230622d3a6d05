import Foundation
import ValetCommands
import ValetModel

import struct Synchronization.Atomic

/// What changes cost, from a station to the disk and from there to the windows of others.
///
/// The server writes, so it serves a copy of the cars. All changes go to one list, and the
/// measurements follow one another.
extension ServedBench {
    static let grouping = "model"
    /// Beyond what any tank of the fleet holds, in tenths of a litre: a change to the value that is
    /// there already would alter no window, and a station would wait for it in vain.
    private static let stamps = Atomic(10_000)

    /// - Parameter copy: another copy of the cars, which only SQLite writes.
    func edits(copy: String) async throws -> [Measurement] {
        try await Bench.measure([
            ("acknowledgements", { try await acknowledgements(copy) }),
            ("group commit", groupCommits), ("commit to mirror", mirrors),
            ("bytes of changes", changeBytes), ("a slow link", slowLink),
            ("reconnection", reconnections), ("stations that stop reading", silentStations),
            ("inserts", inserts),
            // Last, since the orders that it leaves are kept up to date for a while.
            ("large edits", largeEdits),
        ])
    }

    /// Sets a car's fuel, which moves it nowhere, to a value that it never had.
    static func change(_ rowID: Int64) -> ValetModel.Change {
        let stamp = stamps.wrappingAdd(1, ordering: .relaxed).newValue
        let edit = CellEdit(column: 3, value: .real(Double(stamp) / 10), seen: .anything)
        return .update([RowEdit(rowID: rowID, cells: [edit])])
    }

    /// A station that may write.
    func writer(_ number: Int) async throws -> BenchStation {
        let station = try await BenchStation.connect(port: server.port, as: UInt64(number))
        try await station.onLoop { $0.requestWriter() }
        _ = try await station.waiting { $0.writer }
        return station
    }

    /// The first row of a window that is one of several, spread evenly over the list.
    func place(_ number: Int, of count: Int) -> Int {
        (rows - BenchPlan.rowsPerWindow) / max(1, count) * number
    }

    /// Stations that each watch a window of their own.
    func watchers(
        _ count: Int, from number: Int, by groupings: [String] = [grouping],
        answersPerSecond: Int = Limits.answersPerSecond
    ) async throws -> [Watcher] {
        var watchers: [Watcher] = []
        for index in 0..<count {
            let station = try await BenchStation.connect(
                port: server.port, as: UInt64(number + index))
            watchers.append(
                try await Watcher(
                    station, place(index, of: count), by: groupings[index % groupings.count],
                    answersPerSecond: answersPerSecond))
        }
        return watchers
    }

    /// Runs `body` while a client looks at random places.
    func looking<Result>(
        as number: UInt64, pause: Duration, while body: () async throws -> Result
    ) async throws -> (result: Result, windows: Latencies) {
        try await viewing(as: number, Self.grouping) { _, view in
            let looking = Task {
                var times = Latencies()
                var numbers = numbers(-800)
                while !Task.isCancelled {
                    times.record(try await window(view, at: anyPlace(&numbers)))
                    try? await Task.sleep(for: pause, tolerance: .zero)
                }
                return times
            }
            defer { looking.cancel() }
            let result = try await body()
            looking.cancel()
            return (result, try await looking.value)
        }
    }
}

/// A station that watches a window.
struct Watcher: Sendable {
    let station: BenchStation
    /// Those of the window's rows.
    let rowIDs: [Int64]

    /// Watches the rows from `place` on, in place of what it watched before.
    init(
        _ station: BenchStation, _ place: Int, rows: Int = BenchPlan.rowsPerWindow,
        by grouping: String = ServedBench.grouping,
        answersPerSecond: Int = Limits.answersPerSecond
    ) async throws {
        self.station = station
        try await station.onLoop { $0.watch(place, rows: rows, grouping, UInt32(answersPerSecond)) }
        rowIDs = try await station.waiting { $0.rowIDs }
    }

    /// Of one of its rows, each in turn.
    func change(_ turn: Int) -> ValetModel.Change {
        ServedBench.change(rowIDs[turn % rowIDs.count])
    }
}

extension Bench {
    /// Serves a copy, so that the cars stay as they are.
    func edited(_ rows: Int) async throws -> [Measurement] {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let (served, written) = (scratch.file("served.sqlite"), scratch.file("written.sqlite"))
        for path in [served, written] {
            try FileManager.default.copyItem(atPath: file, toPath: path)
        }
        try Descriptors.require(for: plan.watchers)
        return try await serving(served, rows, "changes") { try await $0.edits(copy: written) }
    }
}
