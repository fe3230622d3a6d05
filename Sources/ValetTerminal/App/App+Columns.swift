import ValetModel

/// Which columns of a table are shown.
extension App {
    /// The columns of a table, those that are shown with a sign. The title always is.
    var columnPicker: Palette {
        guard let list else { return Palette(title: "Columns", items: []) }
        let shown = Set(list.columns.layout.tableOrder)
        return Palette(
            title: "Columns: Space shows or hides, Enter closes",
            items: list.list.columns.indices.filter { $0 != list.list.titleColumn }.map { column in
                Palette.Item(
                    keys: shown.contains(column) ? glyphs.check : " ",
                    title: list.list.columns[column].label, choice: .toggleColumn(column))
            })
    }
}
