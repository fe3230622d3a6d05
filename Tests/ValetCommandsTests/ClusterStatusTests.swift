import Testing
import ValetCluster
import ValetModel
import ValetServer

@testable import ValetCommands

@Suite struct ClusterStatusTests {
    private func node(
        _ name: String, _ role: NodeReport.Role, place: UInt64 = 8, epoch: UInt64 = 2,
        catalog: UInt64 = 1
    ) -> NodeReport {
        NodeReport(
            name: name, incarnation: 1, role: role,
            reason: role == .outOfService ? "its disk is full" : "", epoch: epoch, place: place,
            catalog: catalog, version: "0.1")
    }

    private func status(
        _ log: LogLook, _ nodes: NodeReport..., place: UInt64 = 8
    ) -> ClusterStatus {
        ClusterStatus(
            survey: ClusterOperator.Survey(log: log, nodes: nodes), file: "a.sqlite", place: place)
    }

    private func ends(_ last: UInt64, bytes: UInt64 = 5, of most: UInt64 = 10) -> LogLook {
        .ends(
            LogEnds(
                first: 1, last: last, bytes: bytes, mostBytes: most, copies: 3, wholeCopies: 2))
    }

    private func words(_ status: ClusterStatus) -> [String] {
        status.records.map { $0.map(\.value.plainText).joined(separator: " ") }
    }

    @Test func eachNodeHasItsLine() {
        let status = status(
            ends(9), node("ana", .leading, place: 9), node("bob", .following, catalog: 5),
            node("cyd", .outOfService, place: 3))
        #expect(
            words(status) == [
                "log  2 of 3 copies whole, 50 % of its room 9   ",
                "file a.sqlite  8 1  ",
                "node ana leads 9 0 2 0.1",
                "node bob follows, another catalog than the leader's 8 1 2 0.1",
                "node cyd out of service: its disk is full 3 6 2 0.1",
            ])
        #expect(status.trouble == nil)
    }

    /// What servers and nodes say may be anything.
    @Test func numbersFromOutsideDoNotTrap() {
        let most = node("ana", .leading, place: .max, epoch: .max)
        for bytes in [0, .max] as [UInt64] {
            for room in [0, 1, .max] as [UInt64] {
                let status = status(ends(.max, bytes: bytes, of: room), most, place: 0)
                #expect(words(status).count == 3)
            }
        }
        #expect(words(status(ends(0), most, place: .max)).count == 3)
    }

    @Test func whoWasReplacedIsNotTheLeader() {
        let survey = ClusterOperator.Survey(
            log: .failed, nodes: [node("ana", .leading), node("bob", .leading, epoch: 3)])
        #expect(survey.leader?.name == "bob")
    }

    @Test func troubleIsSaid() {
        #expect(status(.missing, node("ana", .leading)).trouble?.contains("recover") == true)
        #expect(status(ends(7), node("ana", .leading)).trouble?.contains("recover") == true)
        #expect(status(ends(8), node("ana", .following)).trouble == "no node says that it leads")
        #expect(status(.failed, node("ana", .leading)).trouble == nil)
        #expect(words(status(.failed))[0].contains("don't answer"))
    }

    @Test func aLogThatIsThereIsNotReplaced() {
        for force in [false, true] {
            #expect(status(.missing).whyNotToRecover(force: force) == nil)
            #expect(status(ends(7)).whyNotToRecover(force: force) == nil)
            let out = status(.missing, node("cyd", .outOfService))
            #expect(out.whyNotToRecover(force: force) == nil)
            let served = status(.missing, node("bob", .following))
            #expect(served.whyNotToRecover(force: force)?.contains("“bob”") == true)
        }
        for log in [ends(8), .failed] {
            #expect(status(log).whyNotToRecover(force: false)?.contains("--force") == true)
            #expect(status(log).whyNotToRecover(force: true) == nil)
        }
    }
}
