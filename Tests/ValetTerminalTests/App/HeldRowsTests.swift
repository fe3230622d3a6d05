import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

@Suite struct HeldRowsTests {
    private func window(_ first: Int, revision: UInt64, isComplete: Bool = true) -> Window {
        let rows = (first..<first + 10).map { ordinal -> Row? in
            guard isComplete else { return nil }
            return Row(id: Int64(ordinal), cells: [.integer(Int64(revision))])
        }
        return Window(
            generation: 1, revision: revision, totalRows: 100, totalSections: 1, anchor: first,
            first: first, rows: rows, runs: [])
    }

    /// A row's number means another row in another revision.
    @Test func rowsOfAnEarlierRevisionGoWhenTheNewerWindowIsWhole() {
        var held = HeldRows()
        held.take(window(0, revision: 1))
        held.take(window(10, revision: 1))
        #expect(held.row(at: 5)?.isStale == true, "seen before, and shown dimmed")
        held.take(window(10, revision: 2, isComplete: false))
        #expect(held.row(at: 5)?.row.cells == [.integer(1)])
        #expect(held.row(at: 12)?.isStale == true, "it stands in for what is not here yet")
        held.take(window(10, revision: 2))
        #expect(held.row(at: 5) == nil)
        #expect(held.row(at: 12)?.row.cells == [.integer(2)])
        held.take(window(20, revision: 2))
        #expect(held.row(at: 12)?.row.cells == [.integer(2)])
    }
}
