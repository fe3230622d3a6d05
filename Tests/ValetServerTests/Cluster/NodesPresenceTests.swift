import Testing
import ValetCluster
import ValetModel

@testable import ValetServer

/// Who is where at the nodes of a cluster, without nodes.
@Suite struct NodesPresenceTests {
    private var ana = NodesPresence(of: "ana", 5)
    private var bo = NodesPresence(of: "bo", 7)

    private func at(_ connection: UInt32, row: Int64? = nil) -> StationPresence {
        StationPresence(
            connection: connection, station: "station \(connection)",
            presence: Presence(list: "cars", rowID: row))
    }

    /// What ana tells bo.
    private mutating func exchange(at now: Int64) -> [UInt32: StationPresence?] {
        let news = ana.reports(at: now).flatMap { bo.heard($0, at: now) }
        return Dictionary(news.map { ($0.number, $0.presence) }) { $1 }
    }

    @Test mutating func whoMovesAtOneNodeMovesAtTheOther() {
        ana.moved(1, at(1))
        ana.moved(2, at(2))
        let first = exchange(at: 0)
        #expect(Set(first.values) == [at(1), at(2)])
        #expect(first.keys.allSatisfy { $0 > 1 << 31 }, "apart from bo's own")
        ana.moved(2, at(2, row: 7))
        #expect(exchange(at: 50).isEmpty, "ten times a second")
        let second = exchange(at: 100)
        #expect(Array(second.values) == [at(2, row: 7)])
        #expect(first[second.keys.first ?? 0] == at(2), "under the same number")
        ana.moved(2, nil)
        #expect(exchange(at: 200) == [second.keys.first ?? 0: nil])
        ana.moved(3, nil)
        #expect(exchange(at: 300).isEmpty && bo.heard(report(of: bo, 7), at: 300).isEmpty)
    }

    private func report(of node: NodesPresence, _ incarnation: UInt64) -> PresenceReport {
        PresenceReport(
            node: "bo", incarnation: incarnation,
            entries: [PresenceReport.Entry(connection: 1, guest: at(1))])
    }

    /// Words may be lost.
    @Test mutating func allIsToldAgainAndWhoIsSilentIsGone() {
        ana.moved(1, at(1))
        _ = ana.reports(at: 0)
        #expect(exchange(at: 1_900).isEmpty)
        let number = exchange(at: 2_000).keys.first
        #expect(number != nil)
        #expect(exchange(at: 4_000).isEmpty, "it is no news")
        #expect(bo.gone(at: 9_999).isEmpty)
        // It has left, and nobody has heard that.
        ana.moved(1, nil)
        _ = ana.reports(at: 4_100)
        #expect(bo.gone(at: 10_000).map(\.number) == [number])
        #expect(bo.gone(at: 10_000).isEmpty)
    }

    @Test mutating func aNodeThatStopsTakesItsStationsAlong() {
        for connection in UInt32(0)..<300 { ana.moved(connection, at(connection)) }
        #expect(exchange(at: 0).count == 300)
        let last = ana.end()
        #expect(last.map(\.entries.count) == [128, 128, 44])
        #expect(last.flatMap { bo.heard($0, at: 10) }.count == 300 && ana.end().isEmpty)
        #expect(bo.gone(at: 60_000).isEmpty)
    }

    /// What a process has said before it ended may come late.
    @Test mutating func aNodeThatIsStartedAgainHasNewStations() {
        ana.moved(1, at(1))
        let old = exchange(at: 0).keys.first
        var again = NodesPresence(of: "ana", 6)
        again.moved(1, at(1))
        let news = again.reports(at: 0).flatMap { bo.heard($0, at: 100) }
        #expect(news.count == 2 && news[0].number == old && news[0].presence == nil)
        #expect(news[1].number != old && news[1].presence == at(1))
        #expect(exchange(at: 4_000).isEmpty, "of the earlier process")
    }

    @Test mutating func soManyAreKept() {
        let most = Limits.guestsOfOtherNodes
        for connection in 0..<UInt32(most + 10) { ana.moved(connection, at(connection)) }
        #expect(exchange(at: 0).count == most)
        ana.moved(0, nil)
        #expect(exchange(at: 200).count == 1)
        #expect(exchange(at: 4_000).count == 1, "there is room for one")
    }
}
