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
            first: 0, rows: rows, runs: [SectionRun(section: 0, title: "", first: 0, count: 3)])
    }

    /// What an application asked for, newest last.
    private final class Asked {
        var calls: [(token: CallToken, call: ServerCall)] = []

        func handle(_ event: AppEvent, _ app: inout App) {
            for case .server(let token, let call) in app.handle(event) {
                calls.append((token, call))
            }
        }

        /// The newest call of a kind is answered.
        func answer(_ kind: String, _ reply: Reply, _ app: inout App) throws {
            let newest = calls.last { Mirror(reflecting: $0.call).children.first?.label == kind }
            let token = try #require(newest).token
            handle(.answer(token, .success(reply)), &app)
        }
    }

    private let asked = Asked()

    private func show(_ revision: UInt64, _ app: inout App) throws {
        try asked.answer("window", .window(window(revision, generation: 1)), &app)
    }

    /// An application that shows the list: its first row is selected, the cursor is on the second.
    private func app(_ rowIDs: RowIDLifetime) throws -> App {
        var app = App(options: AppOptions(), size: .standard)
        asked.handle(.connecting, &app)
        asked.handle(.connected, &app)
        let catalog = Catalog(lists: [Self.list(rowIDs)])
        try asked.answer("catalog", .catalog(catalog, rowCounts: [3]), &app)
        let summary = ViewSummary(
            generation: 1, epoch: 7, revision: 1, totalRows: 3, totalSections: 1, grouping: "None",
            groupingColumn: nil, isSectioned: false, hasIndex: false, columns: [0])
        try asked.answer("openView", .view(summary), &app)
        try show(1, &app)
        asked.handle(.key(try #require(Key(name: "space"))), &app)
        #expect(app.list?.selection.rowIDs == [1])
        #expect(app.list?.cursor.rowID == 2)
        return app
    }

    @Test(arguments: [RowIDLifetime.revision, .epoch, .row])
    func p233RowIDsOfAnEarlierRevisionAreDropped(rowIDs: RowIDLifetime) throws {
        var app = try app(rowIDs)
        // An answer of the same revision, as when a page has come.
        try show(1, &app)
        #expect(app.list?.selection.rowIDs == [1])
        try show(2, &app)
        #expect(app.list?.selection.rowIDs == (rowIDs == .revision ? [] : [1]))
    }

    @Test(arguments: [RowIDLifetime.revision, .epoch, .row])
    func p233ARowThatWasReadLaterMayBeAnother(rowIDs: RowIDLifetime) throws {
        var app = try app(rowIDs)
        asked.handle(.key(try #require(Key(name: "enter"))), &app)
        let shown = app.draw().text
        #expect(shown.contains("BMW"))
        let detail = RowDetail(id: 2, revision: 2, cells: [.text("Dacia")])
        try asked.answer("detail", .detail(detail), &app)
        #expect(app.draw().text.contains("Dacia") == (rowIDs != .revision))
    }
}
