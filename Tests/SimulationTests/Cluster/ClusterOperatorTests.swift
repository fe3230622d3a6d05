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
        let operating = ClusterOperator(nodes.log.connection())
        var survey = operating.survey()
        while survey.nodes.count < 3 || survey.leader == nil { survey = operating.survey() }
        #expect(survey.nodes.map(\.name) == ServedNodes.names)
        #expect(survey.nodes.allSatisfy { $0.role != .outOfService })
        #expect(Set(survey.nodes.map(\.catalog)).count == 1)
        let ends = try #require(survey.log.ends)
        #expect(ends.first == 1 && ends.last > 0)

        let station = try await nodes.station(1, at: leader.name)
        let statistics = try await #require(station.connection).statistics()
        #expect(try #require(statistics[.clusterPlace]) > 0 && statistics[.nodeOutOfService] == 0)
        #expect(try #require(statistics[.clusterEpoch]) > 0)
        await station.close()
        await nodes.stop()
    }

    @Test func anotherNodeLeadsAfterOneHasSteppedDown() async throws {
        let nodes = try await ServedNodes(Self.cars)
        var first = await nodes.leader()
        await nodes.settle()
        let operating = ClusterOperator(nodes.log.connection())
        var next = first
        // On a machine that stands still for long, the same one may be the next.
        while next.name == first.name {
            let epoch = first.status?.epoch ?? 0
            guard (try? operating.stepDown()) != nil else { continue }
            next = await nodes.wait {
                nodes.all.first {
                    $0.status?.role == .leading(nil) && ($0.status?.epoch ?? 0) > epoch
                }
            }
            if next.name == first.name { first = next }
        }
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

    @Test func whatTwoFilesHaveIsPurged() throws {
        let log = MemoryLog()
        let connection = log.connection()
        let operating = ClusterOperator(connection)
        for place in UInt64(0)..<20 {
            connection.publish([UInt8](repeating: 1, count: 10), after: place)
        }
        let nodes = [("ana", 20), ("bob", 20), ("cyd", 3)].map { name, place in
            NodeReport(
                name: name, incarnation: 1, role: .following, reason: "", epoch: 1,
                place: UInt64(place), catalog: 1, version: "0.1")
        }
        func purge(_ nodes: ArraySlice<NodeReport>) throws -> UInt64? {
            try operating.purge(ClusterOperator.Survey(log: connection.ends(), nodes: Array(nodes)))
        }
        #expect(try purge(nodes[...]) == nil, "there is room")
        log.setRoom(200, keepsAll: true)
        let refusal = #expect(throws: ValetError.self) { try purge(nodes[...]) }
        #expect(refusal?.code == .notAllowed)
        log.setRoom(200)
        #expect(try purge(nodes.prefix(1)) == nil, "one alone has it")
        var out = nodes
        out[1].role = .outOfService
        #expect(try purge(out[...]) == 3, "one is out of service")
        #expect(try purge(nodes[...]) == 11)
        let after = try #require(connection.ends().ends)
        #expect(after.first == 11 && after.last == 20 && after.bytes == 100)
        connection.cut(true)
        #expect(throws: ValetError.self) { try purge(nodes[...]) }
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

    @Test(arguments: [true, false])
    func aLogThatIsLostIsSaidToBe(isMissing: Bool) async throws {
        let nodes = try await ServedNodes(Self.cars)
        let leader = await nodes.leader()
        await nodes.settle()
        isMissing ? nodes.log.lose() : nodes.log.lose(1)
        #expect((nodes.log.connection().ends() == .missing) == isMissing)
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
