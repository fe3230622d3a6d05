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

    private struct Place: Hashable, Sendable {
        var list: String
        /// nil for a new row.
        var rowID: Int64?
    }

    private var newestNumber = 0
    /// The newest, until a key is pressed: the person still looks at it.
    var watched: Int?
    /// Without an outcome, oldest first.
    private(set) var waiting: [Entry] = []
    private var rejections: [Place: Rejection] = [:]
    /// Oldest first, with the rows that were changed: what undo takes back, in words.
    private var done: [(entry: Entry, rowIDs: [Int64])] = []

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
        rejections[Place(list: form.list.name, rowID: form.rowID)] =
            Rejection(form: form, conflicts: conflicts)
    }

    func rejection(of rowID: Int64?, in list: String) -> Rejection? {
        rejections[Place(list: list, rowID: rowID)]
    }

    mutating func dropRejection(of rowID: Int64?, in list: String) {
        rejections[Place(list: list, rowID: rowID)] = nil
    }

    mutating func adopt(_ lists: [ListDescription]) {
        rejections = rejections.mapValues { rejection in
            let dialog = rejection.conflicts.flatMap { conflicts in
                ConflictDialog(form: rejection.form, conflicts: conflicts).adopted(by: lists)
            }
            return Rejection(
                form: dialog?.form ?? rejection.form.adopted(by: lists),
                conflicts: dialog?.conflicts)
        }
    }

    /// What was typed, of what was not taken or has no outcome.
    var unsavedForms: [FormScreen] { rejections.values.map(\.form) + waiting.compactMap(\.form) }

    var hasRejections: Bool { !rejections.isEmpty }

    /// Changes that would be lost with the program.
    var unsavedCount: Int { waiting.count + rejections.count }

    // MARK: What was done

    mutating func applied(_ entry: Entry, rowIDs: [Int64]) {
        done.append((entry, rowIDs))
        if done.count > Limits.undoDepth { done.removeFirst() }
    }

    /// The newest change of these rows, to say in words what was undone or done again. The server's
    /// levels of undo are older than this program, so there may be none.
    func change(of rowIDs: [Int64], in list: String) -> Entry? {
        done.last { $0.entry.list == list && Set($0.rowIDs) == Set(rowIDs) }?.entry
    }

    // MARK: Marks

    /// What a person sees of their changes on the rows of a list.
    func marks(in list: String) -> [Int64: RowMark] {
        var marks: [Int64: RowMark] = [:]
        for (place, _) in rejections where place.list == list {
            if let rowID = place.rowID { marks[rowID] = RowMark(isRejected: true) }
        }
        for entry in waiting where entry.list == list {
            switch entry.change {
            case .update(let edits):
                for edit in edits {
                    var mark = marks[edit.rowID] ?? RowMark()
                    mark.isRejected = false
                    for cell in edit.cells { mark.cells[cell.column] = cell.value }
                    marks[edit.rowID] = mark
                }
            case .delete(let deletions):
                for deletion in deletions { marks[deletion.rowID] = RowMark(isDeleted: true) }
            case .move(let rowIDs, _):
                for rowID in rowIDs where marks[rowID] == nil { marks[rowID] = RowMark() }
            case .insert, .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo:
                break
            }
        }
        return marks
    }
}

/// What stands on a row because of the person's own changes.
struct RowMark: Hashable, Sendable {
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
