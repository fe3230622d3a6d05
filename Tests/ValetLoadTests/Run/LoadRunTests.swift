import TestSupport
import Testing
import ValetModel
import ValetStore

@testable import ValetLoad

@Suite(.serialized) struct LoadRunTests {
    @Test(arguments: Scenario.allCases)
    func aRightServerIsFoundRight(_ scenario: Scenario) async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        let clients = scenario == .slow ? 10 : 4
        let report = try await LoadRun(
            .brief(scenario, clients: clients), port: server.port, truth: fleet.file
        ).run()
        await server.stop()
        #expect(report.totals.firstMismatches == [])
        #expect(report.totals.firstErrors == [])
        #expect(report.totals.errors == 0)
        #expect(report.totals.mismatches == 0)
        #expect(report.totals.windowsChecked > 0)
        #expect(report.totals.rowsCompared > 0)
        #expect(report.memory.end.map { $0.resident > 0 } == true)
        // Stations add rows and delete some.
        let rows = try TemporaryFolder.number(fleet.file, "SELECT count(*) FROM cars")
        #expect(report.statistics?[.rowsReadIn].map(Int64.init) == rows)
        #expect(scenario == .stations || rows == 2_000)
        #expect(report.status == .ok)
    }

    @Test func anOpenLoopAsksNoMoreThanItsRate() async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        let report = try await LoadRun(
            .brief(.jump, rate: 40, seconds: 1), port: server.port, truth: nil
        ).run()
        await server.stop()
        #expect((1...40).contains(report.totals.requests))
        #expect(report.status == .ok)
        #expect(report.notes.count == 1)
    }

    @Test(arguments: [Scenario.scroll, .jump, .mixed])
    func swappedRowsAreCaught(_ scenario: Scenario) async throws {
        let report = try await run(.brief(scenario), before: .swappedRows)
        #expect(report.totals.firstMismatches.contains { $0.kind == .order })
        #expect(report.status == .failed)
    }

    @Test func aStalePageUnderANewNameIsCaught() async throws {
        let report = try await run(.brief(.jump), before: .stalePage)
        #expect(report.totals.mismatches > 0)
        #expect(report.status == .failed)
    }

    @Test func staleCellsAreCaughtByTheFile() async throws {
        let report = try await run(.brief(.jump), before: .staleCells)
        #expect(report.totals.firstMismatches.contains { $0.kind == .cells })
        #expect(report.status == .failed)
    }

    @Test func searchesThatMissRowsForEverybodyAreCaughtByTheFile() async throws {
        let report = try await run(.brief(.search, rate: 400), before: .missedRows)
        #expect(!report.totals.firstMismatches.isEmpty)
        // Nothing else is wrong with what the server says.
        let others = report.totals.firstMismatches.filter {
            $0.kind != .search || !$0.text.contains("the file has")
        }
        #expect(others == [])
        #expect(report.status == .failed)
    }

    @Test func searchesThatMissNoRowsAreCounted() async throws {
        let report = try await run(.brief(.search, rate: 400), before: .none)
        #expect((1...RunPlan.searchesCounted).contains(report.totals.searchesCounted))
        #expect(report.totals.firstMismatches == [])
        #expect(report.notes == [])
    }

    @Test func searchesAreNotCountedWhenTheTimeIsUp() async throws {
        var plan = RunPlan.brief(.search, rate: 400)
        plan.countingTime = .zero
        let report = try await run(plan, before: .none)
        #expect(report.totals.searchesCounted == 0)
        #expect(report.notes == ["searches were counted in 0 of 2,000 rows only"])
        #expect(report.status == .ok)
    }

    @Test func anUnspoiledAnswerIsFoundRight() async throws {
        let report = try await run(.brief(.mixed), before: .none)
        #expect(report.totals.firstMismatches == [])
        #expect(report.status == .ok)
    }

    /// Spoils what the server sends once the list was opened, so that the run begins.
    private func run(_ plan: RunPlan, before fault: BrokenServer.Fault) async throws -> RunReport {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        let broken = try await BrokenServer(before: server.port, fault: fault)
        let report = try await LoadRun(plan, port: broken.port, truth: fleet.file).run()
        await broken.stop()
        await server.stop()
        return report
    }

    @Test func aServerThatStopsCostsErrorsAndNotTheRun() async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        let run = LoadRun(.brief(.jump), port: server.port, truth: nil)
        async let report = run.run()
        // Whatever the run is at: its connections go, and no new ones come.
        await server.stop()
        do {
            #expect(try await report.totals.errors > 0)
        } catch let error as ValetError {
            #expect([.shuttingDown, .timedOut].contains(error.code))
        }
    }

    @Test func aRunThatIsCancelledReportsWhatItHas() async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        let (beginnings, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let run = LoadRun(
            plan: .brief(.jump, seconds: 3_600),
            address: RunAddress(host: "127.0.0.1", port: server.port), truthFile: nil,
            whenBegun: { hasBegun.yield() })
        let task = Task { try await run.run() }
        for await _ in beginnings { break }
        task.cancel()
        switch await task.result {
        case .success(let report):
            #expect(report.wasStopped)
            #expect(report.status == .cancelled)
            #expect(report.totals.firstErrors == [])
        case .failure(let error): Issue.record(error)
        }
        await server.stop()
    }

    @Test func severalListsMustBeChosenFrom() async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("two.sqlite")
        try Connection(path: file, access: .create).run(
            "CREATE TABLE boats (name TEXT); CREATE TABLE cars (name TEXT)")
        let server = try await TestServer(file)
        let error = await #expect(throws: ValetError.self) {
            try await LoadRun(.brief(.jump), port: server.port, truth: nil).run()
        }
        #expect(error?.code == .unknownList)
        #expect(error?.alternatives == ["boats", "cars"])
        await server.stop()
    }

    @Test(arguments: Scenario.allCases)
    func anEmptyListIsNoProblem(_ scenario: Scenario) async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("none.sqlite")
        try Connection(path: file, access: .create).run("CREATE TABLE cars (make TEXT)")
        let server = try await TestServer(file)
        let report = try await LoadRun(
            .brief(scenario, clients: 5, seconds: 0.1), port: server.port, truth: file
        ).run()
        await server.stop()
        #expect(report.totals.firstMismatches == [])
        #expect(report.totals.firstErrors == [])
    }
}
