import TestSupport
import Testing
import ValetCluster
import ValetModel

@testable import ValetServer

/// What a node does once a second and once in ten, with a log in memory.
@Suite struct NodeReporterTests {
    private let log = MemoryLog()
    private let kept = KeptLog()
    private let node: MemoryLog.Node
    private let reporter: NodeReporter
    private let heard = Heard()

    init() {
        node = log.connection()
        reporter = NodeReporter(
            ClusterMembership(name: "ana", log: node), incarnation: 7, catalog: 3,
            logger: kept.logger)
    }

    private func status(
        _ role: ClusterNode.Role = .following, place: UInt64 = 20, leaderPlace: UInt64 = 0
    ) -> NodeStatus {
        NodeStatus(role: role, leader: nil, epoch: 4, place: place, leaderPlace: leaderPlace)
    }

    private func report(_ name: String, _ incarnation: UInt64 = 1, place: UInt64) -> NodeReport {
        NodeReport(
            name: name, incarnation: incarnation, role: .following, reason: "", epoch: 4,
            place: place, catalog: 3, version: "0.1")
    }

    private func fill() {
        for place in UInt64(0)..<20 { node.publish([UInt8](repeating: 1, count: 10), after: place) }
    }

    @Test func itReportsOnceASecondAndLooksOnceInTen() {
        let other = log.connection()
        other.listen(
            as: "bob",
            hear: { [heard] news in
                if case .report(let report) = news { heard.reports.withLock { $0.append(report) } }
            }, asked: { _, answer in answer([]) })
        let out = ClusterNode.Role.outOfService("its disk is full")
        #expect(reporter.tick(status(), at: 0), "it looks at the log")
        for time in stride(from: Int64(50), to: 30_000, by: 50) {
            #expect(!reporter.tick(status(out), at: time), "one look at a time")
        }
        reporter.lookAtLog(status(out), at: 30_000)
        #expect(reporter.tick(status(out), at: 30_000))
        let reports = heard.reports.withLock(\.self)
        #expect(reports.count == 31 && reports[0].role == .following && reports[0].place == 20)
        #expect(reports.dropFirst().allSatisfy { $0.reason == "its disk is full" })
        #expect(reports.allSatisfy { $0.incarnation == 7 && $0.catalog == 3 })
    }

    /// What stations are told, once each time that it is another.
    @Test func itSaysHowItIsWhenThatChanges() {
        func told(_ status: NodeStatus, at now: Int64) -> ServingNode.Condition? {
            reporter.news(of: status, at: now)?.condition
        }
        func hear(place: UInt64, epoch: UInt64 = 4, at now: Int64) {
            let leadership = Leadership(epoch: epoch, node: "bob", incarnation: 1)
            reporter.heard(
                ClusterNode.Heartbeat(leadership: leadership, place: place), status(), at: now)
        }
        #expect(reporter.serving == nil)
        #expect(told(status(), at: 0) == .current && reporter.serving?.name == "ana")
        #expect(told(status(), at: 1_999) == nil)
        #expect(told(status(), at: 2_000) == .behind(seconds: 2))
        #expect(told(status(), at: 2_999) == nil)
        #expect(told(status(), at: 3_000) == .behind(seconds: 3))
        // Of a leader that was replaced.
        hear(place: 20, epoch: 3, at: 3_500)
        #expect(told(status(), at: 3_600) == nil)
        hear(place: 21, at: 3_700)
        #expect(told(status(place: 20), at: 3_800) == nil)
        #expect(told(status(place: 21), at: 3_900) == .current)
        #expect(told(status(.leading(nil)), at: 90_000) == nil)
        let out = status(.outOfService("its disk is full"))
        #expect(told(out, at: 90_050) == .outOfService(reason: "its disk is full"))
        #expect(told(out, at: 99_000) == nil)
        #expect(reporter.failed("why").condition == .outOfService(reason: "why"))
        #expect(reporter.serving?.condition == .outOfService(reason: "why"))
    }

    @Test func whoeverLeadsPurges() {
        fill()
        log.setRoom(200)
        _ = reporter.heard(report("bob", place: 8), at: 0)
        reporter.lookAtLog(status(), at: 0)
        #expect(node.ends().ends?.first == 1, "it does not lead")
        reporter.lookAtLog(status(.leading(nil)), at: 0)
        #expect(node.ends().ends?.first == 8)
        #expect(kept.values(of: "kept from") == ["8"])
    }

    /// Once, and again when there was room meanwhile.
    @Test func itSaysWhenTheRoomIsScarce() {
        fill()
        log.setRoom(200)
        for _ in 0..<3 { reporter.lookAtLog(status(.leading(nil)), at: 0) }
        #expect(kept.values(of: "reason") == ["no two nodes have what could be purged"])
        log.setRoom(1_000, keepsAll: true)
        reporter.lookAtLog(status(.leading(nil)), at: 0)
        log.setRoom(200, keepsAll: true)
        _ = reporter.heard(report("bob", place: 20), at: 0)
        reporter.lookAtLog(status(.leading(nil)), at: 0)
        #expect(kept.values(of: "reason").last == "this node may not purge it")
        #expect(kept.values(of: "reason").count == 2)
    }

    @Test func statisticsSayHowTheNodeIs() {
        fill()
        _ = reporter.heard(report("bob", place: 8), at: 0)
        reporter.lookAtLog(status(), at: 0)
        let follows = reporter.statistics(status(leaderPlace: 23), elected: nil, at: 0)
        #expect(follows[.nodeLeads] == 0 && follows[.clusterLag] == 3)
        #expect(follows[.nodesInService] == 2 && follows[.clusterPlace] == 20)
        #expect(follows[.clusterLogBytes] == 200 && follows[.lastElectionSeconds] == nil)
        let leads = reporter.statistics(
            status(.leading(nil), leaderPlace: 3), elected: 1_000, at: 4_999)
        #expect(leads[.nodeLeads] == 1 && leads[.clusterLag] == 0)
        #expect(leads[.lastElectionSeconds] == 3)
        node.cut(true)
        reporter.lookAtLog(status(), at: 0)
        let late = reporter.statistics(
            status(.outOfService("why"), place: .max, leaderPlace: .max), elected: nil, at: 9_000)
        #expect(late[.nodeOutOfService] == 1 && late[.nodesInService] == 0)
        #expect(late[.clusterLogBytes] == nil && late[.clusterPlace] == Int.max)
    }

    @Test func anotherOfItsNameIsAReasonToLeave() {
        for _ in 0..<2 { #expect(reporter.heard(report("ana", place: 1), at: 0) == nil) }
        #expect(reporter.heard(report("ana", place: 1), at: 0)?.contains("--name") == true)
    }
}

private final class Heard: Sendable {
    let reports = Mutex<[NodeReport]>([])
}
