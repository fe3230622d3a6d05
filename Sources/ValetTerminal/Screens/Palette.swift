import ValetClient
import ValetModel

/// A list in a box that is filtered by typing: help, and the pickers of columns and values.
struct Palette: Layer, Hashable {
    struct Item: Hashable, Sendable {
        /// What stands in the left column: keys, or a sign.
        var keys: String
        var title: String
        var choice: Choice
        /// What stands above the first of several; nil for nothing.
        var group: String?
    }

    enum Choice: Hashable, Sendable {
        case run(ScreenCommand)
        /// nil takes the sort back.
        case sort(column: String?)
        case sortWhole
        case group(column: String)
        /// With Space; Enter is done.
        case toggleColumn(Int)
        case showColumns(all: Bool)
        case goToColumn(Int)
        case openFacets(column: Int)
        /// By its place in the query.
        case editCondition(Int)
        case dropCondition(Int)
        /// nil goes nowhere.
        case goToRow(Int64?)
        case goTo(TypedPlace)
        /// What was not taken, by its number.
        case openRejection(Int)
        case ask(SavedQuery)
        case say(String)
        /// The value of the form's field.
        case pick(Cell)
        case act(RowAct, Row)
        case take(RowAction, Row)
    }

    let title: String
    private(set) var items: [Item]
    /// As wide as the screen.
    private let isWide: Bool
    /// Whether a row number or a percentage may be typed, too.
    let takesPlaces: Bool
    private var filter = TextField(limit: 256)
    private var selected: Int
    /// The first item that is shown, from a click to the next key: what is clicked stays in place.
    private var heldFirst: Int?
    /// The row of the screen under which it opens; nil for the middle.
    private let row: Int?
    /// As narrow as its items, so that what it lies over is still seen.
    private let isSmall: Bool

    init(
        title: String, items: [Item], under row: Int? = nil, selected: Int = 0,
        isSmall: Bool = false, takesPlaces: Bool = false, isWide: Bool = false
    ) {
        self.isWide = isWide
        self.title = title
        self.items = items
        self.takesPlaces = takesPlaces
        self.row = row
        self.selected = selected
        self.isSmall = isSmall
    }

    private var shown: [Item] {
        let wanted = filter.text.lowercased()
        guard !wanted.isEmpty else { return items }
        let found = items.filter {
            [$0.title, $0.keys].contains { $0.lowercased().firstRange(of: wanted) != nil }
        }
        // Those that begin with it are more likely meant.
        let begun = found.filter { $0.title.lowercased().hasPrefix(wanted) }
        return places + begun + found.filter { !$0.title.lowercased().hasPrefix(wanted) }
    }

    private var places: [Item] {
        guard takesPlaces, let place = TypedPlace(filter.text) else { return [] }
        let title =
            switch place {
            case .row(let number): "go to row \(number.grouped)"
            case .part: "go to \(filter.text)"
            }
        return [Item(keys: ":", title: title, choice: .goTo(place))]
    }

    /// A line of the list, which may be of no item.
    private enum Line: Hashable {
        case heading(String)
        /// By its place among those that are shown.
        case item(Int)
    }

    /// Headings stand as long as nothing is typed.
    private func lines(of shown: [Item]) -> [Line] {
        var lines: [Line] = []
        var group: String?
        for (place, item) in shown.enumerated() {
            if filter.text.isEmpty, let own = item.group, own != group {
                lines.append(.heading(own))
            }
            group = item.group
            lines.append(.item(place))
        }
        return lines
    }

    /// The same items in a new state.
    mutating func renew(_ items: [Item]) { self.items = items }

    // MARK: A layer

    var pastedField: TextField? { filter }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        heldFirst = nil
        let choice = shown[checked: selected]?.choice
        if key == .character(" ") {
            if case .toggleColumn(let column)? = choice {
                selected = min(selected + 1, shown.count - 1)
                return [.toggleColumn(column)]
            }
            if case .showColumns(let isAll)? = choice { return [.showColumns(all: isAll)] }
        }
        switch KeyTable.palette[key] {
        case .cancel: return [.close]
        case .choose: return choice.map { [.close, .choose($0)] } ?? []
        case .move(let motion): selected = motion.place(from: selected, of: shown.count, page: 10)
        case nil:
            let before = filter.text
            if filter.handle(key), filter.text != before { selected = 0 }
        }
        return []
    }

    /// A click on a row chooses it, and one beside the box cancels. A value of a form is selected
    /// first, and taken by another click.
    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        let box = box(on: context.size)
        let rows = itemRows(box)
        if let motion = mouse.motion {
            selected = motion.place(from: selected, of: shown.count, page: 10)
            heldFirst = nil
        }
        guard mouse.kind == .press(.left) else { return [] }
        guard box.contains(mouse.position) else { return [.close] }
        let lines = lines(of: shown)
        let line = firstShown(of: lines, in: rows) + mouse.position.row - rows.lowerBound
        guard rows.contains(mouse.position.row), case .item(let place)? = lines[checked: line],
            let choice = shown[checked: place]?.choice
        else { return [] }
        switch choice {
        case .toggleColumn(let column): return [.toggleColumn(column)]
        case .showColumns(let isAll): return [.showColumns(all: isAll)]
        case .pick where place != selected:
            heldFirst = firstShown(of: lines, in: rows)
            selected = place
            return []
        case let choice: return [.close, .choose(choice)]
        }
    }

    mutating func paste(_ text: String, in context: LayerContext) -> [ScreenOutcome] {
        paste(text)
        return []
    }

    mutating func paste(_ text: String) {
        filter.insert(text)
        (selected, heldFirst) = (0, nil)
    }

    // MARK: Drawing

    private static let (usual, widest) = (64, 84)

    /// Below the title and the filter, within the frame.
    private func itemRows(_ box: Box) -> Range<Int> {
        let first = min(box.rows.lowerBound + 2, box.rows.upperBound)
        return first..<min(first + max(box.rows.count - 3, 1), box.rows.upperBound)
    }

    private func box(on size: Size) -> Box {
        let roomy = max(min(size.columns - 8, Palette.widest), Palette.usual)
        let widest = isWide ? size.columns : isSmall ? narrow : roomy
        let width = min(size.columns, widest)
        let rows = isSmall ? max(size.rows - 8, min(size.rows, 6)) : size.rows
        let headings = Set(items.compactMap(\.group)).count
        let height = min(rows, max(items.count + headings, 1) + 3)
        let left = (size.columns - width) / 2
        let room = size.rows - height
        let top = row.map { max(min($0 + 1, room), 0) } ?? room / 2
        return Box(rows: top..<top + height, columns: left..<left + width)
    }

    private var narrow: Int {
        let sanitizer = Sanitizer()
        let texts = [title] + items.prefix(Limits.choicesPerColumn).map(\.title)
        let widest = texts.map { sanitizer.width(of: $0, limit: Palette.usual) }.max() ?? 0
        return min(max(widest + 10, 24), Palette.usual)
    }

    private func firstShown(of lines: [Line], in rows: Range<Int>) -> Int {
        let most = max(lines.count - rows.count, 0)
        let line = lines.firstIndex(of: .item(selected)) ?? 0
        if let heldFirst, heldFirst..<heldFirst + rows.count ~= line {
            return min(heldFirst, most)
        }
        return min(max(line - rows.count / 2, 0), most)
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        let box = box(on: screen.size)
        box.draw(on: &screen, title: title, context.glyphs)
        let (row, end) = (box.rows.lowerBound + 1, box.columns.upperBound - 2)
        let column = screen.write("/ ", row: row, column: box.columns.lowerBound + 2, style: .dim)
        screen.cursor = filter.draw(
            on: &screen, row: row, column: column, width: max(end - column, 1), style: .plain)
        if !itemRows(box).isEmpty { drawItems(on: &screen, context.glyphs, box) }
    }

    private func drawItems(on screen: inout Screen, _ glyphs: Glyphs, _ box: Box) {
        let shown = shown
        let (rows, left) = (itemRows(box), box.columns.lowerBound + 1)
        let end = box.columns.upperBound - 1
        guard !shown.isEmpty else {
            screen.write(
                " No matches", row: rows.lowerBound, column: left, width: max(end - left, 0))
            return
        }
        let lines = lines(of: shown)
        let keysWidth = min(
            shown.map { screen.sanitizer.width(of: $0.keys, limit: 24) }.max() ?? 0, 24)
        let first = firstShown(of: lines, in: rows)
        for (offset, line) in lines.dropFirst(first).prefix(rows.count).enumerated() {
            let row = rows.lowerBound + offset
            switch line {
            case .heading(let text):
                screen.write(
                    text, row: row, column: left + 2, width: max(end - left - 2, 0),
                    style: Style(.cyan, .bold))
            case .item(let place):
                draw(
                    shown[place], isSelected: place == selected, on: &screen, row: row,
                    columns: left..<end, keysWidth: keysWidth, glyphs)
            }
        }
    }

    private func draw(
        _ item: Item, isSelected: Bool, on screen: inout Screen, row: Int, columns: Range<Int>,
        keysWidth: Int, _ glyphs: Glyphs
    ) {
        let (left, end) = (columns.lowerBound, columns.upperBound)
        let title = left + 4 + keysWidth
        if isSelected { screen.write(glyphs.cursor, row: row, column: left) }
        screen.write(
            item.keys, row: row, column: left + 2, width: max(min(keysWidth, end - left - 2), 0),
            style: isSelected ? .bold : .dim)
        screen.write(
            item.title, row: row, column: title, width: max(end - title - 1, 0),
            style: isSelected ? .bold : .plain)
        if isSelected { screen.shade(row: row, columns: columns) }
    }
}
