import TestSupport
import Testing
import ValetCluster
import ValetModel

@testable import ValetClient
@testable import ValetServer

/// What those who run a cluster see of it, and tell it, with three servers and a log in memory.
@Suite(.serialized, .offThePool) struct ClusterOperatorTests {
    private static let cars = """
        CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT);
        INSERT INTO cars (make) VALUES ('VW'), ('Kia');
        """

    @Test func allNodesAreSeenFromOutsideAndByEachOther() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        await nodes.settle()
        let survey = ClusterOperator(nodes.log.connection()).survey()
        #expect(survey.nodes.map(\.name) == ServedNodes.names)
        #expect(survey.leader?.name == leader.name)
        #expect(survey.nodes.allSatisfy { $0.role == .leading || $0.role == .following })
        #expect(Set(survey.nodes.map(\.catalog)).count == 1)
        let ends = try #require(survey.log.ends)
        #expect(ends.last == leader.status?.place)

        let station = try await nodes.station(1, at: leader.name)
        let statistics = try await #require(station.connection).statistics()
        #expect(statistics[.nodeLeads] == 1 && statistics[.nodesInService] == 3)
        #expect(statistics[.clusterPlace] == Int(ends.last) && statistics[.clusterLag] == 0)
        #expect(statistics[.clusterEpoch].map { $0 > 0 } == true)
        await station.close()
        await nodes.stop()
    }

    @Test func anotherNodeLeadsAfterOneHasSteppedDown() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        await nodes.settle()
        let epoch = first.status?.epoch ?? 0
        #expect(try ClusterOperator(nodes.log.connection()).stepDown() == first.name)
        let next = await nodes.wait {
            nodes.all.first { $0.status?.role == .leading(nil) && ($0.status?.epoch ?? 0) > epoch }
        }
        #expect(next.name != first.name)
        let station = try await nodes.station(1, at: first.name)
        let list = try await #require(station.connection).catalog().catalog.list(named: "cars")
        let outcome = try await station.submit(
            .update([RowEdit(1, 1, .text("Opel"), seen: .cell(.text("VW")))]), list: list)
        #expect(outcome.verdict == .applied(rowIDs: [1]))
        await station.close()
        await nodes.stop()
    }

    @Test func whoCannotStepDownSaysWhy() throws {
        let log = MemoryLog()
        let alone = #expect(throws: ValetError.self) {
            try ClusterOperator(log.connection()).stepDown()
        }
        #expect(alone?.code == .busy)
    }

    /// The leader forgets what two files have, as soon as more than half of the room is taken.
    @Test func theLeaderPurgesTheLog() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        let station = try await nodes.station(1, at: leader.name)
        let list = try await #require(station.connection).catalog().catalog.list(named: "cars")
        for number in 1...20 {
            _ = try await station.submit(
                .insert([[ColumnValue(column: 1, value: .text("new \(number)"))]]), list: list)
        }
        await nodes.settle()
        let operating = ClusterOperator(nodes.log.connection())
        #expect(try operating.purge() == nil, "there is room")
        let before = try #require(operating.survey().log.ends)
        nodes.log.setRoom(Int(before.bytes), keepsAll: true)
        let refusal = #expect(throws: ValetError.self) { try operating.purge() }
        #expect(refusal?.code == .notAllowed)
        nodes.log.setRoom(Int(before.bytes))
        let kept = try #require(try operating.purge())
        #expect(kept == before.first + (before.last - before.first) / 2)
        let after = try #require(operating.survey().log.ends)
        #expect(after.first == kept && after.last == before.last && after.bytes < before.bytes)
        await station.close()
        await nodes.stop()
    }

    /// The node that was started later leaves: the other one goes on.
    @Test func ofTwoNodesOfOneNameTheLaterOneLeaves() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let first = await nodes.leader()
        await nodes.settle()
        let earlier = NodeReport(
            name: first.name, incarnation: 1, role: .following, reason: "", epoch: 0, place: 0,
            catalog: 0, version: "0.1")
        let log = nodes.log.connection()
        for _ in 0..<3 { log.say(.report(earlier)) }
        let reason = await nodes.wait {
            if case .outOfService(let reason)? = first.status?.role { reason } else { nil }
        }
        #expect(reason.contains("“\(first.name)”") && reason.contains("--name"))
        let next = await nodes.wait {
            nodes.all.first { $0.name != first.name && $0.status?.role == .leading(nil) }
        }
        #expect(next.status?.epoch != 1)
        await nodes.stop()
    }

    @Test func aLogThatIsLostIsSaidToBe() async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        await nodes.settle()
        nodes.log.lose()
        #expect(ClusterOperator(nodes.log.connection()).survey().log == .missing)
        // A leader finds it with its next batch.
        for node in nodes.all where node.name != leader.name {
            let reason = await nodes.wait {
                if case .outOfService(let reason)? = node.status?.role { reason } else { nil }
            }
            #expect(reason.contains("cluster recover"), "\(node.name)")
            #expect(try #require(node.status).place > 0)
        }
        await nodes.stop()
    }
}
