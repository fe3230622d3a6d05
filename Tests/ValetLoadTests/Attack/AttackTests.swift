import NIOCore
import TestSupport
import Testing
import ValetCommands
import ValetModel
import ValetProtocol

@testable import ValetLoad

@Suite(.serialized) struct AttackTests {
    @Test(arguments: Attack.allCases)
    func whatIsSentHasTheRightForm(_ attack: Attack) throws {
        let list = ListDescription(
            name: "cars", title: "Cars", columns: [ColumnDescription(name: "note", type: .text)],
            titleColumn: 0, groupings: [], scopes: [], cell: .columns)
        var frames = AttackFrames(
            attack, on: list, rows: 10, numbers: SeededNumbers(seed: runSeed, index: 0))
        frames.writer = WriterID(high: 0, low: 7)
        var bytes = ByteBuffer()
        for _ in 0..<200 { frames.write(into: &bytes) }
        var count = 0
        while let frame = try Frame(takingFrom: &bytes, payloadLimit: Limits.bytesPerClientFrame) {
            _ = try ClientMessage(frame: frame)
            count += 1
        }
        let expected = [Attack.hellos: 0, .deaf: 2][attack] ?? 200
        #expect(count == expected)
    }

    @Test(arguments: Attack.allCases)
    func peopleAreAnsweredBesideIt(_ attack: Attack) async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        var plan = AttackPlan()
        (plan.attacks, plan.people, plan.connections) = ([attack], 2, 2)
        (plan.rate, plan.flood, plan.seconds, plan.rounds) = (40, 500, 0.5, 1)
        let report = await Result {
            try await AttackRun(plan: plan, address: ServerAddress(port: server.port)).run()
        }
        await server.stop()
        let result = try #require(try report.get().results.first)
        #expect(result.firstWrong == [])
        #expect(result.frames > 0)
        #expect(result.calm.count > 0 && result.attacked.count > 0)
        #expect(result.attack == attack && result.ratio != nil)
    }

    @Test func othersEditInAllMeasurements() async throws {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file)
        var plan = AttackPlan()
        (plan.attacks, plan.people, plan.connections) = ([.deaf], 2, 2)
        (plan.rate, plan.edits, plan.seconds, plan.rounds) = (40, 200, 0.5, 1)
        let report = await Result {
            try await AttackRun(plan: plan, address: ServerAddress(port: server.port)).run()
        }
        await server.stop()
        #expect(try report.get().edits ?? 0 > 0)
        #expect(try report.get().table().contains(" edits/s, 2 connections of an attacker"))
        #expect(try report.get().results.first?.firstWrong == [])
    }

    /// Its first connection is slow with its hello, and the next one with a frame.
    @Test(.timeLimit(.minutes(5))) func whoeverIsSlowIsCutOffBeforeTheWelcomeAndAfterIt()
        async throws
    {
        let fleet = try SmallFleet()
        let server = try await TestServer(fleet.file) {
            ($0.timeouts.hello, $0.timeouts.frame) = (.seconds(1), .seconds(1))
        }
        let other = try await ServerAddress(port: server.port).connect(as: .max, high: 1)
        let list = try await other.list(named: nil)
        var plan = AttackPlan()
        plan.connections = 1
        let attackers = Attackers(
            .slow, plan, at: ServerAddress(port: server.port), token: nil, on: list, rows: 1)
        try await attackers.attacking {
            // Others are served meanwhile.
            while attackers.counts.cutOff.load(ordering: .relaxed) < 2 {
                _ = try await other.list(named: nil)
            }
        }
        // The hello, and the ping after another one.
        #expect(attackers.counts.frames.load(ordering: .relaxed) >= 2)
        #expect(attackers.counts.refused.load(ordering: .relaxed) >= 2, "it is told why")
        await other.close()
        await server.stop()
    }

    @Test func aTableNamesTheRatioAndWhetherItIsKept() {
        var report = AttackReport(plan: AttackPlan())
        var result = AttackReport.Result(attack: .pings)
        (result.ratios, result.frames, result.seconds) = ([9, 1.1, 1.2], 5_000, 2)
        report.results = [result]
        let lines = report.table().split(separator: "\n")
        #expect(lines.last?.hasPrefix("pings") == true)
        #expect(lines.last?.contains("2,500") == true)
        #expect(lines.last?.hasSuffix("  yes") == true && lines.last?.contains("1.20") == true)
        #expect(report.status == .ok)
        report.results[0].wrong = 1
        #expect(report.status == .failed)
    }
}
