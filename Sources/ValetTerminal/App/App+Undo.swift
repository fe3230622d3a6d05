import ValetModel

/// Undo and redo, and what others have changed meanwhile.
extension App {
    mutating func undo() -> [AppAction] { submit(.undo, .undo) }

    mutating func redo() -> [AppAction] { submit(.redo, .redo) }

    /// A change that others have changed further stays in the way of all before it.
    ///
    /// - Parameter step: the change, which may not be the newest by the time of the answer.
    mutating func askToForceUndo(_ conflicts: [Conflict], step: UInt64, in name: String) {
        guard name == list?.list.name, let first = conflicts.first else { return }
        let who = first.station.isEmpty ? "Another program" : first.station
        let what = words(of: first, in: name) ?? "row \(first.rowID) has changed"
        // The server names no more.
        let isAll = conflicts.count < Limits.problemsPerOutcome
        let more = conflicts.count > 1 ? " and \(conflicts.count - 1)\(isAll ? "" : "+") more" : ""
        confirmation = Confirmation(
            question: asked("\(who) has changed it: \(what)\(more). Undo it?"), keep: "Leave",
            act: "Undo", doing: .submit(.undo, .forceUndo(step: step), title: ""),
            other: .init(act: "Skip", doing: .submit(.undo, .skipUndo(step: step), title: "")))
    }

    /// So does one that can't be undone.
    mutating func askToSkipUndo(_ reason: String, step: UInt64, in name: String) {
        guard name == list?.list.name else { return }
        confirmation = Confirmation(
            question: asked("It can't be undone: \(reason). Skip it?"),
            keep: "Leave", act: "Skip", doing: .submit(.undo, .skipUndo(step: step), title: ""))
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
