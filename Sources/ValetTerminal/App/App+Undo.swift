import ValetModel

/// Undo and redo, and what others have changed meanwhile.
extension App {
    mutating func undo() -> [AppAction] { submit(.undo, .undo) }

    mutating func redo() -> [AppAction] { submit(.redo, .redo) }

    /// A change that others have changed further stays in the way of all before it.
    mutating func askToForceUndo(_ conflicts: [Conflict], in name: String) {
        guard name == list?.list.name, let first = conflicts.first else { return }
        let who = first.station.isEmpty ? "Another program" : first.station
        let what = words(of: first, in: name) ?? "row \(first.rowID) has changed"
        confirmation = Confirmation(
            question: asked("\(who) has changed it: \(what). Undo it?"), keep: "Leave",
            act: "Undo", doing: .submit(.undo, .forceUndo, title: ""),
            other: .init(act: "Skip", doing: .submit(.undo, .skipUndo, title: "")))
    }

    /// A cell that is not what it was, with both values; nil for another list than is shown.
    func words(of conflict: Conflict, in name: String) -> String? {
        guard let list, list.list.name == name else { return nil }
        switch conflict.theirs {
        case .cell(let cell), .alreadySo(let cell):
            guard list.list.columns.indices.contains(cell.column) else { return nil }
            let column = list.list.columns[cell.column]
            func text(_ cell: Cell) -> String {
                CellText.alone(cell, in: column, glyphs: glyphs).text
            }
            let before = conflict.restored.map { ", and was \(text($0))" } ?? ""
            return "\(column.label) is \(text(cell.value))\(before)"
        case .rowChanged: return "row \(conflict.rowID) has changed"
        case .rowDeleted: return "row \(conflict.rowID) is deleted"
        }
    }
}
