/// A frame with nothing in it.
struct Box: Hashable, Sendable {
    let rows: Range<Int>
    let columns: Range<Int>

    func contains(_ position: Position) -> Bool {
        rows.contains(position.row) && columns.contains(position.column)
    }

    func draw(on screen: inout Screen, title: String, _ glyphs: Glyphs) {
        guard let last = rows.last, let right = columns.last else { return }
        for row in rows {
            screen.fill(" ", row: row, columns: columns)
            screen.write(glyphs.side, row: row, column: columns.lowerBound)
            screen.write(glyphs.side, row: row, column: right)
        }
        for row in [rows.lowerBound, last] {
            screen.fill(glyphs.line, row: row, columns: columns)
        }
        let (top, left) = (rows.lowerBound, columns.lowerBound)
        let places = [(top, left), (top, right), (last, left), (last, right)]
        for ((row, column), corner) in zip(places, glyphs.corners) {
            screen.write(corner, row: row, column: column)
        }
        screen.write(
            " \(title) ", row: rows.lowerBound, column: columns.lowerBound + 1,
            width: max(columns.count - 2, 0), style: .bold)
    }
}

extension Box {
    /// As large as the screen allows.
    init(columns: Int, rows: Int, inMiddleOf size: Size) {
        let (width, height) = (min(columns, size.columns), min(rows, size.rows))
        let (left, top) = ((size.columns - width) / 2, (size.rows - height) / 2)
        self.init(rows: top..<top + height, columns: left..<left + width)
    }
}

/// Answers side by side, on as many lines as they need: drawn and clicked by one layout.
struct Buttons<Act: Hashable & Sendable>: Hashable, Sendable {
    private struct Button: Hashable, Sendable {
        let text: String
        let act: Act
        let line: Int
        let columns: Range<Int>
    }

    private var buttons: [Button] = []

    /// - Parameter width: of each line.
    init(_ items: [(text: String, act: Act)], width: Int, gap: Int = 3, _ sanitizer: Sanitizer) {
        var (line, column) = (0, 0)
        for item in items {
            let room = sanitizer.width(of: item.text)
            if column > 0, column + room > width { (line, column) = (line + 1, 0) }
            buttons.append(
                Button(text: item.text, act: item.act, line: line, columns: column..<column + room))
            column += room + gap
        }
    }

    var lineCount: Int { (buttons.last?.line ?? -1) + 1 }
    /// Of the widest line.
    var width: Int { buttons.map(\.columns.upperBound).max() ?? 0 }

    func act(line: Int, column: Int) -> Act? {
        buttons.first { $0.line == line && $0.columns.contains(column) }?.act
    }

    /// - Parameters:
    ///   - lines: how many of them there is room for.
    ///   - end: the column behind the last that may be written to.
    func draw(
        on screen: inout Screen, row: Int, column: Int, lines: Int, end: Int, style: (Act) -> Style
    ) {
        for button in buttons where button.line < lines {
            let start = column + button.columns.lowerBound
            screen.write(
                button.text, row: row + button.line, column: start, width: max(end - start, 0),
                style: style(button.act))
        }
    }
}
