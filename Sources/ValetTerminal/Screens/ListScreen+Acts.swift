import ValetClient
import ValetModel

/// What is done to the cursor's row, and what one's own changes show; and the rows that are
/// selected. The selection is the person's own: it outlives searches and groupings, and drops rows
/// that are gone.
extension ListScreen {
    /// Acts on the cursor's row, at once or when it is here.
    mutating func act(_ act: RowAct) -> [ScreenOutcome] {
        if list.isEditable, let reason = list.reasonNot(to: act) { return [.say(reason)] }
        if !selection.isEmpty, list.isEditable {
            if act == .delete { return [.actOnSelection(.delete)] }
            if act == .check, list.checkColumn != nil { return [.actOnSelection(.check)] }
            // The row under the cursor need not be one of them.
            if act == .edit, selection.count > 1 {
                let likely = chosenColumn.map { list.columns[$0] }
                let prompt = CommandPrompt(
                    settingOneOf: namesToSet,
                    likely: likely.flatMap { $0.isEditable ? $0.name : nil })
                return beginPrompt(.placing(prompt))
            }
        }
        guard total != 0 else { return [.say("There is no row here")] }
        if let gone {
            leaveGone()
            return [.say(gone.text ?? "This row is no longer here")]
        }
        if !act.isForReaders, !list.isEditable {
            // What was typed before the list became read-only is not lost.
            if act == .edit, let rowID = cursor.rowID {
                return [.editRejected(rowID: rowID, otherwise: refusal)]
            }
            return refusal
        }
        if act == .check, list.checkColumn == nil {
            return [.say("\(list.title) has no column to check")]
        }
        if act == .lift, let reasonNotToMove { return [.say(reasonNotToMove)] }
        return wait(for: act)
    }

    mutating func wait(for act: RowAct) -> [ScreenOutcome] {
        viewport.waiting = Viewport.WaitingAct(
            act: act, rowID: viewport.jump == nil ? cursor.rowID : viewport.jump?.rowID)
        return actIfWaiting()
    }

    mutating func actIfWaiting() -> [ScreenOutcome] {
        guard let waiting = viewport.waiting, viewport.jump == nil,
            !held.isStale || !isConnected && waiting.act.isQueued,
            let row = held.freshRow(at: cursor.ordinal)
        else { return [] }
        viewport.waiting = nil
        let act = waiting.act
        guard waiting.rowID == nil || waiting.rowID == row.id else {
            return [.say("The row is no longer here")]
        }
        guard columns.layout.isSelectable(row, positions: columns.positions) else {
            return [.say("This row can't be selected")]
        }
        if !act.isForReaders, act != .drop, isReadOnly(row) {
            return [.say(ListDescription.readOnlyRow)]
        }
        return [.act(act, row)]
    }

    private func isReadOnly(_ row: Row) -> Bool {
        guard let column = list.rowRules.readOnlyColumn else { return false }
        return cell(column, of: row)?.isSet == true
    }

    /// What changes the list but no row of it that is here.
    func change(_ outcome: ScreenOutcome) -> [ScreenOutcome] {
        guard list.isEditable else { return refusal }
        if outcome == .add, !list.rowRules.allowsAdding {
            return [.say("Rows can't be added to \(list.title)")]
        }
        return [outcome]
    }

    /// That may have changed since.
    private var refusal: [ScreenOutcome] {
        let reason = list.readOnlyReason.map { ": \($0)" } ?? ""
        let text = "\(list.title) is read-only\(reason)"
        return isConnected ? [.say(text), .readCatalog] : [.say(text)]
    }

    /// Goes along with a row that was changed, which keeps the cursor's line. Where the query
    /// doesn't have it, the cursor stays.
    mutating func follow(_ rowID: Int64, to line: Int? = nil) -> [ScreenOutcome] {
        viewport.jump = Jump(
            anchor: .rowID(rowID), line: line ?? goneLine ?? cursor.line, isFollowing: true)
        return askForRows()
    }

    /// Whether its title may name another row, too. In a table nothing says that it does not.
    func hasTwin(of rowID: Int64) -> Bool {
        guard !columns.layout.isTable, let row = held.row(withID: rowID) else { return true }
        let title = name(of: row)
        let others = held.window?.rows.compactMap(\.self).filter { $0.id != rowID }
        return others?.contains { name(of: $0) == title } ?? true
    }

    /// The row as the person has changed it.
    func withPending(_ row: Row) -> Row {
        notes.pending[row.id]?.applied(to: row, positions: columns.positions) ?? row
    }

    /// A cell of each column from rows that are here: how the column stores its values.
    var exampleCells: [Int: Cell] {
        var examples: [Int: Cell] = [:]
        for case let row? in held.window?.rows ?? [] {
            for column in columns.positions.keys where examples[column] == nil {
                if let cell = cell(column, of: row), cell != .null { examples[column] = cell }
            }
        }
        return examples
    }

    // MARK: The selection

    var namesToSet: [String] { list.columns.filter(\.isEditable).map(\.name) }

    /// The column that `fuel = 12.5` sets in the selected rows, and to what.
    func read(
        assignment: String, at clock: PersonClock
    ) throws(TypingError) -> (column: Int, value: Cell) {
        guard !selection.isEmpty else {
            throw TypingError(message: "Nothing is selected: Space selects a row, * all that match")
        }
        let parts = assignment.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let (before, behind) = (parts[0].trimmed, parts.count > 1 ? parts[1].trimmed : "")
        let names = list.columns.map(\.name) + list.columns.map(\.label)
        guard let place = NameLookup.index(of: before, in: names, by: \.self) else {
            throw TypingError(message: "There is no column \(glyphs.quoted(before))")
        }
        let column = place % list.columns.count
        let description = list.columns[column]
        guard description.isEditable else {
            let key = description.keyColumn.flatMap { list.columns[checked: $0]?.label }
            let other = key.map { ", but \($0) can" } ?? ""
            throw TypingError(message: "\(description.label) can't be set\(other)")
        }
        let example = exampleCells[column]
        let typed = description.date(named: behind, at: clock, like: example) ?? behind
        do throws(TypingError) {
            let value = try description.cell(typed: typed, like: example)
            if let rule = description.rule(brokenBy: value) { throw TypingError(message: rule) }
            return (column, value)
        } catch {
            throw TypingError(message: "\(description.label): \(error.message)")
        }
    }

    /// Picks the row, or puts it back, and goes on to the next.
    mutating func select(_ row: Row, at milliseconds: Int) -> [ScreenOutcome] {
        if selection.contains(row.id) {
            selection.remove(CollectionOfOne(row.id))
        } else {
            guard selection.count < Limits.rowsPerSelection else { return [.say(tooMany)] }
            selection.insert(row.id)
            selection.newest = row
        }
        let message =
            selection.contains(row.id) ? text(columns.layout.cell?.selectedMessage, of: row) : nil
        return move(.down, at: milliseconds) + (message.map { [.say($0)] } ?? [])
    }

    /// What the list is called now: a catalog may let the newest selected row say so.
    var title: String {
        let selected = selection.newest.flatMap { row in
            selection.contains(row.id) ? text(columns.layout.cell?.selectedTitle, of: row) : nil
        }
        return selected ?? notes.title ?? list.title
    }

    /// The colour of the row that gives the title.
    var titleTint: Tint? {
        guard let row = selection.newest, selection.contains(row.id),
            columns.layout.cell?.selectedTitle != nil,
            let column = columns.layout.cell?.layout.tintColumn
        else { return nil }
        return columns.layout.tint(column, of: row, columns.positions)?.legible
    }

    private func text(_ template: RowTemplate?, of row: Row) -> String? {
        template.map { columns.text($0, of: row, glyphs) }
    }

    /// How many are selected, in words: what is done to rows out of sight is not done unseen.
    var selectedText: String {
        let seen = lines.reduce(into: Set<Int64>()) { seen, line in
            guard case .row(let ordinal, 0) = line, let row = held.row(at: ordinal)?.row,
                selection.contains(row.id)
            else { return }
            seen.insert(row.id)
        }
        let text = rowText(selection.count)
        switch selection.count - seen.count {
        case 0: return text
        case selection.count:
            return "\(text) that \(selection.count == 1 ? "is" : "are") not on the screen"
        case let hidden:
            return "\(text), \(hidden.grouped) of them not on the screen"
        }
    }

    mutating func selectNone() -> [ScreenOutcome] {
        guard !selection.isEmpty else { return [.say("Nothing is selected")] }
        let text = "\(rowText(selection.count)) no longer selected"
        selection.removeAll()
        return [.say(text)]
    }

    /// Only the server knows the ids of all rows.
    func selectAll() -> [ScreenOutcome] {
        guard isConnected, let total else { return [.say("The rows haven't loaded yet")] }
        guard total <= Limits.rowsPerSelection else {
            return [.say("\(total.grouped) rows match. \(tooMany)")]
        }
        let request = ServerCall.matching(
            list: list, query: query, generation: view.generation, columns: columnsToSelect)
        return [.say("Selecting \(rowText(total))"), .call(request)]
    }

    mutating func take(matching rows: [Row], generation asked: UInt32) -> [ScreenOutcome] {
        guard asked == view.generation else { return [.say("Not selected: the query has changed")] }
        let positions = ShownColumns.positions(of: columnsToSelect)
        let rows = rows.filter { columns.layout.isSelectable($0, positions: positions) }
        for row in rows where selection.count < Limits.rowsPerSelection {
            selection.insert(row.id)
        }
        return [.say("\(rowText(rows.count)) selected")]
    }

    /// Rows that have left the window may have gone to another place: only the server knows.
    func selectedThatLeave(for window: Window) -> [ScreenOutcome] {
        guard !selection.isEmpty, window.isComplete, let previous = held.window,
            previous.generation == window.generation, previous.revision != window.revision
        else { return [] }
        let here = Set(window.rows.compactMap { $0?.id })
        let left = previous.rows.compactMap { $0?.id }.filter {
            selection.contains($0) && !here.contains($0)
        }
        return left.prefix(Limits.rowsPerAnchor).map { readDetail($0) }
    }

    private var columnsToSelect: [Int] {
        // A list may have no columns at all.
        [columns.layout.cell?.layout.selectableColumn ?? list.titleColumn ?? 0].filter(
            list.columns.indices.contains)
    }

    private var tooMany: String {
        "At most \(Limits.rowsPerSelection.grouped) can be selected: filter first"
    }

    var selectionText: String? { selection.isEmpty ? nil : "\(selection.count.grouped) selected" }

    // MARK: Rows to compare

    /// As many as can be told apart side by side.
    static let mostCompared = 8

    mutating func compareRow(_ row: Row) -> [ScreenOutcome] {
        if let place = selection.compared.firstIndex(where: { $0.id == row.id }) {
            selection.compared.remove(at: place)
            return [.say("Removed from the comparison")]
        }
        guard selection.compared.count < ListScreen.mostCompared else {
            return [.say("At most \(ListScreen.mostCompared) rows can be compared. D shows them")]
        }
        selection.compared.append(row)
        return [
            .say(
                selection.compared.count == 1
                    ? "Added to compare. M adds another row, D shows both"
                    : "\(selection.compared.count) rows to compare. D shows them side by side")
        ]
    }

    /// nil if no row is compared.
    mutating func endComparison() -> [ScreenOutcome]? {
        guard !selection.compared.isEmpty else { return nil }
        defer { selection.compared = [] }
        return [.say("\(rowText(selection.compared.count)) removed from the comparison")]
    }
}

/// `1 row`, `1,204 rows`
func rowText(_ count: Int) -> String { count == 1 ? "1 row" : "\(count.grouped) rows" }
