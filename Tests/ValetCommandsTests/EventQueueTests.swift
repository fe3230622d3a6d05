import Testing
import ValetClient
import ValetModel
import ValetTerminal

@testable import ValetCommands

/// Nobody takes events while the terminal does not read.
@Suite struct EventQueueTests {
    private let queue = EventQueue {}

    private func window(_ revision: UInt64) -> Reply {
        .window(
            Window(
                generation: 1, revision: revision, totalRows: 0, totalSections: 0, anchor: 0,
                anchorRow: 0, first: 0, rows: [], runs: []))
    }

    private func add(_ token: UInt64, _ reply: Reply) {
        queue.add(.answer(CallToken(number: token), .success(reply)))
    }

    @Test func onlyTheNewestStateIsKept() {
        add(1, .cells([]))
        for round in 0..<1_000 {
            add(2, window(UInt64(round)))
            add(3, window(UInt64(round)))
            add(4, .building(thousandths: round))
            queue.add(.roundTrip(milliseconds: round))
            queue.add(.othersChanged([]))
        }
        add(5, .cells([]))
        let events = queue.takeAll()
        #expect(events.count == 7, "and all answers")
        let revisions = events.compactMap { event -> UInt64? in
            guard case .app(.answer(_, .success(.window(let window)))) = event else { return nil }
            return window.revision
        }
        #expect(revisions == [999, 999])
        let ends = [events.first, events.last].compactMap { event -> UInt64? in
            guard case .app(.answer(let token, .success(.cells)))? = event else { return nil }
            return token.number
        }
        #expect(ends == [1, 5], "answers keep their order")
        #expect(queue.takeAll().isEmpty)
    }
}
