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
