import ValetClient
import ValetModel

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

    mutating func fill(_ value: PickedValue) {
        switch value {
        case .cell(let cell): form?.pick(cell)
        case .rowID(let rowID): form?.pick(rowID: rowID)
        case .typed(let text): form?.pick(typed: text)
        case .columns(let values): form?.pick(values)
        }
    }

    // MARK: A row of a list

    private mutating func openList(_ name: String, _ valueColumn: String?) -> [AppAction] {
        guard list != nil, let lists = catalog?.catalog.lists else { return [] }
        guard let place = NameLookup.index(of: name, in: lists, by: \.name) else {
            message = "There is no list \(glyphs.quoted(name)): type the value"
            return []
        }
        let picked = lists[place]
        let column = valueColumn.map { NameLookup.index(of: $0, in: picked.columns, by: \.name) }
        if case .some(nil) = column {
            message = "\(picked.title) has no column \(glyphs.quoted(valueColumn ?? ""))"
            return []
        }
        guard connection.isConnected else {
            message = "\(picked.title) can't be read now: type the value"
            return []
        }
        calls.generation += 1
        let list = ListScreen(
            list: picked, query: Query(), generation: calls.generation,
            size: RowPicker.size(in: size), glyphs: glyphs, keymap: options.keymap,
            isConnected: true)
        picker = RowPicker(list, column: column ?? nil)
        return changeFrontList { $0.open() + $0.beginSearch() }
    }

    /// The list below has the server's view again.
    mutating func reopenList() -> [AppAction] {
        calls.generation += 1
        let size = listSize
        let outcomes = list.map { $0.list }.flatMap { same in
            list?.reopen(
                as: same, generation: calls.generation, size: size,
                isConnected: connection.isConnected)
        }
        return run(outcomes ?? [])
    }
}
