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
    var others: [String] = []
    let start: ServerStarter

    func run() async throws -> BenchReport {
        let load = Self.loadAverage()
        let rows = try countRows()
        var report = BenchReport(
            rows: rows, seed: plan.seed, system: Self.system,
            processors: ProcessInfo.processInfo.activeProcessorCount, loadBefore: load)
        for part in BenchPlan.order {
            if plan.parts.contains(part) { report.measurements += try await measure(part, rows) }
            if part == .edited, let churn = plan.churn {
                report.measurements += try await churned(churn)
            }
        }
        let targets = BenchTargets(rows: rows)
        for index in report.measurements.indices {
            let own = report.measurements[index].target
            report.measurements[index].target = own ?? targets[report.measurements[index].id]
        }
        return report
    }

    private func measure(_ part: BenchPlan.Part, _ rows: Int) async throws -> [Measurement] {
        let sqlite = SQLiteBench(plan: plan, file: file, rows: rows)
        switch part {
        case .micro:
            ProgressLine.standardError.begin("bench: operations in memory")
            return try MicroBench(plan: plan, file: file).measure()
        case .edited: return try await edited(rows)
        case .seen:
            return try await serving(file, rows, "a person over a slow link") {
                try await PersonBench(server: $0.server, acts: plan.actsSeen).measure()
            }
        case .loaded:
            // On a server that answers nobody else.
            return try await serving(file, rows, "full load") { try await $0.load() }
        case .asked:
            let asked = try await serving(file, rows, "queries") { try await $0.queries() }
            return asked + (try await sqlite.queries(beside: asked))
        case .served:
            var served = try await cars(rows)
            served += try await serving(file, rows, "memory") { try await $0.memory() }
            served += try await plates(rows)
            for other in others {
                served += try await serving(other, rows, "scrolling in \(other)") {
                    try await $0.scrollAll()
                }
            }
            ProgressLine.standardError.begin("bench: SQLite alone")
            return served + (try await sqlite.pages(beside: served))
        }
    }

    private func countRows() throws -> Int {
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
    /// - Parameter name: what the progress line says of it.
    func serving<Result>(
        _ file: String, _ rows: Int, _ name: String,
        _ body: (ServedBench) async throws -> Result
    ) async throws -> Result {
        ProgressLine.standardError.begin("bench: \(name)")
        let server = try await start(file)
        return try await Self.ending({ await server.stop() }) {
            try await body(ServedBench(plan: plan, server: server, file: file, rows: rows))
        }
    }

    private func cars(_ rows: Int) async throws -> [Measurement] {
        var opens = OpenTimes()
        for number in 1..<plan.starts {
            try await serving(file, rows, "open, \(number) of \(plan.starts)") {
                _ = try await opens.measure($0)
            }
        }
        return try await serving(file, rows, "open, \(plan.starts) of \(plan.starts)") { bench in
            let groupings = try await opens.measure(bench)
            return opens.measurements + (try await cars(bench, groupings))
        }
    }

    private func cars(_ bench: ServedBench, _ groupings: [String]) async throws -> [Measurement] {
        let (byLetter, byModel) = (groupings[0], groupings.first { $0 == "model" } ?? groupings[0])
        let columns = ["make", "model", "owner_last"]
        let scopes = [(name: "Any", columns: columns)] + columns.map { (name: $0, columns: [$0]) }
        return try await Self.measure([
            ("windows", { try await bench.windows(byLetter, tenthsOf: byModel) }),
            ("scrolling", { [try await bench.scroll(byModel), try await bench.wire(Self.list)] }),
            ("look-ups", { try await bench.lookups(byModel) }),
            ("searches", { try await bench.searches(Self.list, by: byLetter, in: scopes) }),
        ])
    }

    /// One part after the other.
    static func measure(
        _ parts: [(name: String, measure: () async throws -> [Measurement])]
    ) async throws -> [Measurement] {
        var measurements: [Measurement] = []
        for part in parts {
            ProgressLine.standardError.begin("bench: \(part.name)")
            measurements += try await part.measure()
        }
        return measurements
    }

    /// A list of its own, since cars repeat in all that they have.
    private func plates(_ rows: Int) async throws -> [Measurement] {
        let scratch = try ScratchDirectory()
        defer { withExtendedLifetime(scratch) {} }
        let file = scratch.file("plates.sqlite")
        try Plates(seed: plan.seed).write(rows, to: file)
        return try await serving(file, rows, "all-distinct text") { try await $0.plates() }
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
