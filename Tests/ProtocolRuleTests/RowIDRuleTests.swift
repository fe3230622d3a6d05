import Testing
import ValetClient
import ValetModel

@testable import ValetTerminal

/// Rule 233: what the terminal does with row ids that mean a row in one revision alone.
@Suite struct RowIDRuleTests {
    private let names = ["Audi", "BMW", "Citroën"]

    private static func list(_ rowIDs: RowIDLifetime) -> ListDescription {
        var list = ListDescription(
            name: "dear", title: "Dear", columns: [ColumnDescription(name: "make", type: .text)],
            titleColumn: 0,
            groupings: [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)],
            scopes: [], cell: .columns)
        list.rowIDs = rowIDs
        return list
    }

    private func window(_ revision: UInt64, generation: UInt32) -> Window {
        let rows = names.enumerated().map { Row(id: Int64($0 + 1), cells: [.text($1)]) }
        return Window(
            generation: generation, revision: revision, totalRows: 3, totalSections: 1, anchor: 0,
            first: 0, rows: rows,
            runs: [SectionRun(section: 0, title: "", first: 0, count: 3)])
    }

    /// An application that shows the list: its first row is selected, the cursor is on the second.
    private func app(_ rowIDs: RowIDLifetime) throws -> (app: App, generation: UInt32) {
        var app = App(options: AppOptions(), size: .standard)
        var actions: [AppAction] = []
        for event in [
            .connecting, .connected,
            .catalogLoaded(Catalog(lists: [Self.list(rowIDs)]), rowCounts: [3]),
        ] as [AppEvent] {
            actions += app.handle(event)
        }
        let opened = actions.compactMap { action -> UInt32? in
            if case .openView(_, _, let generation, _) = action { generation } else { nil }
        }
        let generation = try #require(opened.last)
        let summary = ViewSummary(
            generation: generation, epoch: 7, revision: 1, totalRows: 3, totalSections: 1,
            grouping: "None", groupingColumn: nil, isSectioned: false, hasIndex: false,
            columns: [0])
        _ = app.handle(.viewOpened(summary))
        _ = app.handle(.windowChanged(window(1, generation: generation)))
        _ = app.handle(.key(try #require(Key(name: "space"))))
        #expect(app.list?.selection.rowIDs == [1])
        #expect(app.list?.cursor.rowID == 2)
        return (app, generation)
    }

    @Test(arguments: [RowIDLifetime.revision, .epoch, .row])
    func p233RowIDsOfAnEarlierRevisionAreDropped(rowIDs: RowIDLifetime) throws {
        var (app, generation) = try app(rowIDs)
        // An answer of the same revision, as when a page has come.
        _ = app.handle(.windowChanged(window(1, generation: generation)))
        #expect(app.list?.selection.rowIDs == [1])
        _ = app.handle(.windowChanged(window(2, generation: generation)))
        #expect(app.list?.selection.rowIDs == (rowIDs == .revision ? [] : [1]))
    }

    @Test(arguments: [RowIDLifetime.revision, .epoch, .row])
    func p233ARowThatWasReadLaterMayBeAnother(rowIDs: RowIDLifetime) throws {
        var (app, _) = try app(rowIDs)
        _ = app.handle(.key(try #require(Key(name: "enter"))))
        let shown = app.draw().text
        #expect(shown.contains("BMW"))
        _ = app.handle(
            .detailLoaded(RowDetail(id: 2, revision: 2, cells: [.text("Dacia")])))
        #expect(app.draw().text.contains("Dacia") == (rowIDs != .revision))
    }
}
