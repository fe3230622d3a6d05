import ValetModel

extension Change {
    /// The same change for a list as a newer catalog describes it: columns go by their names, and
    /// rows by their ids if these are stored with them.
    ///
    /// - Parameter newer: nil if there is no such list any more.
    func moved(from old: ListDescription, to newer: ListDescription?) throws(ValetError) -> Change {
        func changed(_ what: String) -> ValetError { ValetError(.catalogChanged, what) }
        func doubtful(_ what: String) -> ValetError { changed(what + ": check, and try again") }
        guard let newer else { throw changed("list “\(old.name)” no longer exists") }
        guard newer.rowIDs == .row || !namesRows else {
            throw doubtful("rows of “\(old.name)” may have other ids now")
        }
        guard !namesRevisions else {
            throw doubtful("“\(old.name)” may have changed since it was read")
        }
        guard !isOfNewestStep else {
            throw doubtful("the newest change of “\(old.name)” may be another one now")
        }
        // Whoever made the change knows the outcome's columns by their numbers.
        func column(_ number: Int) throws(ValetError) -> Int {
            guard old.columns.indices.contains(number) else { return number }
            let name = old.columns[number].name
            guard let moved = newer.columns.firstIndex(where: { $0.name == name }) else {
                throw changed("“\(old.name)” no longer has a column “\(name)”")
            }
            guard moved == number else {
                throw doubtful("the columns of “\(old.name)” have changed")
            }
            return moved
        }
        func values(_ values: [ColumnValue]) throws(ValetError) -> [ColumnValue] {
            try values.map { value throws(ValetError) in
                ColumnValue(column: try column(value.column), value: value.value)
            }.sorted { $0.column < $1.column }
        }
        switch self {
        case .insert(let rows):
            return .insert(try rows.map { row throws(ValetError) in try values(row) })
        case .update(let edits):
            return .update(
                try edits.map { edit throws(ValetError) in
                    let cells = try edit.cells.map { cell throws(ValetError) in
                        CellEdit(
                            column: try column(cell.column), value: cell.value, seen: cell.seen)
                    }
                    return RowEdit(rowID: edit.rowID, cells: cells.sorted { $0.column < $1.column })
                })
        case .updateMatching(let query, let cells): return .updateMatching(query, try values(cells))
        case .delete, .move, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: return self
        }
    }

    /// Whether it says when rows were seen, by revisions of another epoch.
    private var namesRevisions: Bool {
        switch self {
        case .delete(let rows): rows.contains { $0.seen != nil }
        case .move(_, let destination): destination.neighbour?.seen != nil
        case .insert, .update, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo,
            .forceUndo:
            false
        }
    }

    /// Whether it is about this station's newest step, whichever that is.
    var isOfNewestStep: Bool {
        switch self {
        case .undo, .redo, .skipUndo, .forceUndo: true
        case .insert, .update, .delete, .move, .updateMatching, .deleteMatching: false
        }
    }

    private var namesRows: Bool {
        switch self {
        case .update, .delete, .move: true
        case .insert, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: false
        }
    }
}
