import ValetClient
import ValetModel

/// A list in a box that is filtered by typing: help, and the pickers of columns and values.
struct Palette: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        /// What stands in the left column: keys, or a mark.
        var keys: String
        var title: String
        var choice: Choice
    }

    enum Choice: Hashable, Sendable {
        case run(ScreenCommand)
        /// nil takes the sort back.
        case sort(column: String?)
        case group(column: String)
        /// nil goes nowhere.
        case goToRow(Int64?)
        case say(String)
        /// The value of the form's field.
        case pick(Cell)
        case act(RowAct, Row)
        case take(RowAction, Row)
    }

    enum Answer: Hashable, Sendable {
        case stay
        case cancel
        case choose(Choice)
    }

    let title: String
    let items: [Item]
    private var filter = TextField(limit: 256)
    private var selected: Int
    /// The row of the screen under which it opens; nil for the middle.
    private let row: Int?

    /// As narrow as its items, so that what it lies over is still seen.
    private let isSmall: Bool

    init(
        title: String, items: [Item], under row: Int? = nil, selected: Int = 0,
        isSmall: Bool = false
    ) {
        self.title = title
        self.items = items
        self.row = row
        self.selected = selected
        self.isSmall = isSmall
    }

    private var shown: [Item] {
        let wanted = filter.text.lowercased()
        guard !wanted.isEmpty else { return items }
        return items.filter {
            $0.title.lowercased().contains(wanted) || $0.keys.lowercased().contains(wanted)
        }
    }

    mutating func handle(_ key: Key) -> Answer {
        guard let command = KeyTable.palette[key] else {
            if filter.handle(key) { selected = 0 }
            return .stay
        }
        switch command {
        case .cancel: return .cancel
        case .choose:
            guard shown.indices.contains(selected) else { return .stay }
            return .choose(shown[selected].choice)
        case .move(let motion):
            selected = motion.place(from: selected, of: shown.count, page: 10)
            return .stay
        }
    }

    mutating func paste(_ text: String) {
        filter.insert(text)
        selected = 0
    }

    // MARK: Drawing

    private static let widest = 64

    func draw(on screen: inout Screen, glyphs: Glyphs) {
        let width = min(screen.size.columns, isSmall ? narrow(screen) : Palette.widest)
        let rows = isSmall ? max(screen.size.rows - 8, min(screen.size.rows, 6)) : screen.size.rows
        let height = min(rows, max(items.count, 1) + 3)
        let left = (screen.size.columns - width) / 2
        let room = screen.size.rows - height
        let top = row.map { max(min($0 + 1, room), 0) } ?? room / 2
        for row in top..<top + height {
            screen.fill(" ", row: row, columns: left..<left + width, style: .reverse)
        }
        screen.write(" \(title)", row: top, column: left, width: width, style: .reverse.with(.bold))
        let column = screen.write(
            " / ", row: top + 1, column: left, width: width, style: .reverse)
        screen.cursor = filter.draw(
            on: &screen, row: top + 1, column: column, width: left + width - column - 1,
            style: .reverse)
        guard height > 2 else { return }
        drawItems(on: &screen, glyphs, rows: top + 2..<top + height, left: left, width: width)
    }

    private func narrow(_ screen: Screen) -> Int {
        let texts = [title] + items.prefix(Limits.choicesPerColumn).map(\.title)
        let widest = texts.map { screen.sanitizer.width(of: $0, limit: Palette.widest) }.max() ?? 0
        return min(max(widest + 10, 24), Palette.widest)
    }

    private func drawItems(
        on screen: inout Screen, _ glyphs: Glyphs, rows: Range<Int>, left: Int, width: Int
    ) {
        let shown = shown
        guard !shown.isEmpty else {
            screen.write(" nothing like that", row: rows.lowerBound, column: left, style: .reverse)
            return
        }
        let count = max(rows.count - 1, 1)
        let first = max(min(selected - count / 2, shown.count - count), 0)
        let keysWidth = min(
            shown.map { screen.sanitizer.width(of: $0.keys, limit: 24) }.max() ?? 0, 24)
        for (offset, item) in shown.dropFirst(first).prefix(count).enumerated() {
            let row = rows.lowerBound + offset
            let isSelected = first + offset == selected
            let style = isSelected ? Style.reverse.with(.bold) : Style.reverse
            screen.write(
                isSelected ? glyphs.cursor : " ", row: row, column: left, style: style)
            screen.write(item.keys, row: row, column: left + 2, width: keysWidth, style: style)
            screen.write(
                item.title, row: row, column: left + 4 + keysWidth, width: width - 5 - keysWidth,
                style: style)
        }
    }
}
