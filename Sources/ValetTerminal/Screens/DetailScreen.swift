import ValetClient
import ValetModel

/// One whole row: its fields in the list's order.
///
/// What the page carried is shown at once, dimmed; the rest comes with the answer.
struct DetailScreen: Sendable {
    private struct Field {
        var column: ColumnDescription
        /// nil until it is here.
        var content: CellText?
        var isStale: Bool
    }

    let list: ListDescription
    let glyphs: Glyphs
    /// What names the row.
    private(set) var title: String
    let rowID: Int64
    private let row: Row
    private let positions: [Int: Int]
    private var detail: RowDetail?
    private var failure: ValetError?
    /// The row is being read again; and the newest revision of the list for which that was done.
    private var isRead = false
    private var readFor: UInt64 = 0
    /// When others changed a column, on the clock in milliseconds.
    private var changed: [Int: Int] = [:]
    /// A column that is shown.
    private(set) var selected: Int
    private var top = 0
    /// Fields that the detail cuts, fetched whole.
    private var whole: [Int: Cell] = [:]
    /// The person's own change of the row.
    var mark: RowMark?
    /// Titles of other lists' rows.
    var linked = LinkedRows()
    /// J or K was pressed and the record isn't here yet.
    var isWaiting = false

    init(list: ListDescription, row: Row, positions: [Int: Int], title: String, glyphs: Glyphs) {
        self.list = list
        self.row = row
        self.positions = positions
        self.title = title
        self.glyphs = glyphs
        rowID = row.id
        selected = list.shownColumns.first ?? 0
    }

    /// The same screen for another record, on the same field.
    func showing(_ row: Row, title: String) -> DetailScreen {
        var next = DetailScreen(
            list: list, row: row, positions: positions, title: title, glyphs: glyphs)
        next.selected = selected
        next.top = top
        return next
    }

    /// - Parameter own: what the person has made of the row's cells.
    mutating func take(
        _ detail: RowDetail, title: String, own: [Int: Cell], at milliseconds: Int
    ) {
        guard detail.id == rowID else { return }
        self.title = title
        if let before = self.detail {
            for (column, cells) in zip(before.cells, detail.cells).enumerated()
            where cells.0 != cells.1 && own[column] != cells.1 {
                changed[column] = milliseconds
                whole[column] = nil
            }
        }
        self.detail = detail
        failure = nil
        isRead = false
    }

    /// The person's own cells, which are stored by now.
    mutating func keep(_ cells: [CellEdit]) {
        for cell in cells where detail?.cells.indices.contains(cell.column) == true {
            detail?.cells[cell.column] = cell.value
        }
    }

    // MARK: What others change

    private static let markMilliseconds = 5_000

    /// True while a mark is to be taken away by the clock.
    var hasChangeMarks: Bool { !changed.isEmpty }

    mutating func forgetChanges(at milliseconds: Int) {
        changed = changed.filter { milliseconds - $0.value < DetailScreen.markMilliseconds }
    }

    mutating func failed(rowID failed: Int64, _ error: ValetError) {
        guard failed == rowID else { return }
        failure = error
        isRead = false
    }

    /// Whether to read the row again, since the list shows this revision.
    mutating func reads(for revision: UInt64) -> Bool {
        guard let detail, !isRead, revision > max(detail.revision, readFor) else { return false }
        (isRead, readFor) = (true, revision)
        return true
    }

    /// It was here, and is not any more.
    private var isGone: Bool { detail != nil && failure?.code == .unknownRow }

    // MARK: Keys

    mutating func move(_ motion: Motion, size: Size) {
        guard !scrollsWithin(motion, size: size) else { return }
        let columns = list.shownColumns
        let place = motion.place(
            from: columns.firstIndex(of: selected) ?? 0, of: columns.count,
            page: max(bodyRows(size).count - 2, 1))
        selected = columns.indices.contains(place) ? columns[place] : selected
        scroll(size: size)
    }

    /// A field that is taller than the screen is read to its end before the next one comes.
    private mutating func scrollsWithin(_ motion: Motion, size: Size) -> Bool {
        guard motion != .first, motion != .last else { return false }
        let lines = lines(size)
        let height = max(bodyRows(size).count, 1)
        let distance = motion.distance(page: max(height - 1, 1))
        guard let first = lines.firstIndex(where: { $0.field == selected }),
            let last = lines.lastIndex(where: { $0.field == selected })
        else { return false }
        if distance > 0, last >= top + height {
            top = min(top + distance, last - height + 1)
        } else if distance < 0, first < top {
            top = max(top + distance, first)
        } else {
            return false
        }
        return true
    }

    /// The whole row is here, or can't be had.
    var isAnswered: Bool { detail != nil || failure != nil }

    /// The catalog lets nobody change it.
    var isReadOnly: Bool {
        list.rowRules.readOnlyColumn.flatMap(cell)?.isSet == true
    }

    /// The newest revision at which the row was read; nil if it wasn't yet.
    var revision: UInt64? { detail?.revision }

    /// The selected field, as far as it is here.
    var selectedCell: Cell? { list.columns.indices.contains(selected) ? cell(selected) : nil }

    /// All of a field that was cut.
    mutating func show(whole cell: Cell, column: Int) {
        whole[column] = cell
    }

    /// As far as it is here.
    private func cell(_ column: Int) -> Cell? {
        if let own = mark?.cells[column] { return own }
        if let detail {
            guard detail.cells.indices.contains(column) else { return .null }
            return detail.cells[column].isCut
                ? whole[column] ?? detail.cells[column]
                : detail.cells[column]
        }
        guard let place = positions[column], row.cells.indices.contains(place) else { return nil }
        return row.cells[place]
    }

    /// Those whose ids are shown.
    var linkedRows: Set<LinkedRow> {
        Set(list.shownColumns.compactMap { cell($0).flatMap(list.columns[$0].linkedRow) })
    }

    private func field(_ column: Int) -> Field {
        let description = list.columns[column]
        guard let cell = cell(column) else {
            return Field(column: description, content: nil, isStale: true)
        }
        var content =
            description.format.text(of: cell, in: description.zone).map { CellText(text: $0) }
            ?? CellText.alone(cell, in: description, glyphs: glyphs)
        if let title = linked.text(of: cell, in: description, glyphs) { content.text = title }
        if case .cutText(let text, let byteCount) = cell {
            let missing = max(byteCount - text.utf8.count, 0).grouped
            content.text += " \(missing) more bytes: Enter shows all"
        }
        if cell.isMissing, let shown = list.shownDefault(of: description) {
            content.text += "  shown as \(shown)"
        }
        if let unit = description.unit, !content.isMissing { content.text += " \(unit)" }
        return Field(column: description, content: content, isStale: detail == nil || isGone)
    }

    // MARK: Lines

    private struct DetailLine {
        var field: Int
        /// The title of the section that begins with the field.
        var isTitle = false
        var label: String
        var text: String?
        var style: Style
    }

    private func bodyRows(_ size: Size) -> Range<Int> {
        size.rows < ListGeometry.fewestRows ? 0..<size.rows : 2..<size.rows - 1
    }

    private func labelWidth(_ size: Size) -> Int {
        let sanitizer = Sanitizer(isASCII: glyphs.isASCII)
        let widest =
            list.shownColumns.map { sanitizer.width(of: list.columns[$0].label, limit: 24) }.max()
            ?? 0
        return max(min(widest, 24, size.columns / 3), 1)
    }

    private func lines(_ size: Size) -> [DetailLine] {
        let sanitizer = Sanitizer(isASCII: glyphs.isASCII)
        let width = max(size.columns - RowLayout.indent - labelWidth(size) - 3, 1)
        var lines: [DetailLine] = []
        let titles = Dictionary(
            list.detail.compactMap { section in section.columns.first.map { ($0, section.title) } },
            uniquingKeysWith: { first, _ in first })
        for column in list.shownColumns {
            if let title = titles[column], !title.isEmpty {
                let style = Style(.cyan, .bold)
                lines.append(
                    DetailLine(field: column, isTitle: true, label: title, text: "", style: style))
            }
            let field = field(column)
            var style = Style(.standard, field.isStale ? .dim : [])
            guard let content = field.content else {
                lines.append(
                    DetailLine(field: column, label: field.column.label, text: nil, style: style))
                continue
            }
            if content.isMissing { style = style.with(.dim) }
            for (place, text) in wrapped(content.text, width: width, sanitizer).enumerated() {
                let label = place == 0 ? field.column.label : ""
                lines.append(DetailLine(field: column, label: label, text: text, style: style))
            }
        }
        return lines
    }

    /// Keeps the selected field in sight: its first line, and its last if that fits too.
    private mutating func scroll(size: Size) {
        let lines = lines(size)
        let height = max(bodyRows(size).count, 1)
        guard let first = lines.firstIndex(where: { $0.field == selected }),
            let last = lines.lastIndex(where: { $0.field == selected })
        else { return }
        top = max(top, last - height + 1)
        top = min(top, first)
    }

    // MARK: Drawing

    func draw(
        on screen: inout Screen, place: String, at milliseconds: Int, connection: Connection,
        message: String?
    ) {
        let size = screen.size
        let body = bodyRows(size)
        if body.lowerBound > 0 {
            screen.drawTitle(title, note: list.title, .dim, connection, glyphs)
        }
        if let trouble {
            screen.write(
                trouble, row: body.upperBound - 1, column: RowLayout.indent, style: Style(.red))
        }
        drawFields(on: &screen, body)
        if body.lowerBound > 0 {
            let sign = mark.map { "\($0.sign(glyphs).text) " } ?? ""
            let waiting = isWaiting ? "\(glyphs.spinner(at: milliseconds)) " : sign
            let isRoomy = size.columns >= ListGeometry.fewestColumnsForStrip
            screen.drawStatus(
                waiting + (message ?? place),
                help: isRoomy ? "J K next, previous   ? help" : "? help")
        }
    }

    /// In the side pane, without a cursor.
    func drawBeside(on screen: inout Screen) {
        screen.write(" \(title)", row: 0, column: 0, style: .bold)
        let body = 2..<max(screen.size.rows - 1, 2)
        if let trouble, !body.isEmpty {
            screen.write(
                trouble, row: body.upperBound - 1, column: RowLayout.indent, style: Style(.red))
        }
        drawFields(on: &screen, body, hasCursor: false)
        screen.cursor = nil
    }

    private var trouble: String? {
        if isGone { return "This row was deleted" }
        return detail == nil
            ? failure.map { "This row can't be shown: \(glyphs.plain($0.description))" } : nil
    }

    private func drawFields(
        on screen: inout Screen, _ body: Range<Int>, hasCursor: Bool = true
    ) {
        let labelWidth = labelWidth(screen.size)
        let valueColumn = RowLayout.indent + labelWidth + 2
        let lines = lines(screen.size).dropFirst(top)
            .prefix(max(body.count - (trouble == nil ? 0 : 1), 0))
        for (offset, line) in lines.enumerated() {
            let row = body.lowerBound + offset
            if line.isTitle {
                screen.write(line.label, row: row, column: 1, style: line.style)
                continue
            }
            let isSelected = hasCursor && line.field == selected
            if changed[line.field] != nil, !line.label.isEmpty {
                screen.write("~", row: row, column: 1, style: Style(.green, .bold))
            }
            screen.write(
                line.label, row: row, column: RowLayout.indent, width: labelWidth,
                style: isSelected ? .bold : .dim)
            if let text = line.text {
                screen.write(
                    text, row: row, column: valueColumn, style: line.style, truncation: .clip)
            } else {
                screen.fill(
                    glyphs.skeleton, row: row, columns: valueColumn..<valueColumn + 9, style: .dim)
            }
            if isSelected {
                screen.write(glyphs.cursor, row: row, column: 0)
                if !line.label.isEmpty || screen.cursor == nil {
                    screen.cursor = Position(
                        row: row, column: min(valueColumn, screen.size.columns - 1))
                }
            }
        }
    }
}

/// `text` in lines of at most `width` columns, broken at blanks where there are some.
func wrapped(_ text: String, width: Int, _ sanitizer: Sanitizer) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        var line = ""
        var used = 0
        for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
            let wordWidth = sanitizer.width(of: word)
            if !line.isEmpty, used + 1 + wordWidth > width {
                lines.append(line)
                (line, used) = ("", 0)
            } else if !line.isEmpty {
                line += " "
                used += 1
            }
            guard used + wordWidth > width else {
                line += word
                used += wordWidth
                continue
            }
            for character in word {
                let characterWidth = sanitizer.width(of: String(character))
                if used + characterWidth > width, !line.isEmpty {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += characterWidth
            }
        }
        lines.append(line)
    }
    return lines
}
