import Testing
import ValetModel

@testable import ValetCluster

@Suite struct PresenceReportTests {
    private func report(_ entries: [PresenceReport.Entry]) -> PresenceReport {
        PresenceReport(node: "ä", incarnation: .max, entries: entries)
    }

    private func entry(
        _ connection: UInt32, _ station: String = "ana", row: Int64? = nil,
        _ activity: Presence.Activity = .looks
    ) -> PresenceReport.Entry {
        let presence = Presence(list: "cars", rowID: row, activity: activity)
        return PresenceReport.Entry(
            connection: connection,
            guest: StationPresence(connection: connection, station: station, presence: presence))
    }

    @Test func reportsAreReadAsTheyWereWritten() {
        let gone = PresenceReport.Entry(connection: .max, guest: nil)
        let many = (0..<UInt32(PresenceReport.mostEntries)).map { entry($0) }
        for entries in [
            [], [gone], [entry(0), gone], [entry(1, "", row: .min, .edits)], many,
        ] {
            let report = report(entries)
            #expect(PresenceReport(report.bytes) == report)
            #expect(NodeNews(NodeNews.presence(report).bytes) == .presence(report))
        }
    }

    @Test func whatIsMalformedIsNoReport() {
        let whole = report([entry(1, row: 5), entry(2)]).bytes
        for count in whole.indices { #expect(PresenceReport(Array(whole.prefix(count))) == nil) }
        #expect(PresenceReport(whole + [0]) == nil)
        let many = (0...UInt32(PresenceReport.mostEntries)).map { entry($0) }
        #expect(PresenceReport(report(many).bytes) == nil)
        // What each byte may be, and nothing that traps.
        for place in whole.indices {
            for byte: UInt8 in [0, 1, 2, 0x7F, 0xFF] {
                var odd = whole
                odd[place] = byte
                let read = PresenceReport(odd)
                #expect(read.map { $0.bytes == odd } ?? true, "byte \(place)")
            }
        }
        let long = entry(1, String(repeating: "x", count: 5_000))
        let cut = PresenceReport(report([long]).bytes)?.entries[0].guest?.station
        #expect(cut?.utf8.count == Limits.bytesPerName)
    }
}
