import ValetModel

/// The section index at the right edge: the search mark, then titles, as many as there are lines.
enum SectionStrip {
    /// Columns that a title may take.
    static let widest = 5

    /// Columns that the titles of an index take.
    static func width(of index: [IndexEntry]) -> Int {
        let widths = index.lazy.map { Sanitizer().width(of: $0.title, limit: widest) }
        return min(widths.max() ?? 0, widest)
    }

    /// The entry that a row belongs to.
    static func current(in index: [IndexEntry], at ordinal: Int) -> Int? {
        index.lastIndex { $0.first <= ordinal }
    }

    /// The entry behind each line below the search mark, from 0. With more titles than lines every
    /// line still stands for one.
    static func entry(at line: Int, of count: Int, lines: Int) -> Int? {
        guard line >= 0, line < lines, count > 0 else { return nil }
        if count <= lines { return line < count ? line : nil }
        guard lines > 1 else { return 0 }
        return (line * (count - 1) + (lines - 1) / 2) / (lines - 1)
    }

    static func draw(
        _ index: [IndexEntry], on screen: inout Screen, rows: Range<Int>, columns: Range<Int>,
        at ordinal: Int, isWalking: Bool, glyphs: Glyphs
    ) {
        guard !columns.isEmpty, rows.count > 1 else { return }
        let lines = rows.count - 1
        write(glyphs.searchMark, on: &screen, row: rows.lowerBound, columns, .plain)
        let current = current(in: index, at: ordinal)
        let currentLine = current.flatMap { current in
            (0..<lines).last { (entry(at: $0, of: index.count, lines: lines) ?? .max) <= current }
        }
        for line in 0..<lines {
            guard let place = entry(at: line, of: index.count, lines: lines) else { break }
            let row = rows.lowerBound + 1 + line
            if line == currentLine, let current {
                let style = isWalking ? Style.reverse.with(.bold) : .bold
                write(glyphs.plain(index[current].title), on: &screen, row: row, columns, style)
            } else if index.count <= lines || line.isMultiple(of: 2) || line == lines - 1 {
                write(glyphs.plain(index[place].title), on: &screen, row: row, columns, .plain)
            } else {
                write(glyphs.dot, on: &screen, row: row, columns, .plain)
            }
        }
    }

    /// With a zero for each digit.
    private static let dates = ["0000-00", "0000-00-00", "0000-00-00 00:00"]

    /// What tells the days or hours of a list apart, where the year would fill the strip.
    static func short(_ title: String) -> String {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isDate = dates.contains { date in
            date.utf8.elementsEqual(title.utf8) { digits ~= $0 ? digits ~= $1 : $0 == $1 }
        }
        return isDate ? String(title.suffix(widest)) : title
    }

    private static func write(
        _ title: String, on screen: inout Screen, row: Int, _ columns: Range<Int>, _ style: Style
    ) {
        let text = short(title)
        let free = columns.count - screen.sanitizer.width(of: text, limit: columns.count)
        screen.write(
            text, row: row, column: columns.lowerBound + max(free, 0), width: columns.count,
            style: style)
    }
}
