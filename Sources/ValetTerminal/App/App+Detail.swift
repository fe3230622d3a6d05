import ValetClient
import ValetModel

/// Rows that are read whole, alone or side by side: opened, and kept up to date.
extension App {
    mutating func openDetail(_ row: Row) -> [AppAction] {
        guard let list else { return [] }
        let read = list.readRow(row)
        let others = referring(to: list.list)
        detail = detail?.showing(read) ?? DetailScreen(read, referring: others, glyphs: glyphs)
        return connection.isConnected ? self.read([read]) : []
    }

    /// A row whose id means something in one revision alone, read at a later one than its list
    /// shows: it may be another row.
    func isOfAnotherRow(_ read: RowDetail, of name: String) -> Bool {
        guard let list = list(named: name), list.list.rowIDs == .revision else { return false }
        return list.held.window.map { $0.revision < read.revision } ?? true
    }

    /// Shows a row that was read, under the name that it has now.
    mutating func show(_ read: RowDetail, of name: String) {
        guard let list = list(named: name), !isForFormAlone(read) else { return }
        let own = changes.pending(in: name)[read.id]?.cells ?? [:]
        let cells = Dictionary(uniqueKeysWithValues: zip(read.cells.indices, read.cells))
        let title = self.name(ofRow: read.id, in: list, cells: cells)
        changeReadRows(of: name) { [milliseconds] in
            $0.take(read, title: title, own: own, at: milliseconds)
        }
    }

    /// The list that is shown, also behind a box over it.
    func list(named name: String) -> ListScreen? {
        [list, picker?.list].compactMap(\.self).first { $0.list.name == name }
    }

    /// Reads rows whole, each in its list.
    mutating func read(_ rows: [ReadRow]) -> [AppAction] {
        rows.map { calls.begin(.detail(list: $0.list.name, rowID: $0.id)) }
    }

    /// All rows that are shown whole.
    var readRows: [ReadRow] {
        var rows = comparison?.rows ?? []
        for case let row? in [detail?.row, pane.shown?.detail.row]
        where !rows.contains(where: { $0.id == row.id }) {
            rows.append(row)
        }
        return rows
    }

    /// What stands from before the connection broke, once the list is there again.
    ///
    /// - Parameter isOther: in another epoch, an id that is not stored with its row may name
    ///   another row.
    mutating func readRowsOfBefore(inOtherEpoch isOther: Bool) -> [AppAction] {
        let rows = readRows.filter(\.isOfBefore)
        guard let list, !rows.isEmpty else { return [] }
        guard !isOther || list.list.rowIDs == .row else {
            changeReadRows { if $0.isOfBefore { $0.failed(rowID: $0.id, App.rowsHaveChanged) } }
            return []
        }
        return read(rows)
    }

    static let rowsHaveChanged = ValetError(
        .catalogChanged, "the rows have changed: choose one again")

    /// All rows of a list that are shown whole.
    mutating func changeReadRows(of name: String, _ change: (inout ReadRow) -> Void) {
        changeReadRows { if $0.list.name == name { change(&$0) } }
    }

    mutating func changeReadRows(_ change: (inout ReadRow) -> Void) {
        if var row = detail?.row {
            change(&row)
            detail?.row = row
        }
        if var row = pane.shown?.detail.row {
            change(&row)
            pane.shown?.detail.row = row
        }
        comparison?.changeRows(change)
    }

    /// What names a row of these cells, by column.
    /// - Parameter rowID: nil for a new row, whose name may be empty.
    func name(ofRow rowID: Int64?, in list: ListScreen, cells: [Int: Cell]) -> String {
        let layout = list.columns.layout
        let row = Row(id: rowID ?? 0, cells: layout.columns.map { cells[$0] ?? .null })
        let name = layout.nameText(
            of: row, positions: ShownColumns.positions(of: layout.columns), glyphs: glyphs)
        return name ?? rowID.map(RowLayout.name(ofRow:)) ?? ""
    }

    /// The detail shows an own change until it has been read again.
    mutating func keepInDetail(_ entry: OwnChanges.Entry) {
        guard entry.list == list?.list.name, case .update(let edits) = entry.change else { return }
        changeReadRows(of: entry.list) { row in
            for edit in edits where edit.rowID == row.id { row.keep(edit.cells) }
        }
    }

    /// Others may have changed the row since: the list's window stands, the detail does not.
    mutating func readDetailAgain() -> [AppAction] {
        guard connection.isConnected, list.map({ $0.list.rowIDs >= .epoch }) == true,
            let revision = list?.held.window?.revision
        else { return [] }
        var rows = comparison?.reads(for: revision) ?? []
        if let row = detail?.row, detail?.row.reads(for: revision) == true { rows.append(row) }
        return read(rows)
    }

    /// The list's window is standing, so only the detail has to be read again.
    mutating func readDetail(after entry: OwnChanges.Entry) -> [AppAction] {
        guard entry.list == list?.list.name, connection.isConnected else { return [] }
        return read((detail.map { [$0.row] } ?? []) + (comparison?.rows ?? []))
    }

    // MARK: Rows side by side

    mutating func compare() -> [AppAction] {
        guard let list else { return [] }
        guard list.selection.compared.count > 1 else {
            let rows = list.selection.compared.isEmpty ? "two rows" : "one more row"
            return say("Press M on \(rows), then D to compare them")
        }
        let screen = CompareScreen(list.selection.compared.map { list.readRow($0) }, glyphs: glyphs)
        comparison = screen
        return connection.isConnected ? read(screen.rows) : []
    }

    mutating func takeOut(_ rowID: Int64) -> [AppAction] {
        list?.selection.compared.removeAll { $0.id == rowID }
        guard let comparison, comparison.rows.count < 2 else { return [] }
        message = "Only one row left to compare. M adds another"
        return close(CompareScreen.self)
    }

    // MARK: Titles of other lists' rows, in place of their ids

    /// Asks for the titles that the screen lacks.
    mutating func readLinked() -> [AppAction] {
        guard connection.isConnected else { return [] }
        return linked.show(linkedOnScreen).map {
            calls.begin(.linked(list: $0.list, rowID: $0.rowID))
        }
    }

    private var linkedOnScreen: Set<LinkedRow> {
        let beside = isListSeen && isPaneShown ? pane.shown?.detail.row.linkedRows ?? [] : []
        return layers.shown.reduce(into: beside) { $0.formUnion($1.linkedRows) }
    }

    /// - Parameter cells: in the order of the list's columns; nil for a row that is not there.
    mutating func take(linked cells: [Cell]?, list name: String, rowID: Int64) {
        let row = LinkedRow(list: name, rowID: rowID)
        linked.take(cells.flatMap { title(of: row, cells: $0) }, of: row)
    }

    /// Nil where the row id is all that names it.
    private func title(of row: LinkedRow, cells: [Cell]) -> String? {
        guard let lists = catalog?.catalog.lists,
            let place = NameLookup.index(of: row.list, in: lists, by: \.name)
        else { return nil }
        let columns = Array(lists[place].columns.indices)
        let carried = Row(id: row.rowID, cells: columns.map { cells[checked: $0] ?? .null })
        let title = RowLayout(list: lists[place]).titleText(
            of: carried, positions: ShownColumns.positions(of: columns), glyphs: glyphs)
        return title.isEmpty ? nil : title
    }

    // MARK: Beside a frozen list

    /// The rows that are shown whole are all read again, as they are now.
    mutating func thaw(because error: ValetError) -> [AppAction] {
        guard list?.frozen != nil else { return [] }
        return run(list?.thaw(because: error) ?? []) + read(readRows)
    }

    /// What was to be copied, or shown whole, is not: its value may be another now.
    mutating func thaw(because error: ValetError, withoutCopy isCopy: Bool) -> [AppAction] {
        calls.forget(.wholeRow)
        calls.forget(.wholeRows)
        let actions = thaw(because: error)
        if isCopy { message = message.map { "Not copied. \($0)" } }
        return actions
    }

    /// Whether rows that the server kept for a frozen list are kept no longer.
    func isNotKept(_ error: ValetError) -> Bool { list?.frozen != nil && error.code == .expired }

    /// A row as it is now, for the form that changes it.
    mutating func newestDetail(for form: FormScreen) -> [AppAction] {
        guard let rowID = form.rowID else { return [] }
        let isNewest = list?.frozen != nil
        return [calls.begin(.detail(list: form.list.name, rowID: rowID, isNewest: isNewest))]
    }

    /// Whether a row was read for the form alone, while the list shows what it was before.
    func isForFormAlone(_ read: RowDetail) -> Bool {
        guard let frozen = list?.frozen?.revision, read.revision > frozen else { return false }
        return edited?.rowID == read.id
    }
}
