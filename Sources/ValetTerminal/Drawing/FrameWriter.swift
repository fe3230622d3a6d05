/// Writes one frame. It tracks the terminal's cursor and style, and sends the fewest bytes to reach
/// the next cell.
struct FrameWriter {
    private(set) var bytes: [UInt8] = []
    /// What the terminal can show.
    private let renderer: DiffRenderer
    private let size: Size
    /// nil when the terminal may disagree.
    private var position: Position?
    private var style = Style.plain
    /// The cell that `style` was set for.
    private var styled: PackedCell?
    /// Columns that a clear to the end of the line must save to be worth its bytes.
    private static let shortestClear = 4
    /// Unchanged cells that are written again instead of moving over them.
    private static let longestGap = 3
    /// Blanks that are worth an erasure, and a move over them.
    private static let shortestErasure = 11

    init(_ renderer: DiffRenderer, size: Size, cursor: Position?) {
        self.renderer = renderer
        self.size = size
        position = cursor
    }

    mutating func clear() { bytes += ControlSequence.resetStyle + ControlSequence.clearScreen }

    /// Deletes or inserts lines at the top of a scroll region: unlike scroll up and scroll down,
    /// the Linux console has these too.
    mutating func scroll(_ scroll: ScrollDetector.Scroll) {
        let rows = scroll.rows
        ControlSequence.append([rows.lowerBound + 1, rows.upperBound], final: "r", to: &bytes)
        position = nil
        move(to: Position(row: rows.lowerBound, column: 0))
        ControlSequence.append([abs(scroll.count)], final: scroll.count > 0 ? "M" : "L", to: &bytes)
        bytes += ControlSequence.resetScrollRegion
        position = nil
    }

    /// - Parameters:
    ///   - scroll: what the terminal did to `previous`.
    ///   - limit: bytes after which the rest is left out.
    mutating func draw(
        from previous: Screen, _ scroll: ScrollDetector.Scroll? = nil, to next: Screen,
        upTo limit: Int = .max
    ) {
        let blank = Array(repeating: PackedCell.blank, count: size.columns)[...]
        let isContentious = previous.isContentious || next.isContentious
        for row in 0..<size.rows where bytes.count <= limit {
            let source = scroll.map { $0.source(of: row) } ?? .some(row)
            let old = source.map(previous.packedRow) ?? blank
            let new = next.packedRow(row)
            guard old != new else { continue }
            drawRow(row, from: seen(old), to: seen(new), of: next, isContentious: isContentious)
        }
    }

    /// The cells of a row as this terminal shows them.
    private func seen(_ row: ArraySlice<PackedCell>) -> [PackedCell] {
        renderer.hasShade || !row.contains(where: \.isShaded)
            ? Array(row) : row.map(\.withoutShade)
    }

    /// Leaves the style plain and the cursor at its place. `wasShown` is nil when it isn't known.
    mutating func finish(cursor: Position?, wasShown: Bool?) {
        set(.plain)
        if let cursor {
            move(to: cursor)
            if wasShown != true { bytes += ControlSequence.showCursor }
        } else if wasShown != false {
            bytes += ControlSequence.hideCursor
        }
    }

    // MARK: Rows

    private mutating func drawRow(
        _ row: Int, from old: [PackedCell], to new: [PackedCell], of screen: Screen,
        isContentious: Bool
    ) {
        guard let first = firstDifference(old, new) else { return }
        // A contentious cluster may have been drawn over its neighbours on the right, so from the
        // first of them on, all is written again.
        let rewritten =
            isContentious
            ? zip(old, new).prefix { !$0.isContentious && !$1.isContentious }.count : size.columns
        let blankTail = blankTail(of: new)
        var column = min(first, rewritten)
        while column < size.columns {
            if column >= blankTail, size.columns - column >= FrameWriter.shortestClear {
                guard
                    rewritten <= column
                        || old[column...].contains(where: { !$0.looks(like: .blank) })
                else { return }
                set(.plain)
                move(to: Position(row: row, column: column))
                bytes += ControlSequence.clearToEndOfLine
                return
            }
            // A wide cluster that comes or goes changes both its cells, so that what a terminal
            // blanks with the other half is always written again.
            if column < rewritten, old[column].looks(like: new[column]) {
                column += 1
                continue
            }
            bridge(to: column, row: row, new)
            let blanks = blanks(from: column, in: new)
            if blanks >= FrameWriter.shortestErasure {
                // The terminal fills them with the background that holds, and does not move.
                if !style.looksOnBlanks(like: new[column].style) { set(new[column].style) }
                ControlSequence.append([blanks], final: "X", to: &bytes)
                column += blanks
            } else {
                column = write(new[column], of: screen, row: row, column: column)
            }
        }
    }

    /// Blanks of one style that an erasure can draw.
    private func blanks(from column: Int, in row: [PackedCell]) -> Int {
        let style = row[column].style
        guard row[column].isBlank, style.tint == nil,
            style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
        else { return 0 }
        return row[column...].prefix { $0.isBlank && $0.style.looksOnBlanks(like: style) }.count
    }

    private func firstDifference(_ old: [PackedCell], _ new: [PackedCell]) -> Int? {
        guard let column = new.indices.first(where: { !old[$0].looks(like: new[$0]) }) else {
            return nil
        }
        return new[column].width == 0 ? column - 1 : column
    }

    /// The column from which the row is blank in plain style.
    private func blankTail(of row: [PackedCell]) -> Int {
        (row.lastIndex { !$0.looks(like: .blank) } ?? -1) + 1
    }

    /// Comes to `column` by writing the few cells on the way again, or by a move.
    private mutating func bridge(to column: Int, row: Int, _ new: [PackedCell]) {
        if let position, position.row == row, position.column < column {
            let gap = new[position.column..<column]
            let isPlain = gap.allSatisfy {
                $0.width == 1 && $0.cluster.ascii != nil
                    && ($0.style == style || $0.isBlank && style.looksOnBlanks(like: $0.style))
            }
            if gap.count <= FrameWriter.longestGap, isPlain {
                for cell in gap { cell.cluster.append(to: &bytes) }
                self.position = Position(row: row, column: column)
                return
            }
        }
        move(to: Position(row: row, column: column))
    }

    /// Writes one cell and answers the column of the next.
    private mutating func write(
        _ cell: PackedCell, of screen: Screen, row: Int, column: Int
    ) -> Int {
        if !cell.isBlank || !style.looksOnBlanks(like: cell.style) { set(styleOf: cell) }
        let next = column + max(cell.width, 1)
        guard cell.isContentious else {
            append(cell.cluster, of: screen)
            advance(to: next, row: row)
            return next
        }
        for _ in 0..<cell.width { bytes.append(UInt8(ascii: " ")) }
        position = nil
        moveToColumn(column)
        append(cell.cluster, of: screen)
        if next < size.columns {
            moveToColumn(next)
            position = Position(row: row, column: next)
        }
        return next
    }

    private mutating func append(_ cluster: Cluster, of screen: Screen) {
        if cluster.isHash {
            bytes += screen.character(of: cluster).utf8
        } else {
            cluster.append(to: &bytes)
        }
    }

    /// Behind the last column the cursor stays on it, since automatic wrap is off.
    private mutating func advance(to column: Int, row: Int) {
        position = Position(row: row, column: min(column, size.columns - 1))
    }

    // MARK: Cursor and style

    private mutating func move(to target: Position) {
        guard let position else { return jump(to: target) }
        if position == target { return }
        if position.row == target.row {
            moveToColumn(target.column)
        } else if position.column == target.column, target.row == position.row + 1 {
            // Raw mode: a line feed goes straight down.
            bytes.append(UInt8(ascii: "\n"))
        } else if target.column == 0, target.row == position.row + 1 {
            bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        } else {
            return jump(to: target)
        }
        self.position = target
    }

    private mutating func jump(to target: Position) {
        ControlSequence.append([target.row + 1, target.column + 1], final: "H", to: &bytes)
        position = target
    }

    private mutating func moveToColumn(_ column: Int) {
        if column == 0 {
            bytes.append(UInt8(ascii: "\r"))
        } else {
            ControlSequence.append([column + 1], final: "G", to: &bytes)
        }
    }

    /// The style of a cell, which most cells have in common with the one before.
    private mutating func set(styleOf cell: PackedCell) {
        guard styled?.hasStyle(of: cell) != true else { return }
        set(cell.style)
        styled = cell
    }

    private mutating func set(_ wanted: Style) {
        styled = nil
        var wanted = wanted
        if !renderer.hasColors { wanted.foreground = .standard }
        if !renderer.hasColors || renderer.tints == .none { wanted.tint = nil }
        guard wanted != style else { return }
        var codes: [Int] = []
        // Attributes can't be taken back one by one everywhere, so a loss of any begins anew.
        let isTintLost = style.tint != nil && style.tint != wanted.tint
        if !style.attributes.subtracting(wanted.attributes).isEmpty || isTintLost
            || wanted == .plain
        {
            if wanted != .plain { codes.append(0) }
            style = .plain
        }
        let added = wanted.attributes.subtracting(style.attributes)
        for (attribute, code) in FrameWriter.attributeCodes where added.contains(attribute) {
            codes.append(code)
        }
        if added.contains(.shaded), let shade = renderer.shade { codes += [48] + code(of: shade) }
        if wanted.foreground != style.foreground {
            codes.append(30 + Int(wanted.foreground.rawValue))
        }
        if let tint = wanted.tint, tint != style.tint { codes += [38] + code(of: tint) }
        ControlSequence.append(codes, final: "m", to: &bytes)
        style = wanted
    }

    private static let attributeCodes: [(Style.Attributes, Int)] = [
        (.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7), (.strikethrough, 9),
    ]

    private func code(of tint: Tint) -> [Int] {
        switch renderer.tints {
        case .none, .palette: [5, Int(tint.paletteNumber)]
        case .direct: [2, Int(tint.red), Int(tint.green), Int(tint.blue)]
        }
    }
}
