import Testing
import ValetClient
import ValetModel
import ValetTerminal

@testable import ValetCommands

/// Nobody takes events while the terminal does not read.
@Suite struct EventQueueTests {
    private let queue = EventQueue {}

    private func window(_ revision: UInt64) -> AppEvent {
        .windowChanged(
            Window(
                generation: 1, revision: revision, totalRows: 0, totalSections: 0, anchor: 0,
                anchorRow: 0, first: 0, rows: [], runs: []))
    }

    @Test func onlyTheNewestStateIsKept() {
        queue.add(.linkedLoaded(list: "cars", rowID: 1, nil))
        for round in 0..<1_000 {
            queue.add(.window(number: 1, window(UInt64(round))))
            queue.add(.window(number: 2, window(UInt64(round))))
            queue.add(.viewBuilding(generation: 1, thousandths: round))
            queue.add(.roundTrip(milliseconds: round))
            queue.add(.othersChanged([]))
        }
        queue.add(.linkedLoaded(list: "cars", rowID: 2, nil))
        let events = queue.takeAll()
        #expect(events.count == 7, "and all answers")
        let revisions = events.compactMap { event -> UInt64? in
            guard case .window(_, .windowChanged(let window)) = event else { return nil }
            return window.revision
        }
        #expect(revisions == [999, 999])
        guard case .app(.linkedLoaded(_, 1, _))? = events.first,
            case .app(.linkedLoaded(_, 2, _))? = events.last
        else {
            Issue.record("answers have lost their order")
            return
        }
        #expect(queue.takeAll().isEmpty)
    }
}
