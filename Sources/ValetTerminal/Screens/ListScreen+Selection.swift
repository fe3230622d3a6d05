import ValetClient
import ValetModel

/// The selection is the person's own: it outlives searches and groupings, and drops rows that are
/// gone.
extension ListScreen {
    /// Picks the row, or puts it back, and goes on to the next.
    mutating func select(_ row: Row, at milliseconds: Int) -> [ScreenOutcome] {
        if selection.contains(row.id) {
            selection.remove(CollectionOfOne(row.id))
        } else {
            guard selection.count < Limits.rowsPerSelection else { return [.say(tooMany)] }
            selection.insert(row.id)
            selection.newest = row
        }
        let message = isSelected(row) ? text(columns.layout.cell?.selectedMessage, of: row) : nil
        return move(.down, at: milliseconds) + (message.map { [.say($0)] } ?? [])
    }

    private func isSelected(_ row: Row) -> Bool { selection.contains(row.id) }

    /// What the list is called now: a catalog may let the newest selected row say so.
    var title: String {
        let selected = selection.newest.flatMap { row in
            isSelected(row) ? text(columns.layout.cell?.selectedTitle, of: row) : nil
        }
        return selected ?? notes.title ?? list.title
    }

    /// The colour of the row that gives the title.
    var titleTint: Tint? {
        guard let row = selection.newest, isSelected(row),
            columns.layout.cell?.selectedTitle != nil,
            let column = columns.layout.cell?.layout.tintColumn
        else { return nil }
        return columns.layout.tint(column, of: row, columns.positions)
    }

    private func text(_ template: RowTemplate?, of row: Row) -> String? {
        template.map { columns.text($0, of: row, glyphs) }
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
        guard asked == view.generation else {
            return [.say("Not selected: the query has changed")]
        }
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

    var selectionText: String? {
        selection.isEmpty ? nil : "\(selection.count.grouped) selected"
    }

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
