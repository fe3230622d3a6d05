/// A frame with nothing in it.
struct Box: Hashable, Sendable {
    let rows: Range<Int>
    let columns: Range<Int>

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
        for (row, column, corner) in [
            (rows.lowerBound, columns.lowerBound, glyphs.corners[0]),
            (rows.lowerBound, right, glyphs.corners[1]),
            (last, columns.lowerBound, glyphs.corners[2]), (last, right, glyphs.corners[3]),
        ] {
            screen.write(corner, row: row, column: column)
        }
        screen.write(
            " \(title) ", row: rows.lowerBound, column: columns.lowerBound + 1,
            width: max(columns.count - 2, 0), style: .bold)
    }
}
