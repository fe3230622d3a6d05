import ValetClient
import ValetModel

/// What the person has changed: what waits for its outcome, what was not taken, and what was done.
struct OwnChanges: Sendable {
    enum Act: Hashable, Sendable {
        case edit
        case add
        case delete
        case check(Bool)
        /// By its name in the catalog.
        case action(String)
        /// To this line of the screen.
        case move(line: Int)
        case undo
        case redo

        var needsNewestRevision: Bool {
            switch self {
            case .delete, .move: true
            case .edit, .add, .check, .action, .undo, .redo: false
            }
        }

        /// What the messages call it: before it is undone, when it is done, and when it is not.
        var words: (noun: String, done: String, negative: String) {
            switch self {
            case .edit: ("edit of", "Saved", "Not saved")
            case .add: ("adding", "Added", "Not added")
            case .delete: ("deletion of", "Deleted", "Not deleted")
            case .check(true): ("check of", "Checked", "Not checked")
            case .check(false): ("uncheck of", "Unchecked", "Not checked")
            case .action(let name): ("\(name):", "\(name):", "Not done, \(name)")
            case .move: ("move of", "Moved", "Not moved")
            case .undo: ("undo", "Undone", "Not undone")
            case .redo: ("redo", "Redone", "Not redone")
            }
        }
    }

    struct Entry: Hashable, Sendable {
        let number: Int
        let act: Act
        let list: String
        let change: Change
        /// What names the row to a person.
        let title: String
        /// Where the change was typed, to be opened again if it is not taken.
        var form: FormScreen?
    }

    /// A change that was not taken, and why.
    struct Rejection: Hashable, Sendable {
        var form: FormScreen
        /// nil where it is no conflict.
        var conflicts: [Conflict]?
    }

    private var newestNumber = 0
    /// The newest, until a key is pressed: the person still looks at it.
    var watched: Int?
    /// Without an outcome, oldest first.
    private(set) var waiting: [Entry] = []
    /// The newest last. Of a row there is one; of new rows there may be several.
    private var rejections: [Rejection] = []
    /// Oldest first: what undo takes back, in words.
    private var done: [Done] = []
    /// What undo has taken back, the newest last, until something else is done in its list.
    private var undone: [Done] = []

    private struct Done {
        let entry: Entry
        let rowIDs: [Int64]
        /// It was undone over what others had changed since.
        var wasForced = false

        func changed(_ rows: [Int64], in list: String) -> Bool {
            entry.list == list && Set(rowIDs) == Set(rows)
        }
    }

    mutating func submit(
        _ act: Act, _ change: Change, list: String, title: String = "", form: FormScreen? = nil
    ) -> Entry {
        newestNumber += 1
        let entry = Entry(
            number: newestNumber, act: act, list: list, change: change, title: title, form: form)
        waiting.append(entry)
        return entry
    }

    /// The change that has got its outcome.
    mutating func finish(_ number: Int) -> Entry? {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return waiting.remove(at: place)
    }

    // MARK: What was not taken

    mutating func reject(_ form: FormScreen, conflicts: [Conflict]?) {
        dropRejection(of: form)
        newestNumber += 1
        var form = form
        form.rejection = newestNumber
        rejections.append(Rejection(form: form, conflicts: conflicts))
    }

    func rejection(of rowID: Int64?, in list: String) -> Rejection? {
        rejections.last { $0.form.list.name == list && $0.form.rowID == rowID }
    }

    func rejection(number: Int) -> Rejection? { rejections.first { $0.form.rejection == number } }

    /// It is sent again, or given up.
    mutating func dropRejection(of form: FormScreen) {
        rejections.removeAll { $0.form.isSameEdit(as: form) }
    }

    mutating func adopt(_ lists: [ListDescription]) {
        rejections = rejections.map { rejection in
            let dialog = rejection.conflicts.flatMap { conflicts in
                ConflictDialog(form: rejection.form, conflicts: conflicts).adopted(by: lists)
            }
            return Rejection(
                form: dialog?.form ?? rejection.form.adopted(by: lists),
                conflicts: dialog?.conflicts)
        }
    }

    /// What was typed, of what has no outcome or was not taken.
    /// - Parameter open: a form on the screen; the refused edit that it was opened from is left
    ///   out.
    func unsavedForms(besides open: FormScreen?) -> [FormScreen] {
        (waiting.compactMap(\.form) + rejections.map(\.form)).filter { form in
            open.map { !form.isSameEdit(as: $0) } ?? true
        }
    }

    var hasRejections: Bool { !rejections.isEmpty }

    /// Changes that would be lost with the program.
    /// - Parameter open: a form on the screen, counted elsewhere; the refused edit that it was
    ///   opened from is left out.
    func unsavedCount(besides open: FormScreen?) -> Int {
        let isReopened = open.map { open in rejections.contains { $0.form.isSameEdit(as: open) } }
        return waiting.count + rejections.count - (isReopened == true ? 1 : 0)
    }

    // MARK: What was done

    mutating func applied(_ entry: Entry, rowIDs: [Int64]) {
        undone.removeAll { $0.entry.list == entry.list }
        keep(Done(entry: entry, rowIDs: rowIDs))
    }

    private mutating func keep(_ change: Done) {
        done.append(change)
        if done.count > Limits.undoDepth { done.removeFirst() }
    }

    /// The change of these rows that was undone. The server's levels of undo are older than this
    /// program, so there may be none.
    mutating func undid(_ rowIDs: [Int64], in list: String, isForced: Bool) -> Entry? {
        guard let place = done.lastIndex(where: { $0.changed(rowIDs, in: list) })
        else { return nil }
        var change = done.remove(at: place)
        change.wasForced = isForced
        undone.append(change)
        return change.entry
    }

    /// The change of these rows that was done again.
    /// - Returns: also if others' values, over which it was undone, came back with it.
    mutating func redid(_ rowIDs: [Int64], in list: String) -> (entry: Entry, wasForced: Bool)? {
        guard let place = undone.lastIndex(where: { $0.changed(rowIDs, in: list) })
        else { return nil }
        let change = undone.remove(at: place)
        keep(Done(entry: change.entry, rowIDs: change.rowIDs))
        return (change.entry, change.wasForced)
    }

    // MARK: Pending rows

    /// What a person sees of their changes on the rows of a list.
    func pending(in list: String) -> [Int64: PendingRow] {
        var pending: [Int64: PendingRow] = [:]
        for rejection in rejections where rejection.form.list.name == list {
            if let rowID = rejection.form.rowID { pending[rowID] = PendingRow(isRejected: true) }
        }
        for entry in waiting where entry.list == list {
            switch entry.change {
            case .update(let edits):
                for edit in edits {
                    var row = pending[edit.rowID] ?? PendingRow()
                    row.isRejected = false
                    for cell in edit.cells { row.cells[cell.column] = cell.value }
                    pending[edit.rowID] = row
                }
            case .delete(let deletions):
                for deletion in deletions { pending[deletion.rowID] = PendingRow(isDeleted: true) }
            case .move(let rowIDs, _):
                for rowID in rowIDs where pending[rowID] == nil { pending[rowID] = PendingRow() }
            case .insert, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo:
                break
            }
        }
        return pending
    }
}

/// What stands on a row because of the person's own changes.
struct PendingRow: Hashable, Sendable {
    /// Not taken; else it waits for its outcome.
    var isRejected = false
    var isDeleted = false
    /// What the cells will be, by column.
    var cells: [Int: Cell] = [:]

    /// The row as it will be.
    func applied(to row: Row, positions: [Int: Int]) -> Row {
        var row = row
        for (column, cell) in cells {
            guard let place = positions[column], row.cells.indices.contains(place) else { continue }
            row.cells[place] = cell
        }
        return row
    }

    func sign(_ glyphs: Glyphs) -> (text: String, style: Style) {
        isRejected
            ? (glyphs.rejected, Style(.red, .bold)) : (glyphs.ellipsis, Style(.magenta, .bold))
    }
}
