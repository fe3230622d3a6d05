import ValetClient
import ValetModel

/// Titles of other lists' rows, in place of their ids.
extension App {
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
        let layout = RowLayout(list: lists[place])
        let columns = layout.columns
        guard layout.title.columns.contains(where: { $0 >= 0 }) else { return nil }
        let carried = columns.map { cells.indices.contains($0) ? cells[$0] : .null }
        let title = layout.titleText(
            of: Row(id: row.rowID, cells: carried), positions: ShownColumns.positions(of: columns),
            glyphs: glyphs)
        return title.isEmpty ? nil : title
    }
}
