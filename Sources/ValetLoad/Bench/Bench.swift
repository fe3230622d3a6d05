import Foundation
import ValetClient
import ValetCommands
import ValetModel
import ValetStore
import ValetTerminal

/// Measures a server as its users meet it: requests go over TCP, times end when rows are decoded.
/// Before that, the operations in memory that a server is made of, and what changes cost.
///
/// The parts run one after the other. While rows are only read, one request at a time is under way
/// but in the full load, so that a figure is the time of that request alone. Places and needles
/// come from the seed.
package struct Bench: Sendable {
    static let list = FleetWriter.table

    let plan: BenchPlan
    /// The cars.
    let file: String
    /// Files whose lists are scrolled too.
    let others: [String]
    private let start: ServerStarter

    init(
        plan: BenchPlan, file: String, others: [String] = [], start: @escaping ServerStarter
    ) {
        self.plan = plan
        self.file = file
        self.others = others
        self.start = start
    }

    func run() async throws -> BenchReport {
        let load = Self.loadAverage()
        var report = BenchReport(
            rows: try countRows(), seed: plan.seed, system: Self.system,
            processors: ProcessInfo.processInfo.activeProcessorCount, loadBefore: load)
        if plan.parts.contains(.micro) {
            report.measurements += try MicroBench(plan: plan, file: file).measure()
        }
        if plan.parts.contains(.edited) {
            report.measurements += try await edited(rows: report.rows)
        }
        if let churn = plan.churn { report.measurements += try await churned(churn) }
        if plan.parts.contains(.seen) {
            ProgressLine.standardError.begin("bench: a person over a slow link")
            report.measurements += try await serving(file) {
                try await PersonBench(server: $0, acts: plan.actsSeen).measure()
            }
        }
        if plan.parts.contains(.loaded) {
            report.measurements += try await loaded(rows: report.rows)
        }
        let sqlite = SQLiteBench(plan: plan, file: file)
        if plan.parts.contains(.asked) {
            ProgressLine.standardError.begin("bench: queries")
            let rows = report.rows
            report.measurements += try await serving(file) {
                try await QueryBench(plan: plan, server: $0, file: file, rows: rows).measure()
            }
            report.measurements += try sqlite.queries(report)
        }
        guard plan.parts.contains(.served) else { return report }
        report.measurements += try await cars(rows: report.rows)
        ProgressLine.standardError.begin("bench: memory")
        report.measurements += try await serving(file) {
            try await MemoryBench(server: $0, rows: report.rows).measure()
        }
        report.measurements += try await plates(rows: report.rows)
        for other in others {
            ProgressLine.standardError.begin("bench: scrolling in \(other)")
            report.measurements += try await serving(other) {
                try await WireBench(server: $0).measureAll()
            }
        }
        ProgressLine.standardError.begin("bench: SQLite alone")
        return try sqlite.added(to: report)
    }

    private func countRows() throws(ValetError) -> Int {
        let database = try Database(path: file)
        let list = try database.catalog.position(ofList: Self.list)
        let rows = try database.makeReader().rowCount(list: list)
        guard rows >= BenchPlan.fewestRows else {
            throw ValetError(
                .notAllowed, "“\(file)” has \(rows) cars: a bench needs \(BenchPlan.fewestRows)")
        }
        return rows
    }

    /// Runs `body` with a server of its own, which is stopped whatever comes.
    func serving<Result>(
        _ file: String, _ body: (any LoadServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(file)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private func cars(rows: Int) async throws -> [Measurement] {
        var opens = OpenTimes(plan: plan)
        for number in 1..<plan.starts {
            ProgressLine.standardError.begin("bench: open, \(number) of \(plan.starts)")
            try await serving(file) { _ = try await opens.measure($0) }
        }
        ProgressLine.standardError.begin("bench: open, \(plan.starts) of \(plan.starts)")
        return try await serving(file) { server in
            let groupings = try await opens.measure(server)
            return try await opens.measurements(rows: rows) + cars(server, groupings, rows: rows)
        }
    }

    private func cars(
        _ server: any LoadServer, _ groupings: [String], rows: Int
    ) async throws -> [Measurement] {
        let targets = BenchTargets(rows: rows)
        let (byLetter, byModel) = (groupings[0], groupings.first { $0 == "model" } ?? groupings[0])
        let windows = WindowBench(plan: plan, server: server, rows: rows)
        ProgressLine.standardError.begin("bench: windows")
        var measurements = try await windows.measure(byLetter, tenthsOf: byModel)
        ProgressLine.standardError.begin("bench: scrolling")
        measurements.append(try await windows.scroll(byModel))
        measurements.append(try await WireBench(server: server).measure(Self.list))
        ProgressLine.standardError.begin("bench: look-ups")
        measurements += try await LookupBench(
            plan: plan, server: server, rows: rows, grouping: byModel
        ).measure()
        ProgressLine.standardError.begin("bench: searches")
        var searches = SearchBench(
            plan: plan, server: server, list: Self.list, grouping: byLetter,
            needles: try Needles(file: file, table: Self.list, seed: plan.seed, rows: rows))
        let columns = ["make", "model", "owner_last"]
        measurements += try await searches.measure(
            [.init("Any", columns: columns, target: nil)]
                + columns.map { .init($0, columns: [$0], target: targets.search) })
        return measurements
    }

    /// On a server that answers nobody else.
    private func loaded(rows: Int) async throws -> [Measurement] {
        ProgressLine.standardError.begin("bench: full load")
        return try await serving(file) { server in
            let first = try await server.connect(as: 1)
            let grouping = try await Self.groupings(first)[0]
            await first.close()
            return try await LoadBench(
                plan: plan, server: server, rows: rows, grouping: grouping
            ).measure()
        }
    }

    /// A list of its own, since cars repeat in all that they have.
    private func plates(rows: Int) async throws -> [Measurement] {
        ProgressLine.standardError.begin("bench: all-distinct text")
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let file = scratch.file("plates.sqlite")
        try Plates(seed: plan.seed).write(rows, to: file)
        return try await serving(file) {
            try await PlateBench(plan: plan, server: $0, file: file, rows: rows).measure()
        }
    }

    /// Of the last minute. A machine that is busy with something else measures that too.
    private static func loadAverage() -> Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }

    private static var system: String {
        #if DEBUG
            let build = ", debug build"
        #else
            let build = ""
        #endif
        return ProcessInfo.processInfo.operatingSystemVersionString + build
    }
}

extension Catalog {
    /// The number by which a reader knows a list.
    func position(ofList name: String) throws(ValetError) -> Int {
        let list = try list(named: name)
        return lists.firstIndex { $0.name == list.name } ?? 0
    }
}
