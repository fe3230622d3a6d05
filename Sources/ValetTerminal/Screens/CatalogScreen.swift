import ValetModel

/// The lists that a server offers.
struct CatalogScreen: Hashable, Sendable {
    private(set) var catalog: Catalog
    private(set) var rowCounts: [Int?]
    private(set) var selected = 0
    /// The first line that is shown.
    private var top = 0
    /// The lists that were opened, by name, the newest first.
    private var recent: [String] = []
    /// What is typed to find a list; nil while all are shown.
    private(set) var wanted: TextField?
    /// The places of the lists that are shown.
    private var shown: [Int]

    init(catalog: Catalog, rowCounts: [Int?]) {
        self.catalog = catalog
        self.rowCounts = rowCounts
        shown = Array(catalog.lists.indices)
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
        find()
    }

    /// True when there is a list whose rows nobody has counted.
    var lacksCounts: Bool { rowCounts.contains(nil) }

    /// nil where none is found.
    var selectedList: ListDescription? { shown.isEmpty ? nil : catalog.lists[checked: selected] }

    /// Of the selected list.
    mutating func learn(rows: Int) {
        if rowCounts.indices.contains(selected) { rowCounts[selected] = rows }
    }

    mutating func select(named name: String) {
        selected = catalog.lists.firstIndex { $0.name == name } ?? selected
        recent = [name] + recent.filter { $0 != name }
        find()
    }

    mutating func move(_ motion: Motion, height: Int) {
        let place = motion.place(from: place, of: shown.count, page: max(height - 1, 1))
        selected = shown[checked: place] ?? 0
        scroll(height: height)
    }

    /// Among those that are shown.
    private var place: Int { shown.firstIndex(of: selected) ?? 0 }

    mutating func scroll(height: Int) {
        let lines = lines
        guard let line = lines.firstIndex(of: .list(selected)) else { return top = 0 }
        // A list that a heading stands above is seen with it.
        var first = line
        while first > 0, lines[first - 1].isHeading { first -= 1 }
        top = min(max(top, line - max(height, 1) + 1), line - first < height ? first : line)
    }

    // MARK: Lines

    private enum Line: Hashable {
        case list(Int)
        case heading(String)

        var isHeading: Bool { if case .heading = self { true } else { false } }
    }

    /// So few are seen at a glance, in the catalog's order and under its headings. Of more, those
    /// that were opened come first.
    private static let fewLists = 20

    private var hasOwnOrder: Bool { wanted != nil || catalog.lists.count <= Self.fewLists }

    private var lines: [Line] {
        guard wanted == nil, hasOwnOrder else { return shown.map(Line.list) }
        var (lines, heading) = ([Line](), String?.none)
        for place in shown {
            if let own = catalog.lists[place].heading, own != heading {
                if !lines.isEmpty { lines.append(.heading("")) }
                lines.append(.heading(own))
                heading = own
            }
            lines.append(.list(place))
        }
        return lines
    }

    // MARK: Finding

    mutating func beginFinding() { wanted = wanted ?? TextField(limit: Limits.bytesPerName) }

    /// All lists again.
    mutating func endFinding() {
        wanted = nil
        find()
    }

    mutating func changeWanted(_ change: (inout TextField) -> Void) {
        guard var field = wanted else { return }
        change(&field)
        let isOther = field.text != wanted?.text
        wanted = field
        find()
        if isOther, !field.text.isEmpty { selected = shown.first ?? 0 }
    }

    /// By name or title, whatever their case and accents.
    private mutating func find() {
        let folded = TextFolding.fold(wanted?.text ?? "")
        shown = catalog.lists.indices.filter { place in
            let list = catalog.lists[place]
            return folded.isEmpty
                || [list.title, list.name].contains { TextFolding.fold($0).contains(folded) }
        }
        if !folded.isEmpty {
            // Those that begin with it are more likely meant.
            let begun = Set(
                shown.filter { place in
                    let list = catalog.lists[place]
                    return [list.title, list.name].contains {
                        TextFolding.fold($0).starts(with: folded)
                    }
                })
            shown = shown.filter(begun.contains) + shown.filter { !begun.contains($0) }
        }
        if !hasOwnOrder {
            let ranks = Dictionary(uniqueKeysWithValues: recent.enumerated().map { ($1, $0) })
            let known = shown.compactMap { place in
                ranks[catalog.lists[place].name].map { (rank: $0, place: place) }
            }
            shown =
                known.sorted { $0.rank < $1.rank }.map(\.place)
                + shown.filter { ranks[catalog.lists[$0].name] == nil }
        }
        if !shown.contains(selected) { selected = shown.first ?? 0 }
        if top >= shown.count { top = 0 }
    }

    /// True when the click hit a list; that list is selected then.
    mutating func click(line: Int) -> Bool {
        guard line >= 0, case .list(let clicked)? = lines[checked: top + line] else {
            return false
        }
        selected = clicked
        return true
    }

    func draw(on screen: inout Screen, rows: Range<Int>, glyphs: Glyphs) {
        let columns = screen.size.columns
        if catalog.lists.isEmpty {
            let words =
                catalog.leftOut.isEmpty ? "There are no lists here." : catalog.reasonForNoLists
            screen.write(" " + words, row: rows.lowerBound, column: 0, style: .dim)
        }
        if let wanted {
            screen.drawPrompt("/ ", wanted, row: rows.lowerBound > 0 ? rows.lowerBound - 1 : 0)
            if shown.isEmpty {
                screen.write("No list has this in its name.", row: rows.lowerBound, column: 3)
            }
        }
        for (offset, line) in lines.dropFirst(top).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            guard case .list(let place) = line else {
                if case .heading(let text) = line {
                    screen.write(text, row: row, column: 1, style: Style(.cyan, .bold))
                }
                continue
            }
            let list = catalog.lists[place]
            let isSelected = place == selected
            let text = (rowCounts[checked: place] ?? nil)?.grouped ?? ""
            screen.write(
                list.title, row: row, column: 3, width: max(columns - text.count - 6, 1),
                style: isSelected ? .bold : .plain)
            screen.write(text, row: row, column: columns - text.count - 2, style: .dim)
            if isSelected {
                screen.write(glyphs.cursor, row: row, column: 0)
                if wanted == nil {
                    screen.cursor = Position(row: row, column: min(3, columns - 1))
                }
            }
        }
    }
}
