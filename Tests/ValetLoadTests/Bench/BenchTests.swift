import Foundation
import Synchronization
import Testing
import ValetModel
import ValetStore

@testable import ValetLoad

private func bench(_ file: String, seed: UInt64 = 5) -> Bench {
    Bench(plan: BenchPlan(seed: seed, isQuick: true), file: file) {
        try await InProcessServer(serving: $0)
    }
}

private func fleet(_ rows: Int, in scratch: ScratchDirectory) throws -> String {
    let path = scratch.file("cars.sqlite")
    try FleetWriter(fleet: Fleet(seed: 5), rows: rows).write(to: path, replacing: false)
    return path
}

@Suite(.serialized) struct BenchTests {
    @Test func aBenchMeasuresWhatItPromises() async throws {
        let scratch = try ScratchDirectory()
        let report = try await bench(fleet(2_000, in: scratch)).run()

        #expect(report.rows == 2_000)
        let expected =
            ["open.first", "open.shared", "window.random", "window.cached", "window.flatness"]
            + ["model", "year", "parked", "make", "owner_last"].map { "open.grouping.\($0)" }
            + (1...10).map { "window.tenth.\($0)" }
            + ["window.scroll", "wire.row", "ping", "locate", "index", "jump"]
            + ["Any", "make", "model", "owner_last", "letter", "window"].map { "search.\($0)" }
            + ["memory.resident", "sqlite.offset", "sqlite.sorted", "sqlite.like"]
        for id in expected { #expect(report[id] != nil, "\(id)") }
        let ids = report.measurements.map(\.id)
        #expect(Set(ids).count == ids.count)

        for measurement in report.measurements where measurement.id != "memory.resident" {
            let p50 = try #require(measurement.p50, "\(measurement.id)")
            #expect(p50 > 0, "\(measurement.id)")
            #expect(measurement.p99 ?? p50 >= p50, "\(measurement.id)")
            #expect(measurement.samples > 0, "\(measurement.id)")
        }
        #expect(report["window.random"]?.samples == 100)
        #expect(report["memory.resident"]?.p50 == nil)
        #expect(report["memory.resident"]?.note != nil)
        // Scrolling brings the rows that it shows, and a few around them.
        let sent = try #require(report["wire.row"])
        #expect((1_000...2_000).contains(sent.samples))
        #expect((5...200).contains(sent.p50 ?? 0))
        #expect(report["sqlite.like"]?.comparison?.id == "search.model")
    }

    @Test func aFileWithoutCarsIsRefused() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("other.sqlite")
        try Connection(path: path, access: .create).run("CREATE TABLE boats (name TEXT)")
        let error = await #expect(throws: ValetError.self) { try await bench(path).run() }
        #expect(error?.code == .unknownList)
        #expect(error?.alternatives == ["boats"])
    }

    @Test func tooFewCarsAreRefused() async throws {
        let scratch = try ScratchDirectory()
        let file = try fleet(BenchPlan.fewestRows - 1, in: scratch)
        let error = await #expect(throws: ValetError.self) { try await bench(file).run() }
        #expect(error?.code == .notAllowed)
    }

    @Test func serversAreStoppedWhenTheBenchFails() async throws {
        struct Deaf: LoadServer {
            let port = 1
            let stopped: @Sendable () -> Void
            func memory() -> ServerMemory? { nil }
            func stop() async { stopped() }
        }
        let stops = Counter()
        let failing = Bench(plan: BenchPlan(seed: 1, isQuick: true), file: "none") { _ in
            Deaf { stops.add() }
        }
        await #expect(throws: ValetError.self) { try await failing.run() }
        #expect(stops.count == 1)
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
}

@Test func needlesStandInTheirColumnAndComeOnce() throws {
    let scratch = try ScratchDirectory()
    let file = try fleet(1_000, in: scratch)
    var needles = try Needles(file: file, seed: 5, rows: 1_000)
    let taken = try needles.take(10, ofLength: 3, from: "model")
    #expect(taken.count == 10)
    #expect(Set(taken.map(TextFolding.fold)).count == 10)
    let connection = try Connection(path: file)
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
    let scratch = try ScratchDirectory()
    let file = try fleet(1_000, in: scratch)
    var needles = try Needles(file: file, seed: 5, rows: 1_000)
    #expect(try needles.take(3, ofLength: 200, from: "model") == [])
}
