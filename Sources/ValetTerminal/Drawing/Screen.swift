import ValetModel

/// What a terminal shows, as a value: a grid of cells and where the cursor stands.
///
/// Screens are pure: an application draws one from its state, `DiffRenderer` turns two of them into
/// bytes, and tests compare them as text. All text goes in through `write`, and so through the
/// `Sanitizer`; there is no other way to put a character into a cell.
package struct Screen: Hashable, Sendable {
    package let size: Size
    package let sanitizer: Sanitizer
    /// Row by row.
    private var grid: [PackedCell]
    /// Whether a contentious cluster was ever put in: only then are rows searched for them.
    private(set) var isContentious = false
    /// Those that don't fit into a word.
    private var longClusters: [Cluster: Character] = [:]
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
        grid = Array(repeating: .blank, count: size.columns * size.rows)
    }

    package static func == (left: Screen, right: Screen) -> Bool {
        left.size == right.size && left.cursor == right.cursor && left.grid == right.grid
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(grid)
        hasher.combine(cursor)
    }

    package subscript(row: Int, column: Int) -> ScreenCell {
        unpacked(grid[row * size.columns + column])
    }

    package func row(_ row: Int) -> [ScreenCell] { packedRow(row).map(unpacked) }

    func packedRow(_ row: Int) -> ArraySlice<PackedCell> {
        grid[row * size.columns..<(row + 1) * size.columns]
    }

    func character(of cluster: Cluster) -> Character {
        cluster.isHash ? longClusters[cluster] ?? " " : cluster.character
    }

    private func unpacked(_ cell: PackedCell) -> ScreenCell {
        ScreenCell(character: character(of: cell.cluster), width: cell.width, style: cell.style)
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
        if let next = writePlain(text, row, column..<end, style, truncation) { return next }
        var (next, last) = (column, column)
        var isCut = false
        sanitizer.forEachGlyph(in: text) { glyph in
            isCut = next + glyph.width > end
            guard !isCut else { return false }
            put(packed(glyph, style), row, next)
            (last, next) = (next, next + glyph.width)
            return true
        }
        guard isCut else { return next }
        if truncation == .ellipsis {
            // In the place of the last glyph where no column is free.
            if next == end { next = last }
            put(packed(ellipsis, style), row, next)
            next += 1
        }
        // A wide cluster that did not fit leaves a column that belongs to the text all the same.
        while next < end {
            put(PackedCell(cluster: .blank, width: 1, style: style), row, next)
            next += 1
        }
        return next
    }

    /// The same for plain ASCII, which nearly all text is; nil for any other.
    private mutating func writePlain(
        _ text: some StringProtocol, _ row: Int, _ columns: Range<Int>, _ style: Style,
        _ truncation: Truncation
    ) -> Int? {
        let next = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            guard let count = Sanitizer.plainCount(of: bytes, limit: columns.count) else {
                return nil
            }
            let isCut = count > columns.count
            let hasEllipsis = isCut && truncation == .ellipsis
            let shown = min(count, columns.count) - (hasEllipsis ? 1 : 0)
            put(bytes.prefix(shown), row, columns.lowerBound, style)
            guard isCut else { return columns.lowerBound + count }
            if hasEllipsis { put(packed(ellipsis, style), row, columns.upperBound - 1) }
            return columns.upperBound
        }
        return next ?? nil
    }

    private var ellipsis: Glyph {
        Glyph(character: sanitizer.isASCII ? "~" : "…", width: 1)
    }

    /// Repeats the first glyph of `text` over `columns` of a row.
    package mutating func fill(
        _ text: String, row: Int, columns: Range<Int>, style: Style = .plain
    ) {
        guard row >= 0, row < size.rows, let glyph = sanitizer.glyphs(of: text).first else {
            return
        }
        precondition(glyph.width == 1, "a fill is made of narrow glyphs")
        let cell = packed(glyph, style)
        for column in columns.clamped(to: 0..<size.columns) { put(cell, row, column) }
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
            guard grid[place].width > 0 else { continue }
            let cluster = grid[place].cluster
            if let byte = cluster.ascii {
                bytes.append(TextFolding.lowercased(byte))
                places.append(place)
            } else {
                bytes += TextFolding.fold(String(character(of: cluster)))
                places += Array(repeating: place, count: bytes.count - places.count)
            }
        }
        var start = bytes.prefix { $0 == UInt8(ascii: " ") && isAtStart }.count
        let last = isAtStart ? start : bytes.count
        while start <= last, start + wanted.count <= bytes.count {
            guard bytes[start..<start + wanted.count].elementsEqual(wanted) else {
                start += 1
                continue
            }
            for place in places[start..<start + wanted.count] {
                let attributes = grid[place].style.attributes.union([.bold, .underline])
                grid[place].style = Style(.yellow, attributes)
            }
            start += wanted.count
        }
    }

    /// Brings out a row: bold, but for what is dim, on a background of its own.
    package mutating func shade(row: Int, columns: Range<Int>) {
        guard row >= 0, row < size.rows else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            let style = grid[row * size.columns + column].style
            let isDim = style.attributes.contains(.dim)
            grid[row * size.columns + column].style = style.with(
                isDim ? .shaded : [.shaded, .bold])
        }
    }

    /// Puts a smaller screen, with its cursor, on this one.
    mutating func draw(_ inner: Screen, row top: Int, column left: Int) {
        longClusters.merge(inner.longClusters) { _, inner in inner }
        isContentious = isContentious || inner.isContentious
        for row in 0..<inner.size.rows where (0..<size.rows).contains(top + row) {
            for (place, cell) in zip(left..., inner.packedRow(row)) {
                guard cell.width > 0, place >= 0, place + cell.width <= size.columns else {
                    continue
                }
                put(cell, top + row, place)
            }
        }
        cursor = inner.cursor.map { Position(row: top + $0.row, column: left + $0.column) }
    }

    /// The lines as plain text, without the blanks at their ends.
    package var text: String { (0..<size.rows).map(line).joined(separator: "\n") }

    private func line(_ row: Int) -> String {
        var line = ""
        for cell in packedRow(row) where cell.width > 0 {
            line.append(character(of: cell.cluster))
        }
        let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
        return String(line[..<end])
    }

    private mutating func packed(_ glyph: Glyph, _ style: Style) -> PackedCell {
        let cluster = Cluster(glyph.character)
        if cluster.isHash { longClusters[cluster] = glyph.character }
        let cell = PackedCell(
            cluster: cluster, width: glyph.width,
            isContentious: CharacterWidth.isContentious(glyph.character), style: style)
        if cell.isContentious { isContentious = true }
        return cell
    }

    /// Puts plain ASCII into cells: all at once where none of them is half of a wide cluster.
    private mutating func put(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ row: Int, _ column: Int, _ style: Style
    ) {
        var cell = PackedCell(cluster: .blank, width: 1, style: style)
        let first = row * size.columns + column
        let isNarrow = grid[first..<first + bytes.count].allSatisfy { $0.width == 1 }
        guard isNarrow else {
            for (place, byte) in bytes.enumerated() {
                cell.cluster = Cluster(ascii: byte)
                put(cell, row, column + place)
            }
            return
        }
        grid.withUnsafeMutableBufferPointer { cells in
            for (place, byte) in bytes.enumerated() {
                cell.cluster = Cluster(ascii: byte)
                cells[first + place] = cell
            }
        }
    }

    /// Where cells are filled one by one. A wide cluster that loses one half loses the other too.
    private mutating func put(_ cell: PackedCell, _ row: Int, _ column: Int) {
        let start = row * size.columns
        let first = start + column
        if cell.width == 1, grid[first].width == 1 {
            grid[first] = cell
            return
        }
        for index in first..<first + cell.width where grid[index].width != 1 {
            if grid[index].width == 0, index > start { blank(index - 1) }
            if grid[index].width == 2 { blank(index + 1) }
        }
        grid[first] = cell
        if cell.width == 2 {
            grid[first + 1] = PackedCell(cluster: .blank, width: 0, style: cell.style)
        }
    }

    private mutating func blank(_ index: Int) {
        grid[index] = PackedCell(cluster: .blank, width: 1, style: grid[index].style)
    }
}
