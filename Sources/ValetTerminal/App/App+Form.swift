import ValetClient
import ValetModel

/// The form, and what lies over it to pick a value.
extension App {
    /// Opens the form; the row is read first. What was rejected comes back as it was typed.
    mutating func edit(rowID: Int64, title: String) -> [AppAction] {
        guard let list else { return [] }
        if let rejection = changes.rejection(of: rowID, in: list.list.name) {
            open(rejection)
            return readForm()
        }
        guard changes.pending(in: list.list.name)[rowID] == nil else {
            return say("The row is still being saved")
        }
        let row = list.held.ordinal(of: rowID).flatMap { list.held.freshRow(at: $0) }
        var cells: [Int: Cell] = [:]
        for column in list.columns.positions.keys {
            if let row, let cell = list.cell(column, of: row) { cells[column] = cell }
        }
        form = FormScreen(
            .edit(rowID: rowID), of: list.listOfSeenRows, title: title, row: cells,
            examples: list.exampleCells, glyphs: glyphs)
        if list.columns.layout.isTable, list.columns.hasChosen {
            form?.begin(at: list.columns.chosen)
        }
        noteFirstForm()
        return readForm()
    }

    mutating func editDetail() -> [AppAction] {
        guard let detail, let list else { return [] }
        guard list.list.isEditable else { return run(list.change(.add)) }
        if detail.row.isReadOnly { return say(ListDescription.readOnlyRow) }
        return edit(rowID: detail.row.id, title: detail.row.title)
    }

    mutating func beginAdding() {
        guard let list else { return }
        offerNewRow(of: list.list)
        if let rejection = changes.rejection(of: nil, in: list.list.name) { return open(rejection) }
        form = FormScreen(.add, of: list.list, examples: list.exampleCells, glyphs: glyphs)
        noteFirstForm()
    }

    private mutating func noteFirstForm() {
        if let note = options.firstFormNote.take() { message = note }
    }

    /// Asks for the row that the form, or the dialog about it, waits for; also after a break.
    mutating func readForm() -> [AppAction] {
        guard connection.isConnected, picker == nil else { return [] }
        let reading = form?.isReading == true ? form : nil
        let disputed = conflict?.isReading == true ? conflict?.form : nil
        return (reading ?? disputed).map { newestDetail(for: $0) } ?? []
    }

    /// Somebody may have changed the row since it was read.
    mutating func readFormAgain() -> [AppAction] {
        guard connection.isConnected, let window = list?.held.window else { return [] }
        if let form = conflict?.form, form.list.name == list?.list.name {
            guard conflict?.reads(for: window.revision) == true else { return [] }
            return newestDetail(for: form)
        }
        guard let form, form.list.name == list?.list.name,
            self.form?.reads(for: window.revision) == true
        else { return [] }
        return newestDetail(for: form)
    }

    /// The row of the form may have another id by now: the person decides what to do with what was
    /// typed.
    mutating func rowIsElsewhere() -> [AppAction] {
        guard let form = edited, let rowID = form.rowID else { return [] }
        let gone = Conflict(rowID: rowID, theirs: .rowDeleted, station: "", time: 0)
        typedAhead = []
        let actions = close(FormScreen.self) + close(ConflictDialog.self)
        conflict = ConflictDialog(form: form, conflicts: [gone], zone: options.zone)
        return actions
    }

    mutating func formFailed(_ list: String, rowID: Int64, _ error: ValetError) -> [AppAction] {
        guard let edited, edited.list.name == list, edited.rowID == rowID else { return [] }
        if edited.isRowInDoubt, error.code == .unknownRow { return rowIsElsewhere() }
        conflict?.failedAgain()
        guard let form else { return [] }
        guard form.isReading else {
            self.form?.failedAgain(error)
            return []
        }
        // After a break the row is read again.
        guard !error.isOfConnection else { return [] }
        typedAhead = []
        message = "The row can't be edited: \(error.description)"
        if form.changeCount > 0 {
            if error.code == .unknownRow { return rowIsElsewhere() }
            changes.reject(form, conflicts: nil)
            message? += ". What was typed is kept  (e)"
        }
        return close(FormScreen.self)
    }

    /// What was not taken: the dialog for a conflict, else the form.
    mutating func open(_ rejection: OwnChanges.Rejection) {
        if let conflicts = rejection.conflicts {
            conflict = ConflictDialog(
                form: rejection.form, conflicts: conflicts, zone: options.zone)
        } else {
            form = rejection.form
        }
    }

    // MARK: Keys

    mutating func perform(_ command: FormCommand) -> [AppAction] {
        switch command {
        case .move(let motion):
            let size = size
            message = form?.move(motion, size: size) ?? message
        case .edit(let command): form?.edit(command)
        case .open: return openPicker() ?? perform(FormCommand.move(.down))
        case .toggle:
            // In a text that is being typed, it is a blank.
            if form?.opensWithSpace == true, let actions = openPicker() { return actions }
            form?.toggle()
        case .help: return run([.showHelp])
        case .cancel:
            typedAhead = []
            return leaveForm()
        case .save:
            guard let form, !form.isReading else { return [] }
            return save(form)
        }
        return []
    }

    private mutating func leaveForm() -> [AppAction] {
        let count = form?.changeCount ?? 0
        guard count > 0 else { return close(FormScreen.self) }
        confirmation = Confirmation(
            question: "Discard \(count == 1 ? "1 change" : "\(count) changes")?",
            keep: "Keep editing", act: "Discard", doing: .discardForm)
        return []
    }

    /// Sends what was changed; the form stays open if something can't be stored.
    /// - Parameter isSure: whether a row in which nothing was typed is meant.
    mutating func save(_ saved: FormScreen, isSure: Bool = false) -> [AppAction] {
        guard let list else { return [] }
        var saved = saved
        guard let change = saved.change() else {
            form = saved
            return []
        }
        if case .insert = change, saved.changeCount == 0, !isSure {
            confirmation = Confirmation(
                question: "Nothing is typed. Add an empty row?", keep: "Keep editing", act: "Add",
                doing: .addEmptyRow)
            return []
        }
        let closing = close(FormScreen.self)
        changes.dropRejection(of: saved)
        switch change {
        case .update(let edits) where edits.allSatisfy(\.cells.isEmpty):
            message = "Nothing was changed"
            return closing
        case .insert:
            let title = name(ofRow: nil, in: list, cells: saved.cells)
            return closing + submit(.add, change, title: title, form: saved)
        case .update:
            // Under the name that it has then.
            let title = name(ofRow: saved.rowID, in: list, cells: saved.rowAsSaved)
            return closing + submit(.edit, change, title: title, form: saved)
        case .delete, .move, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo:
            return closing
        }
    }

    // MARK: Pickers

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

    /// Where no list can be opened, it is typed all the same.
    mutating func pick(typing key: Key) -> [AppAction] {
        let actions = openPicker() ?? []
        if picker != nil { return actions + (changeTop { $0.handle(key, in: $1) } ?? []) }
        form?.handle(key)
        return actions
    }

    // MARK: A row of a list

    private mutating func openList(_ name: String, _ valueColumn: String?) -> [AppAction] {
        guard list != nil, let lists = catalog?.catalog.lists else { return [] }
        guard let place = NameLookup.index(of: name, in: lists, by: \.name) else {
            return say("There is no list \(glyphs.quoted(name)): type the value")
        }
        let picked = lists[place]
        let column = valueColumn.map { NameLookup.index(of: $0, in: picked.columns, by: \.name) }
        if case .some(nil) = column {
            return say("\(picked.title) has no column \(glyphs.quoted(valueColumn ?? ""))")
        }
        guard connection.isConnected else {
            return say("\(picked.title) can't be read now: type the value")
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
