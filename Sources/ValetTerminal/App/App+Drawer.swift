import ValetClient
import ValetModel

/// The drawer of a row: what its catalog offers, and what can be done to every row.
extension App {
    mutating func showDrawer(of row: Row, title: String) {
        guard let list else { return }
        let actions = list.list.actions.filter { $0.column == nil || list.list.isEditable }
        var items = actions.map {
            Palette.Item(keys: "", title: $0.name, choice: .take($0, row))
        }
        var acts: [(ListCommand, String, RowAct)] = [(.open, "open", .open)]
        if list.list.isEditable {
            acts.append((.edit, "edit", .edit))
            if list.list.checkColumn != nil {
                acts.append((.check, "check or uncheck", .check))
            }
            if list.reasonNotToMove == nil { acts.append((.moveByHand, "move by hand", .lift)) }
            acts.append((.delete, "delete", .delete))
        }
        items += acts.map { command, title, act in
            let keys = options.keymap.list.rows.first { $0.command == command }?.keys.first
            return Palette.Item(
                keys: keys?.label(isASCII: glyphs.isASCII) ?? "", title: title,
                choice: .act(act, row))
        }
        let line = list.geometry.body.lowerBound + list.cursor.line
        palette = Palette(
            title: list.selectionText ?? title, items: items, under: line + list.height(of: row) - 1
        )
    }

    mutating func take(_ action: RowAction, on row: Row) -> [AppAction] {
        guard let list else { return [] }
        func text(_ template: String) -> String {
            list.columns.layout.text(
                RowTemplate(template, columns: list.list.columns), of: row,
                positions: list.columns.positions, glyphs: glyphs)
        }
        switch action.effect {
        case .set(let column, let value) where !list.selection.isEmpty:
            return perform(.set(name: action.name, column: column, value))
        case .set(let column, let value):
            let title = list.name(of: row)
            let edit = CellEdit(column: column, value: value, seen: .anything)
            return submit(
                .action(action.name), .update([RowEdit(rowID: row.id, cells: [edit])]),
                title: title)
        case .say(let template):
            message = text(template)
            return []
        case .retitle(let template):
            self.list?.notes.title = text(template)
            return []
        case .copy(let template):
            return copy(
                RowTemplate(template, columns: list.list.columns), of: row.id,
                named: glyphs.quoted(text(template))
            ) { list.columns.storedCell($0, of: row) }
        case .open(let name):
            guard let other = try? catalog?.catalog.list(named: name) else {
                message = "There is no list \(glyphs.quoted(name))"
                return []
            }
            return closeList() + open(other, query: Query())
        }
    }
}
