import ValetClient
import ValetModel

/// The dialog about what somebody else has changed meanwhile.
extension App {
    mutating func handle(_ key: Key, over dialog: ConflictDialog) -> [AppAction] {
        KeyTable.conflict[key].map { perform($0, on: dialog) } ?? []
    }

    /// A click on a value picks it, one on a word does what its key does.
    mutating func handle(_ mouse: MouseEvent, over dialog: ConflictDialog) -> [AppAction] {
        switch mouse.kind {
        case .wheelUp: conflict?.move(.up)
        case .wheelDown: conflict?.move(.down)
        case .press(.left):
            switch dialog.target(at: mouse.position, size) {
            case .command(let command): return perform(command, on: dialog)
            case .field(let place, let pick):
                conflict?.select(place)
                if let pick { return perform(.pick(pick), on: dialog) }
            case nil: break
            }
        case .press, .release, .drag: break
        }
        return []
    }

    private mutating func perform(
        _ command: ConflictCommand, on dialog: ConflictDialog
    ) -> [AppAction] {
        switch command {
        case .cancel:
            conflict = nil
            // It can still be opened again.
            changes.reject(dialog.form, conflicts: dialog.conflicts)
            return []
        case .addAgain:
            guard dialog.isOfDeletedRow else { return [] }
            form = dialog.form
            form?.becomeNewRow()
        case .move, .pick, .pickAll, .save, .edit:
            guard !dialog.isOfDeletedRow else { return [] }
            return resolve(dialog, by: command)
        }
        closeConflict(dialog)
        return readForm()
    }

    private mutating func resolve(
        _ dialog: ConflictDialog, by command: ConflictCommand
    ) -> [AppAction] {
        guard !dialog.cells.isEmpty || command == .edit else {
            message = "Nothing here can be picked: e edits the row as it is now"
            return []
        }
        switch command {
        case .move(let motion): conflict?.move(motion)
        case .pick(let pick):
            conflict?.pick(pick)
            // There is nothing else to decide.
            if dialog.cells.count < 2 { return saveConflict() }
            conflict?.move(.down)
        case .pickAll(let pick): conflict?.pickAll(pick)
        case .save: return saveConflict()
        case .edit:
            form = dialog.edited
            form?.readAgain()
            closeConflict(dialog)
            return readForm()
        case .addAgain, .cancel: break
        }
        return []
    }

    private mutating func saveConflict() -> [AppAction] {
        guard let dialog = conflict else { return [] }
        if let field = dialog.undecided {
            conflict?.selectUndecided()
            message = "\(field.description.label): 1 keeps yours, 2 takes theirs"
            return []
        }
        guard !dialog.form.isRowInDoubt else {
            message = "The row is being read again"
            return []
        }
        guard !dialog.overwritesUnseen else {
            message = "Theirs is too long to be seen here: e edits"
            return []
        }
        closeConflict(dialog)
        return save(dialog.edited)
    }

    /// A row that was deleted may come back, by somebody's undo: then it is edited again.
    mutating func goOnIfRowIsBack() -> [AppAction] {
        guard let dialog = conflict, dialog.isOfDeletedRow, !dialog.form.isRowInDoubt,
            let rowID = dialog.form.rowID,
            let list, list.frozen == nil, list.held.ordinal(of: rowID) != nil
        else { return [] }
        form = dialog.form
        form?.readAgain()
        closeConflict(dialog)
        message = "The row is back"
        return readForm()
    }

    /// With all disputed columns gone there is nothing to pick, and the form goes on.
    mutating func adoptConflict(_ lists: [ListDescription]) {
        guard let dialog = conflict else { return }
        conflict = dialog.adopted(by: lists)
        guard conflict == nil else { return }
        form = dialog.form.adopted(by: lists)
        form?.readAgain()
        closeConflict(dialog)
    }

    private mutating func closeConflict(_ dialog: ConflictDialog) {
        conflict = nil
        changes.dropRejection(of: dialog.form.rowID, in: dialog.form.list.name)
    }
}
