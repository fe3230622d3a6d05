import ValetModel

/// Compared rows side by side, over the list.
extension App {
    mutating func compare() -> [AppAction] {
        guard let list else { return [] }
        guard list.selection.compared.count > 1 else {
            let rows = list.selection.compared.isEmpty ? "two rows" : "one more row"
            message = "Press M on \(rows), then D to compare them"
            return []
        }
        let screen = CompareScreen(
            list.selection.compared.map { row in
                ReadRow(
                    list: list.list, row: row, positions: list.columns.positions,
                    title: list.name(of: row))
            }, glyphs: glyphs)
        comparison = screen
        return connection.isConnected ? read(screen.rows) : []
    }

    mutating func takeOut(_ rowID: Int64) -> [AppAction] {
        list?.selection.compared.removeAll { $0.id == rowID }
        guard let comparison, comparison.rows.count < 2 else { return [] }
        message = "Only one row left to compare. M adds another"
        return close(CompareScreen.self)
    }
}
