import ValetClient
import ValetModel

/// What a person changes, and what becomes of it.
extension App {
    mutating func perform(_ act: RowAct, on row: Row) -> [AppAction] {
        guard let list else { return [] }
        let title = list.name(of: row)
        switch act {
        case .open where options.picks, .goToNamed where options.picks:
            let several = options.picksSeveral ? list.selection.rowIDs : []
            return [.end(.pick(several.isEmpty ? [row.id] : several))]
        case .goToNamed(let column): return goToNamed(by: column, of: row)
        case .open: return openDetail(row)
        case .edit: return edit(rowID: row.id, title: title)
        case .delete where !list.selection.isEmpty: return perform(SelectionAct.delete)
        case .delete where list.isEditing: return deleteAtOnce(row, title: title)
        case .delete:
            return askToDelete(rowID: row.id, title: title, seen: list.held.window?.revision)
        case .check where !list.selection.isEmpty: return perform(SelectionAct.check)
        case .check: return check(row, title: title)
        case .select: return run(self.list?.select(row, at: milliseconds) ?? [])
        case .compare: return run(self.list?.compareRow(row) ?? [])
        case .drawer: return showDrawer(of: row, title: title)
        case .lift: return run(self.list?.lift(row) ?? [])
        case .drop: return drop(nextTo: row)
        }
    }

    /// Puts the lifted row down.
    private mutating func drop(nextTo row: Row) -> [AppAction] {
        guard let drop = list?.drop(nextTo: row), let list else {
            return say("The row can't be moved to this section")
        }
        return submit(.move(line: drop.line), drop.change, title: list.name(of: drop.row))
    }

    /// Sends a change. The row shows it at once.
    mutating func submit(
        _ act: OwnChanges.Act, _ change: Change, title: String = "", form: FormScreen? = nil,
        of asked: ListDescription? = nil
    ) -> [AppAction] {
        guard let made = form?.list ?? asked ?? list?.listOfSeenRows else { return [] }
        let entry = changes.submit(act, change, list: made.name, title: title, form: form)
        changes.watched = entry.number
        if !connection.isConnected { message = "Offline: this is sent after reconnecting" }
        return [calls.begin(.submit(number: entry.number, list: made, change))]
    }

    private mutating func check(_ row: Row, title: String) -> [AppAction] {
        guard let list, let column = list.list.checkColumn else { return [] }
        let own = changes.pending(in: list.list.name)[row.id]?.cells[column]
        let isOn = (own ?? list.cell(column, of: row)) != .integer(1)
        let change = Change.setting(column, to: .integer(isOn ? 1 : 0), of: [row.id])
        return submit(.check(isOn), change, title: title)
    }

    // MARK: Deleting

    /// A question about a change, which also says that the change can't be made now.
    func asked(_ question: String) -> String {
        connection.isConnected ? question : "Offline: sent later. \(question)"
    }

    private mutating func askToDelete(rowID: Int64, title: String, seen: UInt64?) -> [AppAction] {
        guard let list else { return [] }
        let deletion = Change.delete([RowDeletion(rowID: rowID, seen: seen)])
        let rowNumber = list.hasTwin(of: rowID) ? ", row \(rowID)" : ""
        confirmation = Confirmation(
            question: asked("Delete \(glyphs.quoted(title))\(rowNumber)?"), keep: "Keep",
            act: "Delete",
            doing: .submit(.delete, deletion, title: title, list: list.listOfSeenRows))
        return []
    }

    /// In edit mode: undo takes it back. The cursor goes on, so that the same key deletes the next.
    private mutating func deleteAtOnce(_ row: Row, title: String) -> [AppAction] {
        guard let list, changes.pending(in: list.list.name)[row.id]?.isDeleted != true else {
            return []
        }
        let deletion = RowDeletion(rowID: row.id, seen: list.held.window?.revision)
        let actions = submit(.delete, .delete([deletion]), title: title)
        let isLast = list.cursor.ordinal + 1 == list.total
        return actions + run(self.list?.move(isLast ? .up : .down, at: milliseconds) ?? [])
    }

    mutating func deleteDetail() -> [AppAction] {
        guard let detail, let list else { return [] }
        guard list.list.isEditable else { return run(list.change(.add)) }
        let readOnly = detail.row.isReadOnly ? ListDescription.readOnlyRow : nil
        if let reason = list.list.reasonNot(to: .delete) ?? readOnly { return say(reason) }
        guard let revision = detail.row.revision else { return say("The row hasn't loaded yet") }
        return askToDelete(rowID: detail.row.id, title: detail.row.title, seen: revision)
    }

    mutating func decide(_ act: Confirmation.Act) -> [AppAction] {
        switch act {
        case .discardForm:
            if let form { changes.dropRejection(of: form) }
            return close(FormScreen.self)
        case .showUnsaved:
            palette = unsavedPalette
            return []
        case .addEmptyRow: return form.map { save($0, isSure: true) } ?? []
        case .end(let ending): return [.end(ending)]
        case .replaceFile(let path): return export(to: path, replaces: true)
        case .submit(let act, let change, let title, let list):
            let closing = act == .delete ? close(DetailScreen.self) : []
            return closing + submit(act, change, title: title, of: list)
        }
    }

    // MARK: Outcomes

    mutating func take(_ outcome: Outcome, number: Int) -> [AppAction] {
        guard let entry = finish(number) else { return [] }
        let isWatched = changes.watched == number
        switch outcome.verdict {
        case .applied(let rowIDs): return applied(entry, rowIDs, isWatched: isWatched)
        case .appliedButFor(let rowIDs, let rest):
            let actions = applied(entry, rowIDs, isWatched: isWatched)
            if let first = rest.first, let words = words(of: first, in: entry.list) {
                let more = rest.count > 1 ? " and \(rest.count - 1) more" : ""
                message = "\(message ?? ""), except that \(words)\(more)"
            }
            return actions
        case .refused(let refusals):
            var form = entry.form
            form?.show(refusals)
            let reason = refusals.first?.message ?? "no reason was given"
            reject(entry, form: form, because: reason, isWatched: isWatched)
            if let step = outcome.step, isWatched {
                askToSkipUndo(reason, step: step, in: entry.list)
            }
        case .conflict(let conflicts):
            if let form = entry.form, conflicts.allSatisfy(\.isAlreadySo) {
                return sendRest(
                    of: form.without(alreadySo: conflicts), entry, besides: conflicts,
                    isWatched: isWatched)
            }
            reject(
                entry, form: entry.form, conflicts: conflicts,
                because: text(of: conflicts, to: entry), isWatched: isWatched)
            if let step = outcome.step, isWatched {
                askToForceUndo(conflicts, step: step, seen: outcome.revision, in: entry.list)
            }
            // A deletion or move names the window's revision, and a standing window isn't sent
            // again for a new revision alone: the next attempt needs the newest.
            let gone = conflicts.filter { $0.theirs == .rowDeleted }.map(\.rowID)
            if entry.list == list?.list.name { list?.selection.remove(gone) }
            if entry.act.needsNewestRevision, entry.list == list?.list.name, picker == nil {
                return readDetail(after: entry) + run(list?.askAtCursor() ?? [])
            }
        }
        return readDetail(after: entry) + readForm()
    }

    /// Others have stored a part of what was typed, or all of it: that is as good as saved.
    private mutating func sendRest(
        of form: FormScreen, _ entry: OwnChanges.Entry, besides made: [Conflict], isWatched: Bool
    ) -> [AppAction] {
        var form = form
        guard case .update(let edits)? = form.change(), !edits.allSatisfy(\.cells.isEmpty) else {
            message = "\(name(of: entry)): \(Self.who(made.first)) has already saved the same"
            return readDetail(after: entry) + readForm()
        }
        let rest = changes.submit(
            entry.act, .update(edits), list: entry.list, title: entry.title, form: form)
        if isWatched { changes.watched = rest.number }
        return [calls.begin(.submit(number: rest.number, list: form.list, rest.change))]
    }

    /// Removes a change that has its outcome. From now on the list shows where its row is.
    private mutating func finish(_ number: Int) -> OwnChanges.Entry? {
        let entry = changes.finish(number)
        if case .move = entry?.act, entry?.list == list?.list.name { list?.dropped() }
        return entry
    }

    mutating func failed(number: Int, _ error: ValetError) -> [AppAction] {
        guard let entry = finish(number) else { return [] }
        let reason =
            error.code == .expired
            ? "the server can't tell if this was saved: check, and try again if not"
            : error.description
        reject(entry, form: entry.form, because: reason, isWatched: false)
        let isReadOnly = error.code == .readOnly && connection.isConnected
        return readDetail(after: entry) + (isReadOnly ? readCatalog() : [])
    }

    private func text(of conflicts: [Conflict], to entry: OwnChanges.Entry) -> String {
        guard let conflict = conflicts.first else { return "somebody else has changed it" }
        let who = Self.who(conflict)
        if case .move(_, let destination) = entry.change,
            destination.neighbour?.rowID == conflict.rowID
        {
            let isDeleted = conflict.theirs == .rowDeleted
            return "\(who) has \(isDeleted ? "deleted" : "moved") the row next to it"
        }
        if conflict.theirs == .rowChanged, conflict.station.isEmpty {
            // A server that was started anew can't know better.
            return "another program may have changed it"
        }
        let isDeleted = conflict.theirs == .rowDeleted
        let did = "\(who) has \(isDeleted ? "deleted" : "changed")"
        guard entry.change.rowCount > 1 else { return "\(did) it" }
        // Nothing was done to the others, and those that are gone are selected no more.
        let rows = Set(conflicts.map(\.rowID)).count
        return "\(did) \(rows == 1 ? "one" : rows.grouped) of the rows. Do it again"
    }

    private static func who(_ conflict: Conflict?) -> String {
        conflict.flatMap { $0.station.isEmpty ? nil : $0.station } ?? "another program"
    }

    /// What was typed is kept. A person who still looks at it gets it back at once.
    private mutating func reject(
        _ entry: OwnChanges.Entry, form: FormScreen?, conflicts: [Conflict]? = nil,
        because reason: String, isWatched: Bool
    ) {
        message = "\(entry.act.words.negative): \(reason)"
        if list?.frozen != nil { message? += " (z shows the list as it is now)" }
        guard let form = form?.adopted(by: catalog?.catalog.lists ?? []) else { return }
        let isShown = entry.list == list?.list.name
        if isWatched, isShown {
            return open(OwnChanges.Rejection(form: form, conflicts: conflicts))
        }
        changes.reject(form, conflicts: conflicts)
        let key = isShown ? form.rowID == nil ? "+" : "e" : form.list.title
        message = "\(entry.act.words.negative): \(reason)  (\(key))"
    }

    private mutating func applied(
        _ entry: OwnChanges.Entry, _ rowIDs: [Int64], isWatched: Bool
    ) -> [AppAction] {
        var isRowBack = false
        switch entry.act {
        case .undo:
            if case .skipUndo = entry.change {
                message = "Skipped: u undoes the change before it now"
                break
            }
            var isForced = false
            if case .forceUndo = entry.change { isForced = true }
            let back = changes.undid(rowIDs, in: entry.list, isForced: isForced)
            message = "Undone: \(words(of: back, rowIDs, in: entry.list))"
            isRowBack = back?.act == .delete
        case .redo:
            let back = changes.redid(rowIDs, in: entry.list)
            message =
                back?.wasForced == true
                ? "Undo taken back: \(rowText(rowIDs.count)) as before it"
                : "Redone: \(words(of: back?.entry, rowIDs, in: entry.list))"
            isRowBack = back?.entry.act == .add
        case .edit, .add, .delete, .check, .action, .move:
            changes.applied(entry, rowIDs: rowIDs)
            keepInDetail(entry)
            if entry.act == .delete, entry.list == list?.list.name {
                for rowID in rowIDs { list?.learn(rowID: rowID, isDeleted: true) }
            }
            message = "\(entry.act.words.done) \(name(of: entry))"
        }
        // A list below a picker is asked when it is in front again.
        guard entry.list == list?.list.name, picker == nil else { return readDetail(after: entry) }
        // A frozen list shows one's own changes all the same.
        var actions = list?.frozen == nil ? [] : run(list?.freezeAfterOwnChange() ?? [])
        actions += readDetail(after: entry)
        guard isWatched, let rowID = rowIDs.first else { return actions }
        switch entry.act {
        case .edit, .add: return actions + run(list?.follow(rowID) ?? [])
        case .move(let line): return actions + run(list?.follow(rowID, to: line) ?? [])
        case .undo where isRowBack, .redo where isRowBack:
            return actions + run(list?.follow(rowID) ?? [])
        case .delete, .check, .action, .undo, .redo: return actions
        }
    }

    private func name(of entry: OwnChanges.Entry) -> String {
        let count = entry.change.rowCount
        return count > 1 || entry.title.isEmpty ? rowText(count) : glyphs.quoted(entry.title)
    }

    /// A change as a noun.
    func words(of entry: OwnChanges.Entry) -> String {
        switch entry.act {
        case .undo, .redo: entry.act.words.noun
        case .edit where entry.change.rowCount == 1:
            "\(entry.act.words.noun) \(name(of: entry))\(columns(of: entry))"
        case .edit, .add, .delete, .check, .action, .move:
            "\(entry.act.words.noun) \(name(of: entry))"
        }
    }

    /// ` (City, Phone)`; nothing if they are many, or of another list than the one on the screen.
    private func columns(of entry: OwnChanges.Entry) -> String {
        guard let list = list?.list, list.name == entry.list, case .update(let edits) = entry.change
        else { return "" }
        let labels = edits.flatMap(\.cells).compactMap { list.columns[checked: $0.column]?.label }
        return (1...3).contains(labels.count) ? " (\(labels.joined(separator: ", ")))" : ""
    }

    /// What was undone or done again, in words.
    private func words(
        of known: OwnChanges.Entry?, _ rowIDs: [Int64], in name: String
    ) -> String {
        if let known { return words(of: known) }
        guard rowIDs.count == 1, let rowID = rowIDs.first else {
            return "a change of \(rowIDs.count.grouped) rows"
        }
        guard let list, list.list.name == name, let row = list.held.row(withID: rowID) else {
            return "a change of row \(rowID)"
        }
        return "a change of \(glyphs.quoted(list.name(of: row)))"
    }

    // MARK: Undo

    /// A change that others have changed further stays in the way of all before it.
    ///
    /// - Parameters:
    ///   - step: the change, which may not be the newest by the time of the answer.
    ///   - seen: the revision that the conflicts are of: later ones are asked about again.
    private mutating func askToForceUndo(
        _ conflicts: [Conflict], step: UInt64, seen: UInt64, in name: String
    ) {
        guard let list = list?.list, name == list.name, let first = conflicts.first else { return }
        let who = first.station.isEmpty ? "Another program" : first.station
        let what = words(of: first, in: name) ?? "row \(first.rowID) has changed"
        // The server names no more.
        let isAll = conflicts.count < Limits.problemsPerOutcome
        let more = conflicts.count > 1 ? " and \(conflicts.count - 1)\(isAll ? "" : "+") more" : ""
        confirmation = Confirmation(
            question: asked("\(who) has changed it: \(what)\(more). Undo it?"), keep: "Leave",
            act: "Undo",
            doing: .submit(.undo, .forceUndo(step: step, seen: seen), title: "", list: list),
            other: .init(
                act: "Skip", doing: .submit(.undo, .skipUndo(step: step), title: "", list: list)),
            about: first)
    }

    /// What the question says may be no longer so while it stands.
    mutating func renewUndoQuestion() {
        guard let old = confirmation, case .submit(.undo, .forceUndo, _, let named) = old.doing,
            var conflict = old.about, case .cell(let asked) = conflict.theirs,
            let list, list.list.name == named.name,
            let row = list.held.row(withID: conflict.rowID),
            let cell = list.cell(asked.column, of: row), !cell.mayBe(asked.value)
        else { return }
        conflict.theirs = .cell(ColumnValue(column: asked.column, value: cell))
        guard let what = words(of: conflict, in: named.name) else { return }
        confirmation = Confirmation(
            question: self.asked("It has changed again: \(what). Undo it?"), keep: old.keep,
            act: old.act, doing: old.doing, other: old.other, about: conflict)
    }

    /// So does one that can't be undone.
    private mutating func askToSkipUndo(_ reason: String, step: UInt64, in name: String) {
        guard let list = list?.list, name == list.name else { return }
        confirmation = Confirmation(
            question: asked("It can't be undone: \(reason). Skip it?"), keep: "Leave", act: "Skip",
            doing: .submit(.undo, .skipUndo(step: step), title: "", list: list))
    }

    /// A cell that is not what it was, with both values; nil for another list than is shown.
    private func words(of conflict: Conflict, in name: String) -> String? {
        guard let list, list.list.name == name else { return nil }
        switch conflict.theirs {
        case .cell(let cell), .alreadySo(let cell):
            guard let column = list.list.columns[checked: cell.column] else { return nil }
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
