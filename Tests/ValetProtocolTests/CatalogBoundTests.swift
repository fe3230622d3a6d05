import NIOCore
import Testing
import ValetModel

@testable import ValetProtocol

/// How a client's catalog reader takes what no server should send.
private func refusal(_ change: (inout ListDescription) -> Void) -> ErrorCode? {
    var list = ListDescription(
        name: "t", title: "t", columns: [ColumnDescription(name: "a", type: .text)],
        titleColumn: nil,
        groupings: [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)],
        scopes: [], cell: .columns)
    change(&list)
    var payload = ByteBuffer()
    CatalogAnswer(request: 1, total: 1, ordinal: 0, entry: .init(list: list, rowCount: nil))
        .write(into: &payload)
    var reader = PayloadReader(payload)
    do throws(ValetError) {
        let read = try CatalogAnswer(reading: &reader)
        return read.entry?.list == list ? nil : .unexpected
    } catch {
        return error.code
    }
}

@Test func aCellNamesColumnsThatThereAre() {
    let cells: [(Int) -> CellLayout] = [
        { CellLayout(style: .custom, lines: [.field(column: $0)]) },
        { CellLayout(style: .default, image: .swatch(column: $0)) },
        { CellLayout(style: .default, tintColumn: $0) },
        { CellLayout(style: .default, indentColumn: $0) },
        { CellLayout(style: .default, emphasis: .column($0)) },
        { CellLayout(style: .default, height: .column($0)) },
        { CellLayout(style: .default, accessory: .check(column: $0)) },
        { CellLayout(style: .default, selectableColumn: $0) },
    ]
    for (number, cell) in cells.enumerated() {
        #expect(refusal { $0.cell = cell(0) } == nil, "\(number)")
        #expect(refusal { $0.cell = cell(1) } == .malformed, "\(number)")
    }
    func action(_ column: Int) -> RowAction {
        RowAction(name: "set", effect: .set(column: column, .null))
    }
    #expect(refusal { $0.actions = [action(0)] } == nil)
    #expect(refusal { $0.actions = [action(1)] } == .malformed)
}

/// A list may have as many of something as its limit says, and not one more.
private func expectLimit(
    _ limit: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout ListDescription, _ count: Int) -> Void
) {
    #expect(refusal { change(&$0, limit) } == nil, sourceLocation: sourceLocation)
    #expect(refusal { change(&$0, limit + 1) } == .limitExceeded, sourceLocation: sourceLocation)
}

@Test func cellsAndActionsHaveLimits() {
    expectLimit(Limits.linesPerRow) {
        $0.cell = CellLayout(style: .default, height: .lines($1))
    }
    for lines in [0, 1] {
        let layout = CellLayout(style: .default, height: .lines(lines))
        #expect(refusal { $0.cell = layout } == (lines == 0 ? .limitExceeded : nil))
    }
    expectLimit(Limits.linesPerRow) {
        let lines = [CellLine](repeating: .template("x"), count: $1)
        $0.cell = CellLayout(style: .custom, lines: lines)
    }
    expectLimit(Limits.actionsPerList) {
        $0.actions = Array(repeating: RowAction(name: "a", effect: .say("b")), count: $1)
    }
    expectLimit(Limits.bytesPerMessage) { $0.cell.title = String(repeating: "x", count: $1) }
}

@Test func editorsAndSectionsNameColumnsThatThereAre() {
    let changes: [(Int) -> (inout ListDescription) -> Void] = [
        { column in { $0.columns[0].editor = .wheels(columns: [column]) } },
        { column in { $0.columns[0].editor = .perRow(column: column, kinds: []) } },
        { column in
            {
                $0.columns[0].editor = .perRow(
                    column: 0, kinds: [.init(name: "k", editor: .wheels(columns: [column]))])
            }
        },
        { column in { $0.rowRules.readOnlyColumn = column } },
        { column in { $0.detail = [DetailSection(title: "", columns: [column])] } },
    ]
    for (number, change) in changes.enumerated() {
        #expect(refusal(change(0)) == nil, "\(number)")
        #expect(refusal(change(1)) == .malformed, "\(number)")
    }
}

@Test func editorsAndSectionsHaveLimits() {
    func editor(_ editor: ColumnEditor) -> ErrorCode? { refusal { $0.columns[0].editor = editor } }
    expectLimit(Limits.choicesPerColumn) {
        $0.columns[0].editor = .choices(Array(repeating: .null, count: $1))
    }
    expectLimit(Limits.wheelsPerEditor) {
        $0.columns[0].editor = .wheels(columns: Array(repeating: 0, count: $1))
    }
    expectLimit(Limits.kindsPerEditor) {
        let kind = ColumnEditor.Kind(name: "k", editor: .text)
        $0.columns[0].editor = .perRow(column: 0, kinds: Array(repeating: kind, count: $1))
    }
    let nested = ColumnEditor.Kind(name: "k", editor: .perRow(column: 0, kinds: []))
    #expect(editor(.perRow(column: 0, kinds: [nested])) == .malformed, "editors do not nest")
    expectLimit(Limits.decimalsPerNumber) {
        $0.columns[0].format = .number(decimals: $1, isGrouped: false)
    }
    expectLimit(Limits.detailSectionsPerList) {
        $0.detail = Array(repeating: DetailSection(title: "", columns: []), count: $1)
    }
    let long = String(repeating: "x", count: Limits.bytesPerName + 1)
    #expect(editor(.list(name: long, valueColumn: nil)) == .limitExceeded)
    #expect(editor(.list(name: "", valueColumn: long)) == .limitExceeded)
    #expect(refusal { $0.columns[0].placeholder = long } == .limitExceeded)
    #expect(refusal { $0.timeZone = long } == .limitExceeded)
    #expect(refusal { $0.heading = long } == .limitExceeded)
    func titles(_ key: Int?) -> ColumnDescription {
        ColumnDescription(name: "t", type: .text, keyColumn: key)
    }
    #expect(refusal { $0.columns += [titles(0), titles(0)] } == nil)
    #expect(refusal { $0.columns += [titles(0), titles(1)] } == .malformed, "of titles")
    #expect(refusal { $0.columns += [titles(0), titles(nil)] } == .malformed, "before another")
    #expect(refusal { $0.columns[0].keyColumn = 0 } == .malformed, "of itself")
    #expect(refusal { $0.columns[0].keyColumn = 1 } == .malformed, "of none")
    for reference in [RowReference(list: long, column: nil), RowReference(list: "", column: long)] {
        #expect(refusal { $0.columns[0].reference = reference } == .limitExceeded)
    }
    #expect(refusal { $0.timeZone = "Nowhere/At all" } == nil, "a client knows not all zones")
    for minutes in [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60] {
        #expect(refusal { $0.columns[0].rules.interval = minutes } == nil)
    }
    for minutes in [0, 7, 61, 120, Limits.largestCount] {
        #expect(refusal { $0.columns[0].rules.interval = minutes } == .malformed)
    }
}
