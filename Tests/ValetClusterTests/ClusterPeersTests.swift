import Testing
import ValetModel

@testable import ValetCluster

private func report(
    _ name: String, _ incarnation: UInt64 = 5, reason: String = "", place: UInt64 = 9
) -> NodeReport {
    NodeReport(
        name: name, incarnation: incarnation, role: reason.isEmpty ? .leading : .outOfService,
        reason: reason, epoch: 3, place: place, catalog: 77, version: "0.1")
}

@Suite struct NodeNewsTests {
    @Test func newsAreReadAsTheyWereWritten() {
        let heartbeat = ClusterNode.Heartbeat(
            leadership: Leadership(epoch: 4, node: "ana", incarnation: 8), place: 12)
        for news in [
            NodeNews.heartbeat(heartbeat), .report(report("ana")),
            .report(report("ä", reason: "its disk is full")),
        ] {
            #expect(NodeNews(news.bytes) == news)
        }
        let whole = NodeNews.report(report("ana")).bytes
        for count in whole.indices { #expect(NodeNews(Array(whole.prefix(count))) == nil) }
    }

    @Test func whatIsMalformedIsNoReport() {
        let whole = report("ana").bytes
        #expect(NodeReport(whole + [0]) == nil && NodeReport([4] + whole.dropFirst()) == nil)
        #expect(NodeReport(report("").bytes) == nil)
        let most = Leadership.mostNameBytes
        #expect(NodeReport(report(String(repeating: "n", count: most + 1)).bytes) == nil)
        var odd = whole
        odd[1 + 4 * 8 + 2] = 0xFF
        #expect(NodeReport(odd) == nil, "no UTF-8")
        var long = whole
        (long[33], long[34]) = (0xFF, 0xFF)
        #expect(NodeReport(long) == nil && NodeNews([]) == nil && NodeNews([5] + whole) == nil)
        // A reason may be of any length where it comes from.
        let reason = String(repeating: "why ", count: 500)
        #expect(NodeReport(report("ana", reason: reason).bytes)?.reason.utf8.count == 512)
    }
}

@Suite struct ClusterPeersTests {
    private var peers = ClusterPeers()

    @Test mutating func whoIsSilentIsNotThere() {
        #expect(peers.hear(report("bo"), as: "ana", 1, at: 0) == false)
        #expect(peers.hear(report("cy", place: 4), as: "ana", 1, at: 3_000) == false)
        #expect(peers.reports(at: 4_000).map(\.name) == ["bo", "cy"])
        #expect(peers.hear(report("cy", place: 5), as: "ana", 1, at: 4_900) == false)
        #expect(peers.reports(at: 5_000) == [report("cy", place: 5)])
    }

    @Test mutating func anyNumberOfNamesIsNotKept() {
        for number in 0..<2 * ClusterPeers.most {
            #expect(peers.hear(report("node \(number)"), as: "ana", 1, at: 0) == false)
        }
        #expect(peers.reports(at: 0).count == ClusterPeers.most)
        #expect(peers.hear(report("late"), as: "ana", 1, at: 6_000) == false)
        #expect(peers.reports(at: 6_000).map(\.name) == ["late"])
    }

    /// The one that was there first stays. What a process has said before it ended may come late.
    @Test mutating func ofTwoNodesOfOneNameTheLaterOneLeaves() {
        for time in 0..<9 {
            #expect(peers.hear(report("ana", 5), as: "ana", 5, at: Int64(time)) == false)
        }
        for time in 0..<9 {
            #expect(peers.hear(report("ana", 6), as: "ana", 5, at: Int64(time)) == false)
        }
        #expect(peers.hear(report("ana", 4), as: "ana", 5, at: 10) == false)
        #expect(peers.hear(report("ana", 4), as: "ana", 5, at: 11) == false)
        #expect(peers.hear(report("ana", 4), as: "ana", 5, at: 12) == true)
        #expect(peers.reports(at: 12) == [])
    }
}

@Suite struct LogEndsTests {
    private func kept(_ places: UInt64..., first: UInt64 = 1, bytes: UInt64 = 60) -> UInt64? {
        LogEnds(
            first: first, last: 1_000, bytes: bytes, mostBytes: 100, copies: 3, wholeCopies: 3
        ).keptAfterPurge(places)
    }

    @Test func theLogKeepsHalfAndWhatOnlyOneFileHas() {
        #expect(kept(1_000, 1_000, 1_000) == 500)
        #expect(kept(1_000, 400, 20) == 400, "two have it")
        #expect(kept(20, 400, 1_000) == 400, "in any order")
        #expect(kept(1_000) == nil && kept() == nil, "one alone may be lost")
        #expect(kept(1_000, 0) == nil && kept(1_000, 300, first: 300) == nil)
        #expect(kept(1_000, 1_000, bytes: 50) == nil, "there is room")
        #expect(kept(.max, .max, first: 1_000) == nil && kept(.max, .max, first: 999) == nil)
        #expect(kept(.max, .max, first: 0) == 500)
        let none = LogEnds(
            first: 11, last: 10, bytes: 9, mostBytes: 0, copies: 1, wholeCopies: 1)
        #expect(none.keptAfterPurge([10, 10]) == nil)
    }
}
