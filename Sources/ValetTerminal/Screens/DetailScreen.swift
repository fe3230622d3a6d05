import ValetClient
import ValetModel

/// One whole row: its fields in the list's order.
///
/// What the page carried is shown at once, dimmed; the rest comes with the answer.
struct DetailScreen: Layer {
    let glyphs: Glyphs
    var row: ReadRow
    /// A column that is shown, or behind all of the list's, one of the links.
    private(set) var selected: Int
    private let referring: [ReferringRows]
    /// How many rows refer to this one, by what they are; nil where that can't be told.
    private var counts: [ReferringLink: Int?] = [:]
    private var asked: Set<ReferringLink> = []
    private var top = 0
    /// J or K was pressed and the record isn't here yet.
    var isWaiting = false

    /// - Parameter referring: rows of lists that may refer to it.
    init(_ row: ReadRow, referring: [ReferringRows] = [], glyphs: Glyphs) {
        self.row = row
        self.referring = referring
        self.glyphs = glyphs
        selected = row.list.shownColumns.first ?? 0
    }

    var list: ListDescription { row.list }

    /// The same screen for another record, on the same field.
    func showing(_ row: ReadRow) -> DetailScreen {
        var next = DetailScreen(row, referring: referring, glyphs: glyphs)
        next.selected = selected
        next.top = top
        return next
    }

    // MARK: Rows that refer to it

    /// Once the row is here.
    private var links: [ReferringLink] {
        guard row.revision != nil else { return [] }
        return referring.compactMap { rows in
            let key = rows.keyColumn.map { row.cell($0) ?? .null } ?? .integer(row.id)
            return key.isMissing || key.isCut ? nil : ReferringLink(rows: rows, key: key)
        }
    }

    var selectedLink: ReferringLink? { links[checked: selected - list.columns.count] }

    /// Those that it lacks: some at a time, so that other requests find room.
    mutating func asksForLinks() -> [ReferringLink] {
        let room = DetailScreen.mostAskedAtOnce - (asked.count - counts.count)
        let wanted = links.filter { !asked.contains($0) }.prefix(max(room, 0))
        asked.formUnion(wanted)
        return Array(wanted)
    }

    private static let mostAskedAtOnce = 4

    /// - Parameter count: nil if it can't be had.
    mutating func take(_ count: Int?, of link: ReferringLink) {
        if asked.contains(link) { counts[link] = .some(count) }
    }

    private func text(of link: ReferringLink) -> String {
        guard let count = counts[link] else { return glyphs.ellipsis }
        return (count.map(\.grouped) ?? glyphs.none) + " " + glyphs.next
    }

    /// Whether the field is what names a row of another list: its title, where that is shown.
    private func leadsOn(_ column: Int) -> Bool {
        if let key = list.columns[column].keyColumn { return list.columns[key].reference != nil }
        return list.columns[column].reference != nil
            && list.titles(ofKeys: column).map { !list.shownColumns.contains($0) } ?? true
    }

    /// `Tracks`, or `Employee by ReportsTo` where a list refers to the row in several ways.
    private func label(of rows: ReferringRows) -> String {
        let isOnly = referring.count { $0.list == rows.list } == 1 && rows.list != list.name
        return isOnly ? rows.title : "\(rows.title) by \(rows.label)"
    }

    /// What can be selected, in the order in which a person reads it.
    private var fields: [Int] {
        list.shownColumns + links.indices.map { list.columns.count + $0 }
    }

    // MARK: A layer

    var isOpaque: Bool { true }
    var takesText: Bool { false }
    var hasToCancel: Bool { isWaiting }
    var wantsTicks: Bool { isWaiting || row.hasRecentChanges }
    var isAnswered: Bool { row.isAnswered }
    var linkedRows: Set<LinkedRow> { row.linkedRows }

    mutating func handle(_ key: Key, in context: LayerContext) -> [ScreenOutcome] {
        context.keymap.detail[key].map { [.run(.detail($0))] } ?? [.say("? lists the keys")]
    }

    mutating func handle(_ mouse: MouseEvent, in context: LayerContext) -> [ScreenOutcome] {
        if let motion = mouse.motion { move(motion, size: context.size) }
        return []
    }

    mutating func tick(in context: LayerContext) -> [ScreenOutcome] {
        row.forgetChanges(at: context.milliseconds)
        return []
    }

    mutating func disconnected() {
        row.disconnected()
        // What was asked for won't come.
        (asked, counts) = (asked.intersection(counts.keys), counts.filter { $0.value != nil })
    }

    func help(in context: LayerContext) -> Palette? {
        Help.palette(
            of: context.keymap.detail, context.keymap, glyphs: context.glyphs,
            among: { list.isEditable || !$0.isChange }
        ) {
            .detail($0)
        }
    }

    func draw(on screen: inout Screen, in context: DrawContext) {
        var shown = self
        (shown.row.pending, shown.row.linked) = (context.pending[row.id], context.linked)
        shown.drawWhole(on: &screen, in: context)
    }

    // MARK: Moving

    mutating func move(_ motion: Motion, size: Size) {
        guard !scrollsWithin(motion, size: size) else { return }
        let columns = fields
        let place = motion.place(
            from: columns.firstIndex(of: selected) ?? 0, of: columns.count,
            page: max(ListGeometry.body(size).count - 2, 1))
        selected = columns[checked: place] ?? selected
        scroll(size: size)
    }

    /// A field that is taller than the screen is read to its end before the next one comes.
    private mutating func scrollsWithin(_ motion: Motion, size: Size) -> Bool {
        guard motion != .first, motion != .last else { return false }
        let height = max(ListGeometry.body(size).count, 1)
        let distance = motion.distance(page: max(height - 1, 1))
        guard let (first, last) = selectedLines(size) else { return false }
        if distance > 0, last >= top + height {
            top = min(top + distance, last - height + 1)
        } else if distance < 0, first < top {
            top = max(top + distance, first)
        } else {
            return false
        }
        return true
    }

    /// The selected field, as far as it is here.
    var selectedCell: Cell? { list.columns.indices.contains(selected) ? row.cell(selected) : nil }

    // MARK: Lines

    private struct DetailLine {
        var field: Int
        /// The title of the section that begins with the field.
        var isTitle = false
        var label: String
        var text: String?
        var style: Style
    }

    private func labelWidth(_ size: Size) -> Int {
        let labels = list.shownColumns.map { list.columns[$0].label } + referring.map(label)
        return ListGeometry.labelWidth(labels, size, glyphs)
    }

    private func lines(_ size: Size) -> [DetailLine] {
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
            let name = list.columns[column].label
            var style = Style(.standard, row.isStale ? .dim : [])
            guard let content = row.text(column, cutNote: ": Enter shows all", glyphs) else {
                lines.append(DetailLine(field: column, label: name, text: nil, style: style))
                continue
            }
            if content.isMissing { style = style.with(.dim) }
            let leads = !content.isMissing && leadsOn(column)
            let texts = wrapped(
                content.text + (leads ? " \(glyphs.next)" : ""), width: width, glyphs.sanitizer)
            for (place, text) in texts.enumerated() {
                let label = place == 0 ? name : ""
                lines.append(DetailLine(field: column, label: label, text: text, style: style))
            }
        }
        for (place, link) in links.enumerated() {
            if place == 0 {
                lines.append(
                    DetailLine(
                        field: list.columns.count, isTitle: true, label: "", text: "",
                        style: Style(.standard)))
            }
            lines.append(
                DetailLine(
                    field: list.columns.count + place, label: label(of: link.rows),
                    text: text(of: link),
                    style: Style(.standard, counts[link] == .some(0) ? .dim : [])))
        }
        return lines
    }

    /// The first and the last line of the selected field.
    private func selectedLines(_ size: Size) -> (first: Int, last: Int)? {
        let lines = lines(size)
        guard let first = lines.firstIndex(where: { $0.field == selected }),
            let last = lines.lastIndex(where: { $0.field == selected })
        else { return nil }
        return (first, last)
    }

    /// Keeps the selected field in sight: its first line, and its last if that fits too.
    private mutating func scroll(size: Size) {
        let height = max(ListGeometry.body(size).count, 1)
        guard let (first, last) = selectedLines(size) else { return }
        top = max(top, last - height + 1)
        top = min(top, first)
    }

    // MARK: Drawing

    private func drawWhole(on screen: inout Screen, in context: DrawContext) {
        let size = screen.size
        let body = ListGeometry.body(size)
        if body.lowerBound > 0 {
            screen.drawTitle(row.title, note: list.title, .dim, context.connection, glyphs)
        }
        drawFields(on: &screen, body)
        if body.lowerBound > 0 {
            let sign = row.pending.map { "\($0.sign(glyphs).text) " } ?? ""
            let waiting = isWaiting ? "\(glyphs.spinner(at: context.milliseconds)) " : sign
            let keys = context.keymap.detail
            let footer = keys.footer(
                [
                    (.nextRecord, "next"), (.previousRecord, "previous"), (.edit, "edit"),
                    (.copyField, "copy"), (.back, "back"), (.help, "help"),
                ], isASCII: glyphs.isASCII)
            screen.drawStatus(waiting + (context.message ?? context.place), help: footer)
        }
    }

    /// In the side pane, without a cursor.
    func drawBeside(on screen: inout Screen) {
        screen.write(" \(row.title)", row: 0, column: 0, style: .bold)
        let body = 2..<max(screen.size.rows - 1, 2)
        drawFields(on: &screen, body, hasCursor: false)
        screen.cursor = nil
    }

    private func drawFields(on screen: inout Screen, _ body: Range<Int>, hasCursor: Bool = true) {
        let labelWidth = labelWidth(screen.size)
        let valueColumn = RowLayout.indent + labelWidth + 2
        let trouble = row.trouble(glyphs)
        if let trouble, !body.isEmpty {
            screen.write(
                trouble, row: body.upperBound - 1, column: RowLayout.indent, style: Style(.red))
        }
        let height = max(body.count - (trouble == nil ? 0 : 1), 0)
        let lines = lines(screen.size).dropFirst(top).prefix(height)
        for (offset, line) in lines.enumerated() {
            let y = body.lowerBound + offset
            if line.isTitle {
                screen.write(line.label, row: y, column: 1, style: line.style)
                continue
            }
            let isSelected = hasCursor && line.field == selected
            if row.changed[line.field] != nil, !line.label.isEmpty {
                screen.write("~", row: y, column: 1, style: Style(.green, .bold))
            }
            screen.write(
                line.label, row: y, column: RowLayout.indent, width: labelWidth,
                style: isSelected ? .bold : .dim)
            if let text = line.text {
                screen.write(
                    text, row: y, column: valueColumn, style: line.style, truncation: .clip)
            } else {
                screen.fill(
                    glyphs.skeleton, row: y, columns: valueColumn..<valueColumn + 9, style: .dim)
            }
            if isSelected {
                screen.write(glyphs.cursor, row: y, column: 0)
                if !line.label.isEmpty || screen.cursor == nil {
                    screen.cursor = Position(
                        row: y, column: min(valueColumn, screen.size.columns - 1))
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
