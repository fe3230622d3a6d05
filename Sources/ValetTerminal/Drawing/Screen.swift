import ValetModel

/// One cell of a screen.
package struct ScreenCell: Hashable, Sendable {
    package var character: Character
    /// 1, or 2 for a cluster that also covers the cell on its right; 0 for that cell.
    package var width: UInt8
    package var style: Style

    package static let blank = ScreenCell(character: " ", width: 1, style: .plain)

    /// True if a terminal shows the same: most of a style is not seen on a blank.
    func looks(like other: ScreenCell) -> Bool {
        self == other || isBlank && other.isBlank && style.looksOnBlanks(like: other.style)
    }

    var isBlank: Bool { character == " " && width == 1 }

    /// Quicker than to ask the character: the only clusters of one byte are ASCII's.
    var isASCII: Bool { character.utf8.count == 1 }
}

/// What a terminal shows, as a value: a grid of cells and where the cursor stands.
///
/// Screens are pure: an application draws one from its state, `DiffRenderer` turns two of them into
/// bytes, and tests compare them as text. All text goes in through `write`, and so through the
/// `Sanitizer`; there is no other way to put a character into a cell.
package struct Screen: Hashable, Sendable {
    package let size: Size
    package let sanitizer: Sanitizer
    /// Row by row.
    package private(set) var cells: [ScreenCell]
    /// Where the terminal's real cursor stands; nil hides it, as does a place outside the screen.
    package var cursor: Position? {
        didSet {
            guard let cursor else { return }
            let isInside =
                (0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column)
            if !isInside { self.cursor = nil }
        }
    }

    package init(size: Size, isASCII: Bool = false) {
        self.size = size
        sanitizer = Sanitizer(isASCII: isASCII)
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    package static func == (left: Screen, right: Screen) -> Bool {
        left.size == right.size && left.cursor == right.cursor && left.cells == right.cells
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(cells)
        hasher.combine(cursor)
    }

    package subscript(row: Int, column: Int) -> ScreenCell {
        cells[row * size.columns + column]
    }

    package func row(_ row: Int) -> ArraySlice<ScreenCell> {
        cells[row * size.columns..<(row + 1) * size.columns]
    }

    /// What stands at the end of text that did not fit.
    package enum Truncation: Sendable {
        case ellipsis
        case clip
    }

    /// Writes `text` into at most `width` columns from `column` on, and answers the column behind
    /// it. What lies outside the screen is left out.
    @discardableResult
    package mutating func write(
        _ text: some StringProtocol, row: Int, column: Int, width: Int = Size.largest,
        style: Style = .plain, truncation: Truncation = .ellipsis
    ) -> Int {
        let end = min(column + width, size.columns)
        guard row >= 0, row < size.rows, column >= 0, column < end else { return column }
        let (glyphs, isCut) = fitted(text, columns: end - column, truncation)
        var next = column
        for glyph in glyphs {
            put(glyph, row: row, column: next, style: style)
            next += glyph.width
        }
        // A wide cluster that did not fit leaves a column that belongs to the text all the same.
        if isCut {
            while next < end {
                put(Glyph(character: " ", width: 1), row: row, column: next, style: style)
                next += 1
            }
        }
        return next
    }

    /// Repeats the first glyph of `text` over `columns` of a row.
    package mutating func fill(
        _ text: String, row: Int, columns: Range<Int>, style: Style = .plain
    ) {
        guard row >= 0, row < size.rows, let glyph = sanitizer.glyphs(of: text).first else {
            return
        }
        precondition(glyph.width == 1, "a fill is made of narrow glyphs")
        for column in columns.clamped(to: 0..<size.columns) {
            put(glyph, row: row, column: column, style: style)
        }
    }

    /// Marks where a text stands that folds to `wanted`: in yellow, bold and underlined.
    ///
    /// - Parameter isAtStart: only at the beginning, behind blanks.
    package mutating func emphasize(
        _ wanted: [UInt8], row: Int, columns: Range<Int>, isAtStart: Bool = false
    ) {
        guard row >= 0, row < size.rows, !wanted.isEmpty else { return }
        var bytes: [UInt8] = []
        /// The cell that each byte is of.
        var places: [Int] = []
        for column in columns.clamped(to: 0..<size.columns) {
            let place = row * size.columns + column
            guard cells[place].width > 0 else { continue }
            let folded = TextFolding.fold(String(cells[place].character))
            bytes += folded
            places += Array(repeating: place, count: folded.count)
        }
        var start = bytes.prefix { $0 == UInt8(ascii: " ") && isAtStart }.count
        let last = isAtStart ? start : bytes.count
        while start <= last, start + wanted.count <= bytes.count {
            guard bytes[start..<start + wanted.count].elementsEqual(wanted) else {
                start += 1
                continue
            }
            for place in places[start..<start + wanted.count] {
                let attributes = cells[place].style.attributes.union([.bold, .underline])
                cells[place].style = Style(.yellow, attributes)
            }
            start += wanted.count
        }
    }

    /// Brings out a row: bold, but for what is dim, on a background of its own.
    package mutating func shade(row: Int, columns: Range<Int>) {
        guard row >= 0, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            let style = cells[row * size.columns + column].style
            let isDim = style.attributes.contains(.dim)
            cells[row * size.columns + column].style = style.with(
                isDim ? .shaded : [.shaded, .bold])
        }
    }

    /// For a terminal that shows no shades.
    var withoutShade: Screen {
        var screen = self
        for index in cells.indices where cells[index].style.attributes.contains(.shaded) {
            screen.cells[index].style.attributes.remove(.shaded)
        }
        return screen
    }

    /// Puts a smaller screen, with its cursor, on this one.
    mutating func draw(_ inner: Screen, row top: Int, column left: Int) {
        for row in 0..<inner.size.rows where (0..<size.rows).contains(top + row) {
            for column in 0..<inner.size.columns {
                let cell = inner[row, column]
                let place = left + column
                guard cell.width > 0, place >= 0, place + Int(cell.width) <= size.columns else {
                    continue
                }
                put(
                    Glyph(character: cell.character, width: Int(cell.width)), row: top + row,
                    column: place, style: cell.style)
            }
        }
        cursor = inner.cursor.map { Position(row: top + $0.row, column: left + $0.column) }
    }

    /// The lines as plain text, without the blanks at their ends.
    package var text: String { (0..<size.rows).map(line).joined(separator: "\n") }

    private func line(_ row: Int) -> String {
        var line = ""
        for cell in self.row(row) where cell.width > 0 {
            line.append(cell.character)
        }
        let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
        return String(line[..<end])
    }

    private func fitted(
        _ text: some StringProtocol, columns: Int, _ truncation: Truncation
    ) -> (glyphs: [Glyph], isCut: Bool) {
        var glyphs: [Glyph] = []
        var used = 0
        var isCut = false
        sanitizer.forEachGlyph(in: text) { glyph in
            isCut = used + glyph.width > columns
            guard !isCut else { return false }
            glyphs.append(glyph)
            used += glyph.width
            return true
        }
        if isCut, truncation == .ellipsis {
            while used > columns - 1, let last = glyphs.popLast() { used -= last.width }
            glyphs.append(Glyph(character: sanitizer.isASCII ? "~" : "…", width: 1))
        }
        return (glyphs, isCut)
    }

    /// The only place that fills cells. A wide cluster that loses one half loses the other too.
    private mutating func put(_ glyph: Glyph, row: Int, column: Int, style: Style) {
        let start = row * size.columns
        let covered = start + column..<start + column + glyph.width
        for index in covered {
            if cells[index].width == 0, index > start { blank(index - 1) }
            if cells[index].width == 2 { blank(index + 1) }
        }
        cells[covered.lowerBound] = ScreenCell(
            character: glyph.character, width: UInt8(glyph.width), style: style)
        if glyph.width == 2 {
            cells[covered.lowerBound + 1] = ScreenCell(character: " ", width: 0, style: style)
        }
    }

    private mutating func blank(_ index: Int) {
        cells[index] = ScreenCell(character: " ", width: 1, style: cells[index].style)
    }

    /// Moves `rows` up (`by` > 0) or down and blanks what comes free: what a terminal does when a
    /// scroll region moves.
    mutating func scroll(rows: Range<Int>, by count: Int) {
        let columns = size.columns
        let old = cells
        for row in rows {
            let source = row + count
            for column in 0..<columns {
                cells[row * columns + column] =
                    rows.contains(source) ? old[source * columns + column] : .blank
            }
        }
    }
}
