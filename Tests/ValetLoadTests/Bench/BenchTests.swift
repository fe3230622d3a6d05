import Foundation
import TestSupport
import Testing
import ValetCommands
import ValetModel
import ValetStore

import struct Synchronization.Atomic

@testable import ValetLoad

/// A quick bench of some parts.
/// - Parameter start: starts servers; nil for those of tests.
private func report(
    of file: String, others: [String] = [],
    _ parts: Set<BenchPlan.Part> = [.micro, .served, .asked, .loaded],
    _ change: (inout BenchPlan) -> Void = { _ in }, start: ServerStarter? = nil
) async throws -> BenchReport {
    var plan = BenchPlan(seed: 5, isQuick: true)
    (plan.parts, plan.clientsOfLoad) = (parts, 8)
    change(&plan)
    let bench = Bench(plan: plan, file: file, others: others) {
        if let start { try await start($0) } else { try await TestServer($0) }
    }
    return try await bench.run()
}

@Suite(.serialized) struct BenchTests {
    @Test func aBenchMeasuresWhatItPromises() async throws {
        let fleet = try SmallFleet()
        let report = try await report(of: fleet.file, others: [fleet.file])

        #expect(report.rows == 2_000)
        func persons(_ inFlight: Int) -> [String] {
            ["window", "search"].map { "load.person.\($0).\(inFlight)" }
        }
        let loads =
            persons(0)
            + [(1, ""), (8, ".8")].flatMap { inFlight, depth in
                ["windows", "window"].map { "load.\($0)\(depth)" } + persons(inFlight)
            }
        let expected =
            ["sort", "tree", "position", "locate", "window", "edit", "page.encode", "page.decode"]
            .map { "micro.\($0)" }
            + ["lz4.compress", "lz4.decompress", "fold.ascii", "fold.marks"].map { "micro.\($0)" }
            + ["micro.scan.dictionary", "micro.scan.distinct"]
            + ["open.first", "open.shared", "window.random", "window.cached", "window.flatness"]
            + ["model", "year", "parked", "make", "owner_last"].map { "open.grouping.\($0)" }
            + ["open.plate", "window.scroll", "wire.cars", "ping", "locate", "index", "jump"]
            + ["Any", "make", "model", "owner_last", "plate"].map { "search.\($0)" }
            + ["condition", "all", "values", "values.plate", "aggregates"].map { "ask.\($0)" }
            + loads + ["memory.resident", "memory.plate.resident"]
            + ["offset", "sorted", "like", "where", "group", "aggregates"].map { "sqlite.\($0)" }
        for id in expected { #expect(report[id] != nil, "\(id)") }

        for measurement in report.measurements where measurement.part != .bytes {
            let p50 = try #require(measurement.p50, "\(measurement.id)")
            #expect(p50 > 0, "\(measurement.id)")
            #expect(measurement.p99 ?? p50 >= p50, "\(measurement.id)")
            #expect(measurement.samples > 0, "\(measurement.id)")
            #expect(measurement.part != nil, "\(measurement.id)")
        }
        #expect(report["window.random"]?.samples == 100)
        #expect(report["memory.resident"]?.p50 ?? 0 > 0)
        // Scrolling brings the rows that it shows, and a few around them: of each of twenty windows
        // two pages and one to each side at most. Here it does so twice.
        let scrolled = report.measurements.filter { $0.id == "wire.cars" }
        #expect(scrolled.count == 2)
        for sent in scrolled {
            #expect((1_000...20 * 4 * 64).contains(sent.samples))
            #expect((5...200).contains(sent.p50 ?? 0))
        }
        #expect(report["sqlite.like"]?.comparison?.id == "search.model")
        #expect(report.measurements.map(\.id).filter { $0.hasPrefix("load.") } == loads)
        aTableIsNoWiderThanATerminal(report)
    }

    private func aTableIsNoWiderThanATerminal(_ report: BenchReport) {
        for line in report.table().split(separator: "\n").dropFirst() {
            #expect(line.count <= 100, "\(line)")
        }
    }

    /// A change to the value that is there already alters no window.
    @Test func aChangeOfTheBenchIsNeverToWhatACarHas() {
        let fuel = (0..<10_000).compactMap { Fleet(seed: 5).car(at: $0).fuel }.max() ?? 0
        guard case .update(let edits) = ServedBench.change(1),
            case .real(let value)? = edits.first?.cells.first?.value
        else {
            Issue.record("a change of another kind")
            return
        }
        #expect(value > fuel)
    }

    @Test func aBenchMeasuresWhatChangesCost() async throws {
        let fleet = try SmallFleet()
        let before = try Data(contentsOf: URL(filePath: fleet.file))
        let report = try await report(of: fleet.file, [.edited]) { plan in
            (plan.commits, plan.watchers, plan.rowsInserted, plan.churn) = (20, 20, 2_000, 4_000)
            (plan.secondsPerLoad, plan.secondsPerMirror, plan.secondsOverSlowLink) = (0.1, 0.3, 0.5)
            (plan.secondsAway, plan.secondsOfSilence) = (0.1, 0.5)
            plan.creditOfSilent = 32 << 10
        }

        let expected =
            ["acknowledgement", "sqlite", "group", "single", "mirror.few", "mirror.many"]
            + ["mirror.shared", "bytes.inside", "bytes.outside", "answers.outside"]
            + ["slow.skeletons", "slow.age", "bytes.opening", "bytes.reopening"]
            + ["silent.memory", "silent.window", "silent.change", "silent.answers"]
            + ["insert", "insert.window", "large", "large.window"]
            + ["churn.25", "churn.50", "churn.75", "churn.100", "churn.log"]
        #expect(report.measurements.map(\.id) == expected.map { "edit.\($0)" })
        for measurement in report.measurements {
            #expect(measurement.p50 != nil, "\(measurement.id)")
            #expect(measurement.samples > 0, "\(measurement.id)")
            #expect(measurement.part == .edit, "\(measurement.id)")
        }
        // What doesn't depend on the machine's speed.
        for id in ["bytes.inside", "answers.outside", "slow.skeletons"] {
            #expect(report["edit.\(id)"]?.isMet == true, "\(id)")
        }
        // The link alone takes a tenth of a second.
        #expect(report["edit.slow.age"]?.p50 ?? 0 > 100_000)
        #expect(report["edit.mirror.shared"]?.samples == 20 * 6)
        #expect(report["edit.churn.log"]?.p50 ?? 0 > 0)
        #expect(try Data(contentsOf: URL(filePath: fleet.file)) == before)
        aTableIsNoWiderThanATerminal(report)
    }

    @Test func aBenchMeasuresWhatAPersonSees() async throws {
        let fleet = try SmallFleet()
        let report = try await report(of: fleet.file, [.seen]) { $0.actsSeen = 2 }
        let ids = ["rest", "skeletons", "bytes", "key", "pick"].map { "person.\($0)" }
        #expect(report.measurements.map(\.id) == ids)
        // The first key asks for the order that is shown, the ten page-downs for rows.
        #expect(report["person.rest"]?.samples == 2)
        #expect(report["person.skeletons"]?.samples ?? 0 >= 10)
        #expect(report["person.bytes"]?.p50 ?? 0 > 100)
        #expect(report["person.key"]?.samples ?? 0 > 20)
        #expect(report["person.pick"]?.samples ?? 0 > 20)
    }

    @Test func onePartCanBeMeasuredAlone() async throws {
        let fleet = try SmallFleet(rows: 1_000)
        let micro = try await report(
            of: fleet.file, [.micro],
            start: { _ in throw ValetError(.unexpected, "no server is needed") })
        #expect(!micro.measurements.isEmpty)
        #expect(micro.measurements.allSatisfy { $0.part == .micro })
        let served = try await report(of: fleet.file, [.served])
        #expect(!served.measurements.isEmpty)
        #expect(served.measurements.allSatisfy { $0.part != .micro })
    }

    @Test func aFileWithoutCarsIsRefused() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("other.sqlite")
        try Connection(path: path, access: .create).run("CREATE TABLE boats (name TEXT)")
        let error = await #expect(throws: ValetError.self) { try await report(of: path) }
        #expect(error?.code == .unknownList)
        #expect(error?.alternatives == ["boats"])
    }

    @Test func tooFewCarsAreRefused() async throws {
        let fleet = try SmallFleet(rows: BenchPlan.fewestRows - 1)
        let error = await #expect(throws: ValetError.self) { try await report(of: fleet.file) }
        #expect(error?.code == .notAllowed)
    }

    @Test func carsWithGapsInTheirNumbersAreRefused() async throws {
        let fleet = try SmallFleet(rows: BenchPlan.fewestRows + 1)
        try Connection(path: fleet.file, access: .write).run("DELETE FROM cars WHERE rowid = 5")
        let error = await #expect(throws: ValetError.self) { try await report(of: fleet.file) }
        #expect(error?.message.contains("numbered from 1 on without gaps") == true)
    }

    @Test func serversAreStoppedWhenTheBenchFails() async throws {
        struct Deaf: LoadServer {
            let port = 1
            let stopped: @Sendable () -> Void
            func stop() async { stopped() }
        }
        let stops = Atomic(0)
        let fleet = try SmallFleet(rows: 1_000)
        await #expect(throws: ValetError.self) {
            try await report(
                of: fleet.file, [.served],
                start: { _ in Deaf { stops.add(1, ordering: .relaxed) } })
        }
        #expect(stops.load(ordering: .relaxed) == 1)
    }
}

@Test func needlesStandInTheirColumnAndComeOnce() throws {
    let fleet = try SmallFleet(rows: 1_000)
    var needles = try Needles(file: fleet.file, table: "cars", seed: 5, rows: 1_000)
    let taken = try needles.take(10, ofLength: 3, from: "model")
    #expect(taken.count == 10)
    #expect(Set(taken.map(TextFolding.fold)).count == 10)
    let connection = try Connection(path: fleet.file)
    let count = try connection.prepare("SELECT count(*) FROM cars WHERE instr(model, ?) > 0")
    for needle in taken {
        #expect(needle.count == 3)
        count.bind(needle, at: 0)
        #expect(try count.step())
        #expect(count.integer(0) > 0)
        count.reset()
    }
    #expect(try needles.take(10, ofLength: 3, from: "model").filter(taken.contains) == [])
}

@Test func needlesLongerThanEveryValueAreNone() throws {
    let fleet = try SmallFleet(rows: 1_000)
    var needles = try Needles(file: fleet.file, table: "cars", seed: 5, rows: 1_000)
    #expect(try needles.take(3, ofLength: 200, from: "model") == [])
}

@Test func noTwoPlatesAreTheSame() {
    let plates = Plates(seed: 7)
    let beyond = 26 * 26 * 26 * 10_000
    let numbers = Array(0..<20_000) + Array(beyond..<beyond + 5_000)
    #expect(Set(numbers.map(plates.plate)).count == numbers.count)
    #expect(plates.plate(at: 3) == Plates(seed: 7).plate(at: 3))
    #expect(plates.plate(at: 3) != Plates(seed: 8).plate(at: 3))
}

@Test func aTimerCountsItsTurns() throws {
    var turns = 0
    let measurement = try MicroTimer(seconds: 0).measure("nothing", "nothing", batch: 10) { turn in
        turns = max(turns, turn + 1)
        return 1
    }
    #expect(measurement.id == "micro.nothing")
    #expect(measurement.samples == turns)
    #expect(turns == 50)
    #expect(measurement.p50 ?? -1 >= 0)
    #expect(throws: ValetError.self) {
        try MicroTimer(seconds: 0).measure("nothing", "nothing") { _ in 0 }
    }
}
