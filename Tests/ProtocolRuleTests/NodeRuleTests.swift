import TestSupport
import Testing
import ValetServer

/// Rule 255: what a server says of itself that is a node of a cluster.
@Suite(.serialized, .offThePool) struct NodeRuleTests {
    private enum Condition: Equatable {
        case current
        case behind(Int)
        case outOfService(String)
    }

    private func condition(_ client: RuleClient) throws -> Condition {
        let frame = try client.expect(0xA6)
        #expect(frame.stream == 0)
        var fields = frame.fields
        #expect(try fields.text() == "bo")
        let condition: Condition =
            switch try fields.byte() {
            case 0: .current
            case 1: .behind(try fields.count())
            case 2: .outOfService(try fields.text())
            case let other: throw Unexpected("condition \(other)")
            }
        try fields.end()
        return condition
    }

    @Test func p255ANodeSaysHowItIs() async throws {
        let folder = TemporaryFolder()
        let path = try folder.database("CREATE TABLE cars (make TEXT)")
        try MemoryLog.join(path)
        let log = MemoryLog()
        let (node, other) = (log.connection(), log.connection())
        // Without credit, too.
        try await serve(path, credit: 0, in: folder) {
            $0.membership = ClusterMembership(name: "bo", log: node)
        } _: { client, _ in
            #expect(try condition(client) == .current)
            // It never gets what it hears of.
            other.claimsToLead(at: 100)
            node.cut(true)
            #expect(try condition(client) == .behind(2))
            #expect(try condition(client) == .behind(3))
            let late = try client.another(credit: 0)
            guard case .behind(let seconds) = try condition(late) else {
                throw Unexpected("it is not behind")
            }
            #expect(seconds >= 3)
            // A message of a version to come.
            let place = UInt64(log.messages.count)
            other.publish(Array("valet".utf8) + [2, 2] + [0, 0, 0, 0, 0, 0, 0, 5], after: place)
            node.cut(false)
            for client in [client, late] {
                var newest = try condition(client)
                while case .behind = newest { newest = try condition(client) }
                guard case .outOfService(let reason) = newest else {
                    throw Unexpected("it is \(newest)")
                }
                #expect(reason.contains("version 2"))
            }
        }
    }

    @Test func p255AServerOfNoClusterSaysNothing() async throws {
        try await serveCars(10) { client in
            client.send(0x19, u64(7))
            let next = try client.next()
            #expect(next?.kind == 0x97)
        }
    }
}
