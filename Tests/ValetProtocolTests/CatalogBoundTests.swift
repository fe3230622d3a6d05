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

@Test func cellsAndActionsHaveLimits() {
    func height(_ lines: Int) -> ErrorCode? {
        refusal { $0.cell = CellLayout(style: .default, height: .lines(lines)) }
    }
    #expect(height(1) == nil && height(Limits.linesPerRow) == nil)
    #expect(height(0) == .limitExceeded && height(Limits.linesPerRow + 1) == .limitExceeded)
    func lines(_ count: Int) -> ErrorCode? {
        let lines = [CellLine](repeating: .template("x"), count: count)
        return refusal { $0.cell = CellLayout(style: .custom, lines: lines) }
    }
    #expect(lines(Limits.linesPerRow) == nil)
    #expect(lines(Limits.linesPerRow + 1) == .limitExceeded)
    func actions(_ count: Int) -> ErrorCode? {
        refusal {
            $0.actions = Array(repeating: RowAction(name: "a", effect: .say("b")), count: count)
        }
    }
    #expect(actions(Limits.actionsPerList) == nil)
    #expect(actions(Limits.actionsPerList + 1) == .limitExceeded)
    func template(_ byteCount: Int) -> ErrorCode? {
        refusal { $0.cell.title = String(repeating: "x", count: byteCount) }
    }
    #expect(template(Limits.bytesPerMessage) == nil)
    #expect(template(Limits.bytesPerMessage + 1) == .limitExceeded)
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
    func choices(_ count: Int) -> ErrorCode? {
        editor(.choices(Array(repeating: .null, count: count)))
    }
    #expect(choices(Limits.choicesPerColumn) == nil)
    #expect(choices(Limits.choicesPerColumn + 1) == .limitExceeded)
    func wheels(_ count: Int) -> ErrorCode? {
        editor(.wheels(columns: Array(repeating: 0, count: count)))
    }
    #expect(wheels(Limits.wheelsPerEditor) == nil)
    #expect(wheels(Limits.wheelsPerEditor + 1) == .limitExceeded)
    func kinds(_ count: Int, _ editor: ColumnEditor = .text) -> ErrorCode? {
        let kind = ColumnEditor.Kind(name: "k", editor: editor)
        return refusal {
            $0.columns[0].editor = .perRow(column: 0, kinds: Array(repeating: kind, count: count))
        }
    }
    #expect(kinds(Limits.kindsPerEditor) == nil)
    #expect(kinds(Limits.kindsPerEditor + 1) == .limitExceeded)
    #expect(kinds(1, .perRow(column: 0, kinds: [])) == .malformed, "editors do not nest")
    func decimals(_ count: Int) -> ErrorCode? {
        refusal { $0.columns[0].format = .number(decimals: count, isGrouped: false) }
    }
    #expect(decimals(Limits.decimalsPerNumber) == nil)
    #expect(decimals(Limits.decimalsPerNumber + 1) == .limitExceeded)
    func sections(_ count: Int) -> ErrorCode? {
        refusal {
            $0.detail = Array(repeating: DetailSection(title: "", columns: []), count: count)
        }
    }
    #expect(sections(Limits.detailSectionsPerList) == nil)
    #expect(sections(Limits.detailSectionsPerList + 1) == .limitExceeded)
    let long = String(repeating: "x", count: Limits.bytesPerName + 1)
    #expect(editor(.list(name: long, valueColumn: nil)) == .limitExceeded)
    #expect(editor(.list(name: "", valueColumn: long)) == .limitExceeded)
    #expect(refusal { $0.columns[0].placeholder = long } == .limitExceeded)
    #expect(refusal { $0.timeZone = long } == .limitExceeded)
    #expect(refusal { $0.timeZone = "Nowhere/At all" } == nil, "a client knows not all zones")
    for minutes in [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60] {
        #expect(refusal { $0.columns[0].rules.interval = minutes } == nil)
    }
    for minutes in [0, 7, 61, 120, Limits.largestCount] {
        #expect(refusal { $0.columns[0].rules.interval = minutes } == .malformed)
    }
}
