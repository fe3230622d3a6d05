import ValetClient
import ValetModel

/// A list in a box over the form, from which a value is picked.
struct RowPicker: Layer {
    private(set) var list: ListScreen
    /// The column whose value is taken; nil for the row id.
    private let column: Int?

    init(_ list: ListScreen, column: Int?) {
        self.list = list
        self.column = column
        if let column { self.list.columns.alsoReads(column) }
    }

    /// Changes the list. A row that it acts on is picked.
    mutating func change(_ body: (inout ListScreen) -> [ScreenOutcome]) -> [ScreenOutcome] {
        body(&list).flatMap { outcome in
            if case .act(_, let row) = outcome { pick(row) } else { [outcome] }
        }
    }

    private func pick(_ row: Row) -> [ScreenOutcome] {
        guard let column else { return [.close, .fill(.rowID(row.id))] }
        let cell = list.cell(column, of: row) ?? .null
        return cell.isCut ? [.say("This value is too long to pick")] : [.close, .fill(.cell(cell))]
    }

    // MARK: A layer

    var isAnswered: Bool { list.isAnswered }

    var wantsTicks: Bool { list.viewport.isScrubbing || list.viewport.waiting != nil }

    var pastedField: TextField? { list.pastedField }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        switch KeyTable.prompt[key] {
        case .accept: return change { $0.act(.open) }
        case .cancel: return [.close]
        case nil: break
        }
        if list.mode == .searching { return change { $0.handle(key, at: context.milliseconds) } }
        guard case .move(let motion) = context.keymap.list[key] else { return [] }
        return change { $0.move(motion, at: context.milliseconds) }
    }

    /// The list takes the mouse as every list does, but there is no drawer; a click beside the box
    /// cancels.
    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        let (place, box) = (place(on: context.size), box(on: context.size))
        switch mouse.kind {
        case .press(.left) where !box.contains(mouse.position): return [.close]
        case .press(.left), .release, .drag, .wheelUp, .wheelDown:
            let inner = MouseEvent(
                mouse.kind, row: mouse.position.row - place.row,
                column: mouse.position.column - place.column)
            return change { $0.handle(inner, at: context.milliseconds) }
        case .press: return []
        }
    }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] {
        change { $0.paste(text) }
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        change { $0.rest(at: context.milliseconds) }
    }

    mutating func resize(in context: LayerContext) -> [ScreenOutcome] {
        change { $0.resize(to: RowPicker.size(in: context.size)) }
    }

    mutating func connected(in context: LayerContext) -> [ScreenOutcome] {
        change { $0.connected(generation: context.generation) }
    }

    mutating func disconnected() { list.disconnected() }

    // MARK: The box

    /// Inside the box.
    static func size(in size: Size) -> Size {
        Size(columns: max(size.columns - 6, 1), rows: max(size.rows - 4, 1))
    }

    /// Where the list in the box begins.
    private func place(on size: Size) -> Position {
        let inner = RowPicker.size(in: size)
        return Position(
            row: (size.rows - inner.rows) / 2, column: (size.columns - inner.columns) / 2)
    }

    private func box(on size: Size) -> Box {
        let inner = RowPicker.size(in: size)
        return Box(columns: inner.columns + 4, rows: inner.rows + 2, inMiddleOf: size)
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        let (size, place) = (screen.size, place(on: screen.size))
        var inner = Screen(size: RowPicker.size(in: size), isASCII: context.glyphs.isASCII)
        list.draw(
            on: &inner, at: context.milliseconds, connection: context.connection,
            message: context.message, help: "Enter picks   Esc back")
        box(on: size).draw(on: &screen, title: "Pick from \(list.list.title)", context.glyphs)
        screen.draw(inner, row: place.row, column: place.column)
    }
}
