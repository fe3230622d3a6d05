import Foundation
import Synchronization
import ValetClient
import ValetCommands
import ValetModel
import ValetTerminal

/// What changes cost, from a station to the disk and from there to the windows of others.
///
/// The server writes, so it serves a copy of the cars. All changes go to one list, and the
/// measurements follow one another.
struct EditBench {
    let plan: BenchPlan
    let server: any LoadServer
    /// Another copy, which only SQLite writes.
    let copy: String
    let rows: Int

    static let grouping = "model"
    /// Beyond what any tank of the fleet holds, in tenths of a litre: a change to the value that is
    /// there already would alter no window, and a station would wait for it in vain.
    private static let stamps = Atomic(10_000)

    func measure() async throws -> [Measurement] {
        let parts: [(String, () async throws -> [Measurement])] = [
            ("acknowledgements", AcknowledgementBench(bench: self).measure),
            ("group commit", GroupCommitBench(bench: self).measure),
            ("commit to mirror", MirrorBench(bench: self).measure),
            ("bytes of changes", ChangeBytesBench(bench: self).measure),
            ("a slow link", SlowLinkBench(bench: self).measure),
            ("reconnection", ReconnectBench(bench: self).measure),
            ("stations that stop reading", SilentStationBench(bench: self).measure),
            ("inserts", InsertBench(bench: self).measure),
            // Last, since the orders that it leaves are kept up to date for a while.
            ("large edits", LargeEditBench(bench: self).measure),
        ]
        var measurements: [Measurement] = []
        for (name, measure) in parts {
            ProgressLine.standardError.begin("bench: \(name)")
            measurements += try await measure()
        }
        return measurements
    }

    func station(_ number: Int) async throws -> BenchStation {
        try await .connect(port: server.port, as: UInt64(number))
    }

    func writer(_ number: Int) async throws -> BenchStation {
        try await .writing(port: server.port, as: UInt64(number))
    }

    /// The first row of a window that is one of several, spread evenly over the list.
    func place(_ number: Int, of count: Int) -> Int {
        (rows - BenchPlan.rowsPerWindow) / max(1, count) * number
    }

    /// Sets a car's fuel, which moves it nowhere, to a value that it never had.
    static func change(_ rowID: Int64) -> ValetModel.Change {
        let stamp = stamps.wrappingAdd(1, ordering: .relaxed).newValue
        let edit = CellEdit(column: 3, value: .real(Double(stamp) / 10), seen: .anything)
        return .update([RowEdit(rowID: rowID, cells: [edit])])
    }

    /// A row of a file that `FleetWriter` made.
    func anyRow(_ number: Int, index: Int) -> Int64 {
        var numbers = SeededNumbers(seed: plan.seed, index: index - number)
        return Int64(1 + numbers.below(rows))
    }

    static func close(_ stations: [BenchStation]) async {
        for station in stations { await station.close() }
    }

    /// Runs `body`.
    /// - Returns: also how many processors this process used meanwhile, for a note.
    static func countingProcessors<Result>(
        _ body: () async throws -> Result
    ) async throws -> (Result, processors: Double) {
        let (clock, before) = (ContinuousClock(), processorSeconds)
        let start = clock.now
        let result = try await body()
        return (result, (processorSeconds - before) / ((clock.now - start) / .seconds(1)))
    }

    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

extension Bench {
    /// Serves a copy, so that the cars stay as they are.
    func edited(rows: Int) async throws -> [Measurement] {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let (served, written) = (scratch.file("served.sqlite"), scratch.file("written.sqlite"))
        for path in [served, written] {
            try FileManager.default.copyItem(atPath: file, toPath: path)
        }
        try Descriptors.makeRoom(for: plan.watchers)
        return try await serving(served) {
            try await EditBench(plan: plan, server: $0, copy: written, rows: rows).measure()
        }
    }
}
