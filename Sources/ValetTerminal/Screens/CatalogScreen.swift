import ValetModel

/// The lists that a server offers.
struct CatalogScreen: Hashable, Sendable {
    private(set) var catalog: Catalog
    private(set) var rowCounts: [Int?]
    private(set) var selected = 0
    private var top = 0

    init(catalog: Catalog, rowCounts: [Int?]) {
        self.catalog = catalog
        self.rowCounts = rowCounts
    }

    /// The catalog again; the selection stays on its list, and a count until there is a newer one.
    mutating func update(catalog new: Catalog, rowCounts newer: [Int?]) {
        let name = selectedList?.name
        let known = zip(catalog.lists, rowCounts)
        rowCounts = zip(new.lists, newer).map { list, count in
            count ?? known.first { $0.0.name == list.name }?.1
        }
        catalog = new
        selected = new.lists.firstIndex { $0.name == name } ?? 0
    }

    /// True when there is a list whose rows nobody has counted.
    var lacksCounts: Bool { rowCounts.contains(nil) }

    var selectedList: ListDescription? { catalog.lists[checked: selected] }

    /// Of the selected list.
    mutating func learn(rows: Int) {
        if rowCounts.indices.contains(selected) { rowCounts[selected] = rows }
    }

    mutating func select(named name: String) {
        selected = catalog.lists.firstIndex { $0.name == name } ?? selected
    }

    mutating func move(_ motion: Motion, height: Int) {
        selected = motion.place(from: selected, of: catalog.lists.count, page: max(height - 1, 1))
        scroll(height: height)
    }

    mutating func scroll(height: Int) {
        top = min(max(top, selected - max(height, 1) + 1), selected)
    }

    /// True when the click hit a list; that list is selected then.
    mutating func click(line: Int) -> Bool {
        guard catalog.lists.indices.contains(top + line), line >= 0 else { return false }
        selected = top + line
        return true
    }

    func draw(on screen: inout Screen, rows: Range<Int>, glyphs: Glyphs) {
        let columns = screen.size.columns
        if catalog.lists.isEmpty {
            let words =
                catalog.leftOut.isEmpty ? "There are no lists here." : catalog.reasonForNoLists
            screen.write(" " + words, row: rows.lowerBound, column: 0, style: .dim)
        }
        for (line, list) in catalog.lists.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + line
            let isSelected = top + line == selected
            let text = (rowCounts[checked: top + line] ?? nil)?.grouped ?? ""
            screen.write(
                list.title, row: row, column: 3, width: max(columns - text.count - 6, 1),
                style: isSelected ? .bold : .plain)
            screen.write(text, row: row, column: columns - text.count - 2, style: .dim)
            if isSelected {
                screen.write(glyphs.cursor, row: row, column: 0)
                screen.cursor = Position(row: row, column: min(3, columns - 1))
            }
        }
    }
}
