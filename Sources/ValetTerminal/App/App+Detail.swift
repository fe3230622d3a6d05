import ValetClient
import ValetModel

/// The detail of a row: opened, read, and kept up to date.
extension App {
    mutating func openDetail(_ row: Row) -> [AppAction] {
        guard let list else { return [] }
        let positions = list.columnPositions
        let title = list.layout.nameText(of: row, positions: positions, glyphs: glyphs)
        let read = ReadRow(list: list.list, row: row, positions: positions, title: title)
        detail = detail?.showing(read) ?? DetailScreen(read, glyphs: glyphs)
        return connection.isConnected ? [.requestDetail(rowID: row.id)] : []
    }

    /// A row whose id means something in one revision alone, read at a later one than its list
    /// shows: it may be another row.
    func isOfAnotherRow(_ read: RowDetail) -> Bool {
        guard let list, list.list.rowIDs == .revision else { return false }
        return list.held.window.map { $0.revision < read.revision } ?? true
    }

    /// Shows a row that was read, under the name that it has now.
    mutating func show(_ read: RowDetail) {
        guard !isForFormAlone(read) else { return }
        let own = ownCells(ofRow: read.id)
        let cells = Dictionary(uniqueKeysWithValues: zip(read.cells.indices, read.cells))
        let title = name(ofRow: read.id, cells: cells)
        changeReadRows { [milliseconds] in
            $0.take(read, title: title, own: own, at: milliseconds)
        }
    }

    /// All rows that are shown whole.
    mutating func changeReadRows(_ change: (inout ReadRow) -> Void) {
        if var row = detail?.row {
            change(&row)
            detail?.row = row
        }
        if var row = pane?.detail.row {
            change(&row)
            pane?.detail.row = row
        }
        comparison?.changeRows(change)
    }

    /// What names a row of these cells, by column.
    func name(ofRow rowID: Int64, cells: [Int: Cell]) -> String {
        guard let layout = list?.layout else { return "" }
        let row = Row(id: rowID, cells: layout.columns.map { cells[$0] ?? .null })
        return layout.nameText(
            of: row, positions: ListScreen.positions(of: layout.columns), glyphs: glyphs)
    }

    /// What the person has made of a row's cells, as far as it waits for its outcome.
    func ownCells(ofRow rowID: Int64) -> [Int: Cell] {
        list.flatMap { changes.marks(in: $0.list.name)[rowID]?.cells } ?? [:]
    }

    /// The detail shows an own change until it has been read again.
    mutating func keepInDetail(_ entry: OwnChanges.Entry) {
        guard entry.list == list?.list.name, case .update(let edits) = entry.change else { return }
        changeReadRows { row in
            for edit in edits where edit.rowID == row.id { row.keep(edit.cells) }
        }
    }

    /// Others may have changed the row since: the list's window stands, the detail does not.
    mutating func readDetailAgain() -> [AppAction] {
        guard connection.isConnected, list.map({ $0.list.rowIDs >= .epoch }) == true,
            let revision = list?.held.window?.revision
        else { return [] }
        var rowIDs = comparison?.reads(for: revision) ?? []
        if let rowID = detail?.row.id, detail?.row.reads(for: revision) == true {
            rowIDs.append(rowID)
        }
        return rowIDs.map { .requestDetail(rowID: $0) }
    }

    /// The list's window is standing, so only the detail has to be read again.
    func readDetail(after entry: OwnChanges.Entry) -> [AppAction] {
        guard entry.list == list?.list.name, connection.isConnected else { return [] }
        let rowIDs = (detail.map { [$0.row.id] } ?? []) + (comparison?.rowIDs ?? [])
        return rowIDs.map { .requestDetail(rowID: $0) }
    }
}
