import ValetClient
import ValetModel

/// What is done to all selected rows: one command, so one step of undo. And the drawer: what the
/// catalog offers for a row, and what can be done to every row.
extension App {
    mutating func perform(_ act: SelectionAct) -> [AppAction] {
        guard let list else { return [] }
        let rowIDs = list.selection.rowIDs
        switch act {
        case .delete:
            // Whatever has become of them: the person was asked about their number.
            ask("Delete \(list.selectedText)", "Delete", .delete) { rowIDs in
                .delete(rowIDs.map { RowDeletion(rowID: $0) })
            }
        case .check:
            guard let column = list.list.checkColumn else { return [] }
            let isOn = !rowIDs.allSatisfy { rowID in
                list.held.row(withID: rowID).map { list.cell(column, of: $0) } == .integer(1)
            }
            let verb = isOn ? "Check" : "Uncheck"
            ask("\(verb) \(list.selectedText)", verb, .check(isOn)) { rowIDs in
                .setting(column, to: .integer(isOn ? 1 : 0), of: rowIDs)
            }
        case .set(let name, let column, let value):
            ask("\(name): \(list.selectedText)", name, .action(name)) { rowIDs in
                .setting(column, to: value, of: rowIDs)
            }
        case .copy: return copySelection(of: list)
        }
        return []
    }

    /// What can't be set stays in the prompt, to be put right.
    mutating func setSelected(_ assignment: String) -> [AppAction] {
        guard let list else { return [] }
        do throws(TypingError) {
            let (column, value) = try list.read(assignment: assignment, at: clock)
            self.list?.leaveCommand()
            let description = list.list.columns[column]
            let text = CellText.stored(value, in: description, glyphs: glyphs).text
            return perform(.set(name: "\(description.label) = \(text)", column: column, value))
        } catch {
            return say(error.message)
        }
    }

    private mutating func ask(
        _ question: String, _ verb: String, _ act: OwnChanges.Act, _ change: ([Int64]) -> Change
    ) {
        guard let list, case let rowIDs = list.selection.rowIDs, !rowIDs.isEmpty else { return }
        confirmation = Confirmation(
            question: asked("\(question)?"), keep: act == .delete ? "Keep" : "Cancel", act: verb,
            doing: .submit(act, change(rowIDs), title: "", list: list.listOfSeenRows))
    }

    // MARK: Copying

    /// A clipboard is no file: `:export` takes the rest.
    package static let mostBytesOfRows = 1 << 20

    private mutating func copySelection(of list: ListScreen) -> [AppAction] {
        guard connection.isConnected else { return say("Offline: the rows can't be fetched") }
        let rowIDs = list.selection.rowIDs
        let columns = list.carriedColumns
        message = "Fetching \(rowText(rowIDs.count))"
        let call = ServerCall.wholeRows(
            list: list.list, rowIDs: rowIDs, columns: columns)
        return [calls.begin(call)]
    }

    /// - Parameter rows: the first of them, in the order of their ids, as far as there is room; nil
    ///   for one that is gone.
    mutating func take(
        _ rows: [[Cell]?], rowIDs: [Int64], of name: String, _ columns: [Int]
    ) -> [AppAction] {
        var text = ""
        var count = 0
        for case let cells? in rows {
            let values = columns.map { cells[checked: $0] ?? .null }
            let line = values.map { Self.quoted($0.storedText) }.joined(separator: "\t") + "\n"
            guard text.utf8.count + line.utf8.count <= App.mostBytesOfRows else { break }
            text += line
            count += 1
        }
        if list?.list.name == name {
            list?.selection.remove(zip(rowIDs, rows).filter { $0.1 == nil }.map(\.0))
        }
        let there = rowIDs.count - rows.count { $0 == nil }
        guard count > 0 || there == 0 else {
            return say("The row is too long to copy: :export FILE takes it")
        }
        let isAll = count == there
        let all = isAll ? rowText(count) : "\(count.grouped) of \(rowText(there))"
        let advice = isAll ? "" : ": :export FILE takes more"
        message = "Copied \(all), \(text.utf8.count.grouped) bytes\(advice)"
        return [.terminal(.copy(text))]
    }

    /// As spreadsheets read it back, where a value would end its cell.
    private static func quoted(_ value: String) -> String {
        guard value.contains(where: { $0 == "\t" || $0 == "\"" || $0.isNewline }) else {
            return value
        }
        return "\"\(value.replacing("\"", with: "\"\""))\""
    }

    // MARK: The drawer of a row

    mutating func showDrawer(of row: Row, title: String) -> [AppAction] {
        guard let list else { return [] }
        let actions = list.list.actions.filter { $0.column == nil || list.list.isEditable }
        var items = actions.map { Palette.Item(keys: "", title: $0.name, choice: .take($0, row)) }
        let isEditable = list.list.isEditable
        let isOne = list.selection.count <= 1
        let acts: [(ListCommand, String, RowAct, isOffered: Bool)] = [
            (.open, "open", .open, isOne), (.edit, "edit", .edit, isEditable && isOne),
            (.check, "check or uncheck", .check, isEditable && list.list.checkColumn != nil),
            (
                .moveByHand, "move by hand", .lift,
                isEditable && isOne && list.reasonNotToMove == nil
            ),
            (.delete, "delete", .delete, isEditable),
        ]
        items += acts.filter(\.isOffered).map { command, title, act, _ in
            let keys = options.keymap.list.rows.first { $0.command == command }?.keys.first
            return Palette.Item(
                keys: keys?.label(isASCII: glyphs.isASCII) ?? "", title: title,
                choice: .act(act, row))
        }
        let line = list.geometry.body.lowerBound + list.cursor.line
        palette = Palette(
            title: list.selectionText ?? title, items: items,
            under: line + list.height(of: row) - 1)
        return []
    }

    mutating func take(_ action: RowAction, on row: Row) -> [AppAction] {
        guard let list else { return [] }
        func text(_ template: String) -> String {
            list.columns.text(RowTemplate(template, columns: list.list.columns), of: row, glyphs)
        }
        switch action.effect {
        case .set(let column, let value) where !list.selection.isEmpty:
            return perform(.set(name: action.name, column: column, value))
        case .set(let column, let value):
            return submit(
                .action(action.name), .setting(column, to: value, of: [row.id]),
                title: list.name(of: row))
        case .say(let template): return say(text(template))
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
                return say("There is no list \(glyphs.quoted(name))")
            }
            return closeList() + open(other, query: Query())
        }
    }
}

/// What can be done to all selected rows.
enum SelectionAct: Hashable, Sendable {
    case delete
    case check
    /// An action of the catalog, by its name.
    case set(name: String, column: Int, Cell)
    case copy
}

extension Change {
    static func setting(_ column: Int, to value: Cell, of rowIDs: [Int64]) -> Change {
        let edit = CellEdit(column: column, value: value, seen: .anything)
        return .update(rowIDs.map { RowEdit(rowID: $0, cells: [edit]) })
    }

    /// Rows that it names.
    var rowCount: Int {
        switch self {
        case .insert(let rows): rows.count
        case .update(let edits): edits.count
        case .delete(let deletions): deletions.count
        case .move(let rowIDs, _): rowIDs.count
        case .updateMatching, .deleteMatching, .undo, .redo, .skipUndo, .forceUndo: 0
        }
    }
}
