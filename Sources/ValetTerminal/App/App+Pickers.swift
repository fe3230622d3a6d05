import ValetClient
import ValetModel

/// A list in a box over the form, from which a value is picked. It is the application's list for
/// the time; the form's own comes back behind it.
struct ListChoice: Sendable {
    /// The list of the form.
    let below: ListScreen
    /// The column whose value is taken; nil for the row id.
    let column: Int?

    /// Inside the box.
    static func size(in size: Size) -> Size {
        Size(columns: max(size.columns - 6, 1), rows: max(size.rows - 4, 1))
    }
}

/// What lies over the form to pick a value.
extension App {
    /// The time since 1970.
    private var seconds: Int64 { options.startSeconds + Int64(milliseconds / 1_000) }

    /// - Returns: nil if the selected field has no picker.
    mutating func openPicker() -> [AppAction]? {
        switch form?.picker(at: seconds) {
        case nil: return nil
        case .palette(let opened): palette = opened
        case .wheels(let opened): wheels = opened
        case .list(let name, let valueColumn): return openList(name, valueColumn)
        }
        return []
    }

    mutating func handle(_ key: Key, on turned: WheelPicker) {
        var turned = turned
        take(turned.handle(key), of: turned)
    }

    private mutating func take(_ answer: WheelPicker.Answer, of turned: WheelPicker) {
        wheels = answer == .stay ? turned : nil
        switch answer {
        case .stay, .cancel: break
        case .pick(let values): form?.pick(values)
        case .type(let text): form?.pick(typed: text)
        }
    }

    mutating func handlePickerMouse(_ mouse: MouseEvent) -> [AppAction] {
        if var turned = wheels {
            take(turned.handle(mouse, on: size, glyphs: glyphs), of: turned)
            return []
        }
        return handleChoice(mouse)
    }

    // MARK: A row of a list

    private mutating func openList(_ name: String, _ valueColumn: String?) -> [AppAction] {
        guard let below = list, let lists = catalog?.catalog.lists else { return [] }
        guard let place = NameLookup.index(of: name, in: lists, by: \.name) else {
            message = "There is no list \(glyphs.quoted(name)): the value must be typed"
            return []
        }
        let picked = lists[place]
        let column = valueColumn.map { NameLookup.index(of: $0, in: picked.columns, by: \.name) }
        if case .some(nil) = column {
            message = "\(picked.title) has no column \(glyphs.quoted(valueColumn ?? ""))"
            return []
        }
        guard connection.isConnected else {
            message = "\(picked.title) can't be read now: the value must be typed"
            return []
        }
        generation += 1
        choice = ListChoice(below: below, column: column ?? nil)
        list = ListScreen(
            list: picked, question: Question(), generation: generation,
            size: ListChoice.size(in: size), glyphs: glyphs, keymap: options.keymap,
            isConnected: true)
        if let column = choice?.column { list?.alsoReads(column) }
        return run(list?.open() ?? []) + run(list?.beginSearch() ?? [])
    }

    mutating func handleChoice(_ key: Key) -> [AppAction] {
        switch KeyTable.prompt[key] {
        case .accept: return run(list?.act(.open) ?? [])
        case .cancel: return closeChoice()
        case nil: break
        }
        if list?.mode == .searching { return run(list?.handle(key, at: milliseconds) ?? []) }
        guard case .move(let motion) = options.keymap.list[key] else { return [] }
        return run(list?.move(motion, at: milliseconds) ?? [])
    }

    /// The list in the box takes the mouse as every list does, but there is no drawer; a click
    /// beside the box cancels.
    private mutating func handleChoice(_ mouse: MouseEvent) -> [AppAction] {
        let box = choiceBox
        let isInside =
            box.rows.contains(mouse.position.row) && box.columns.contains(mouse.position.column)
        switch mouse.kind {
        case .press(.left) where !isInside: return closeChoice()
        case .press(.left), .release, .drag, .wheelUp, .wheelDown:
            let inner = MouseEvent(
                mouse.kind, row: mouse.position.row - choicePlace.row,
                column: mouse.position.column - choicePlace.column)
            return run(list?.handle(inner, at: milliseconds) ?? [])
        case .press: return []
        }
    }

    /// Where the list in the box begins.
    private var choicePlace: Position {
        let inner = ListChoice.size(in: size)
        return Position(
            row: (size.rows - inner.rows) / 2, column: (size.columns - inner.columns) / 2)
    }

    private var choiceBox: Box {
        let (place, inner) = (choicePlace, ListChoice.size(in: size))
        return Box(
            rows: max(place.row - 1, 0)..<min(place.row + inner.rows + 1, size.rows),
            columns: max(place.column - 2, 0)..<min(place.column + inner.columns + 2, size.columns))
    }

    mutating func pick(_ row: Row, for choice: ListChoice) -> [AppAction] {
        guard let cell = choice.column.map({ list?.cell($0, of: row) ?? .null }) else {
            form?.pick(rowID: row.id)
            return closeChoice()
        }
        guard !cell.isCut else {
            message = "This value is too long to be picked"
            return []
        }
        form?.pick(cell)
        return closeChoice()
    }

    private mutating func closeChoice() -> [AppAction] {
        guard let below = choice?.below else { return [] }
        choice = nil
        generation += 1
        let size = listSize
        list = below
        let outcomes = list?.reopen(
            as: below.list, generation: generation, size: size, isConnected: connection.isConnected)
        return run(outcomes ?? [])
    }

    /// The picker over the form.
    func drawPickers(on screen: inout Screen) {
        wheels?.draw(on: &screen, glyphs: glyphs)
        guard choice != nil, let list else { return }
        var inner = Screen(size: ListChoice.size(in: size), isASCII: options.isASCII)
        list.draw(
            on: &inner, at: milliseconds, connection: connection,
            message: message ?? "Enter picks   Esc back")
        choiceBox.draw(on: &screen, title: "Pick from \(list.list.title)", glyphs)
        screen.draw(inner, row: choicePlace.row, column: choicePlace.column)
    }
}
