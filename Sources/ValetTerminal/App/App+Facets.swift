import ValetModel

/// The values of a column, and the sections of the list, over the list.
extension App {
    /// - Parameter column: nil for the list's own sections.
    mutating func openFacets(of column: Int?) -> [AppAction] {
        guard let list, connection.isConnected else {
            message = "Offline: values can't be counted"
            return []
        }
        guard let column else {
            guard list.isSectioned else {
                message = "There are no sections"
                return []
            }
            return show(.sections, of: list)
        }
        guard list.list.columns.indices.contains(column) else {
            message = "Can't count row numbers"
            return []
        }
        return show(.values(column: column), of: list)
    }

    private mutating func show(
        _ purpose: FacetScreen.Purpose, of list: ListScreen
    ) -> [AppAction] {
        facets = FacetScreen(
            list: list.list, purpose: purpose, query: list.query, glyphs: glyphs)
        return change(FacetScreen.self) { $0.ask(height: $0.body($1.size).count) }
    }
}
