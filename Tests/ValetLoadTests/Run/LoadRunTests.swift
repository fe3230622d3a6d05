import TestSupport
import Testing
import ValetCommands
import ValetModel
import ValetStore

@testable import ValetLoad

@Suite(.serialized) struct LoadRunTests {
    /// The report of a run on a server of its own.
    /// - Parameters:
    ///   - fault: what spoils the server's answers.
    ///   - hasTruth: whether cells are compared with the file.
    private func report(
        _ plan: RunPlan, _ file: String? = nil, before fault: Spoiler.Fault? = nil,
        hasTruth: Bool = true
    ) async throws -> RunReport {
        let fleet = try SmallFleet()
        let file = file ?? fleet.file
        let server = try await TestServer(file)
        let proxy: FrameProxy? =
            if let fault {
                try await FrameProxy(before: server.port) { Spoiler(fault) }
            } else { nil }
        let report = await Result {
            try await LoadRun(
                plan, port: proxy?.port ?? server.port, truth: hasTruth ? file : nil
            ).run()
        }
        await proxy?.stop()
        await server.stop()
        return try report.get()
    }

    @Test(arguments: Scenario.allCases)
    func aRightServerIsFoundRight(_ scenario: Scenario) async throws {
        let fleet = try SmallFleet()
        let clients = scenario == .slow ? 10 : 4
        let report = try await report(.brief(scenario, clients: clients), fleet.file)
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
        let report = try await report(.brief(.jump, rate: 40, seconds: 1), hasTruth: false)
        #expect((1...40).contains(report.totals.requests))
        #expect(report.status == .ok)
        #expect(report.totals.notes.count == 1)
    }

    @Test(
        arguments: [
            (.scroll, .swappedRows, .order), (.jump, .swappedRows, .order),
            (.mixed, .swappedRows, .order), (.jump, .stalePage, nil), (.jump, .staleCells, .cells),
        ] as [(Scenario, Spoiler.Fault, Mismatch.Kind?)])
    func aServerThatMakesMistakesIsCaught(
        _ scenario: Scenario, _ fault: Spoiler.Fault, _ kind: Mismatch.Kind?
    ) async throws {
        let report = try await report(.brief(scenario), before: fault)
        #expect(report.totals.mismatches > 0)
        #expect(kind == nil || report.totals.firstMismatches.contains { $0.kind == kind })
        #expect(report.status == .failed)
    }

    @Test func searchesThatMissRowsForEverybodyAreCaughtByTheFile() async throws {
        let report = try await report(.brief(.search, rate: 400), before: .missedRows)
        #expect(!report.totals.firstMismatches.isEmpty)
        // Nothing else is wrong with what the server says.
        let others = report.totals.firstMismatches.filter {
            $0.kind != .search || !$0.text.contains("the file has")
        }
        #expect(others == [])
        #expect(report.status == .failed)
    }

    @Test func searchesThatMissNoRowsAreCounted() async throws {
        let report = try await report(.brief(.search, rate: 400), before: .unspoiled)
        #expect((1...RunPlan.searchesCounted).contains(report.totals.searchesCounted))
        #expect(report.totals.firstMismatches == [])
        #expect(report.totals.notes == [])
    }

    @Test func searchesAreNotCountedWhenTheTimeIsUp() async throws {
        var plan = RunPlan.brief(.search, rate: 400)
        plan.countingTime = .zero
        let report = try await report(plan, before: .unspoiled)
        #expect(report.totals.searchesCounted == 0)
        #expect(report.totals.notes == ["searches were counted in 0 of 2,000 rows only"])
        #expect(report.status == .ok)
    }

    @Test func anUnspoiledAnswerIsFoundRight() async throws {
        let report = try await report(.brief(.mixed), before: .unspoiled)
        #expect(report.totals.firstMismatches == [])
        #expect(report.status == .ok)
    }

    /// Who reads nothing may be cut off, but not kept out.
    @Test func peopleWhoAreRefusedAreErrorsAlsoWhereTheyReadNothing() async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file) { $0.connectionLimit = 4 }
        let report = try await LoadRun(
            .brief(.idle, clients: 12), port: server.port, truth: nil
        ).run()
        await server.stop()
        #expect(report.totals.cutOff == 0 && report.totals.errors > 0)
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
            address: ServerAddress(port: server.port), truthFile: nil,
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
        let error = await #expect(throws: ValetError.self) {
            try await report(.brief(.jump), file, hasTruth: false)
        }
        #expect(error?.code == .unknownList)
        #expect(error?.alternatives == ["boats", "cars"])
    }

    @Test(arguments: Scenario.allCases)
    func anEmptyListIsNoProblem(_ scenario: Scenario) async throws {
        let scratch = try ScratchDirectory()
        let file = scratch.file("none.sqlite")
        try Connection(path: file, access: .create).run("CREATE TABLE cars (make TEXT)")
        let report = try await report(.brief(scenario, clients: 5, seconds: 0.1), file)
        #expect(report.totals.firstMismatches == [])
        #expect(report.totals.firstErrors == [])
    }
}
