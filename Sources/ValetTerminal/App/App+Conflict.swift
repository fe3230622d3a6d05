import ValetClient
import ValetModel

/// The dialog about what somebody else has changed meanwhile.
extension App {
    mutating func perform(_ command: ConflictCommand) -> [AppAction] {
        guard let dialog = conflict else { return [] }
        switch command {
        case .cancel:
            // It can still be opened again.
            changes.reject(dialog.form, conflicts: dialog.conflicts)
            return close(ConflictDialog.self)
        case .addAgain:
            guard dialog.isOfDeletedRow else { return [] }
            var form = dialog.form
            form.becomeNewRow()
            goOn(in: form)
            return readForm()
        case .move, .pick, .pickAll, .save, .edit:
            guard !dialog.isOfDeletedRow else { return [] }
        }
        guard !dialog.cells.isEmpty || command == .edit else {
            return say("Nothing to pick. e edits the row as it is now")
        }
        if let label = conflict?.noteRenewed(by: command) {
            return say("\(label) has changed again: choose once more")
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
            goOn(in: dialog.edited, readAgain: true)
            return readForm()
        case .addAgain, .cancel: break
        }
        return []
    }

    private mutating func saveConflict() -> [AppAction] {
        guard let dialog = conflict else { return [] }
        if let field = dialog.undecided {
            conflict?.selectUndecided()
            return say("\(field.description.label): 1 keeps yours, 2 takes theirs")
        }
        guard !dialog.form.isRowInDoubt else { return say("Reading the row again") }
        guard !dialog.overwritesUnseen else {
            return say("Their value is too long to show. e edits the row")
        }
        goOn(in: dialog.edited)
        return save(dialog.edited)
    }

    /// A row that was deleted may come back, by somebody's undo: then it is edited again.
    mutating func goOnIfRowIsBack() -> [AppAction] {
        guard let dialog = conflict, dialog.isOfDeletedRow, !dialog.form.isRowInDoubt,
            let rowID = dialog.form.rowID,
            let list, list.frozen == nil, list.held.ordinal(of: rowID) != nil
        else { return [] }
        goOn(in: dialog.form, readAgain: true)
        message = "The row is back"
        return readForm()
    }

    /// With all disputed columns gone there is nothing to pick, and the form goes on.
    mutating func adoptConflict(_ lists: [ListDescription]) {
        guard let dialog = conflict else { return }
        if let adopted = dialog.adopted(by: lists) {
            conflict = adopted
        } else {
            goOn(in: dialog.form.adopted(by: lists), readAgain: true)
        }
    }

    /// The form takes the place of the dialog about it.
    private mutating func goOn(in form: FormScreen, readAgain: Bool = false) {
        if let disputed = conflict?.form { changes.dropRejection(of: disputed) }
        var form = form
        if readAgain { form.readAgain() }
        layers.replace(ConflictDialog.self, with: form)
    }
}
