import ValetModel

extension FormScreen {

    private enum Line {
        case title(String)
        case field(Int)
        case problem(String)
        /// What somebody else has stored, where the person has typed something else.
        case newer(String)
    }

    private func lines(_ size: Size) -> [Line] {
        let width = max(size.columns - valueColumn(size) - 1, 1)
        let sanitizer = glyphs.sanitizer
        return fields.indices.flatMap { place -> [Line] in
            let field = fields[place]
            let problem = field.problem.map { wrapped("! \($0)", width: width, sanitizer) }
            var lines: [Line] = title(before: place).map { [.title($0)] } ?? []
            lines.append(.field(place))
            lines += (problem ?? []).map { .problem($0) }
            if let newer = field.newer, field.isChanged {
                let content = CellText.stored(newer, in: field.description, glyphs: glyphs)
                let text = content.isMissing ? content.text : glyphs.quoted(content.text)
                lines.append(.newer("~ now \(text)"))
            }
            return lines
        }
    }

    /// The title of the section that begins with a field.
    private func title(before place: Int) -> String? {
        let column = fields[place].column
        guard let section = list.detail.first(where: { $0.columns.contains(column) }),
            !section.title.isEmpty
        else { return nil }
        let first = fields.first { section.columns.contains($0.column) }
        return first?.column == column ? section.title : nil
    }

    /// The lines that are on the screen: the selected field in the middle where not all fit.
    private func shown(_ size: Size) -> ArraySlice<Line> {
        let (lines, height) = (lines(size), ListGeometry.body(size).count)
        let line = lines.firstIndex { if case .field(selected) = $0 { true } else { false } } ?? 0
        let top = max(min(line - height / 2, lines.count - height), 0)
        return lines.dropFirst(top).prefix(height)
    }

    /// The field that is drawn on a row of the screen.
    func field(atRow row: Int, _ size: Size) -> Int? {
        let body = ListGeometry.body(size)
        guard body.contains(row) else { return nil }
        let shown = shown(size)
        let place = shown.startIndex + row - body.lowerBound
        guard shown.indices.contains(place), case .field(let field) = shown[place]
        else { return nil }
        return field
    }

    func drawWhole(on screen: inout Screen, in context: DrawContext) {
        let size = screen.size
        let body = ListGeometry.body(size)
        if body.lowerBound > 0 {
            let name = purpose == .add ? "New row" : "Edit \(title)"
            screen.drawTitle(name, note: list.title, .dim, context.connection, glyphs)
            let others = othersText(editors: context.editors(rowID))
            screen.write(others, row: 1, column: 1, style: Style(.green))
        }
        if fields.isEmpty {
            screen.write(
                "No column of this list can be changed.", row: body.lowerBound,
                column: RowLayout.indent)
        }
        let labelWidth = labelWidth(size)
        for (offset, line) in shown(size).enumerated() {
            let row = body.lowerBound + offset
            switch line {
            case .field(let place): draw(place, on: &screen, row: row, labelWidth: labelWidth)
            case .title(let text):
                screen.write(text, row: row, column: 1, style: Style(.cyan, .bold))
            case .newer(let text):
                screen.write(text, row: row, column: valueColumn(size), style: Style(.green))
            case .problem(let text):
                screen.write(text, row: row, column: valueColumn(size), style: Style(.red))
            }
        }
        if body.lowerBound > 0 { drawStatus(on: &screen, in: context) }
    }

    private func drawStatus(on screen: inout Screen, in context: DrawContext) {
        let isPicking = context.isUnderPicker
        let count = changeCount
        let changes = count == 0 ? "" : count == 1 ? "1 change" : "\(count) changes"
        var text = context.message ?? problemText ?? changes
        if text.isEmpty, !isPicking { text = legend }
        if isReading { text = readingText(in: context) }
        let isRoomy = screen.size.columns >= ListGeometry.fewestColumnsForStrip
        let enter = hasPicker(selected) ? "Enter pick" : "Enter next"
        let keys = isRoomy ? "^S save   \(enter)   Esc back   F1 help" : "^S save  F1 help"
        screen.drawStatus(text, help: isPicking ? "Enter pick   Esc back" : keys)
    }

    private func readingText(in context: DrawContext) -> String {
        guard context.connection.isConnected else {
            return "Offline: the row is read after reconnecting. What is typed is kept"
        }
        return "\(glyphs.spinner(at: context.milliseconds)) reading the row"
    }

    /// The first problem, and how many there are.
    private var problemText: String? {
        let wrong = fields.filter { $0.problem != nil }
        guard let first = wrong.first, let problem = first.problem else { return nil }
        let count = wrong.count > 1 ? "  (1 of \(wrong.count) problems)" : ""
        return "! \(first.description.label): \(problem)\(count)"
    }

    /// `*` where a value is needed, `▾` where there are choices.
    private func sign(of place: Int) -> String {
        let needed = fields[place].description.isRequired ? "*" : ""
        return needed + (hasPicker(place) ? glyphs.choices : "")
    }

    private var signs: [String] { fields.indices.map(sign) }

    /// What the signs say.
    private var legend: String {
        var parts: [String] = []
        if signs.contains(where: { $0.hasPrefix("*") }) { parts.append("* required") }
        if signs.contains(where: { $0.hasSuffix(glyphs.choices) }) {
            parts.append("\(glyphs.choices) Enter picks")
        }
        return parts.joined(separator: "  ")
    }

    private func valueColumn(_ size: Size) -> Int {
        let signWidth = signs.map(\.count).max() ?? 0
        return RowLayout.indent + labelWidth(size) + (signWidth > 0 ? signWidth + 1 : 0) + 2
    }

    private func labelWidth(_ size: Size) -> Int {
        ListGeometry.labelWidth(fields.map(\.description.label), size, glyphs)
    }

    private func draw(_ place: Int, on screen: inout Screen, row: Int, labelWidth: Int) {
        let field = fields[place]
        let isSelected = place == selected
        if isSelected { screen.write(glyphs.cursor, row: row, column: 0) }
        if field.newer != nil {
            screen.write("~", row: row, column: 1, style: Style(.green, .bold))
        } else if field.isChanged {
            screen.write(glyphs.changed, row: row, column: 1, style: .bold)
        }
        screen.write(
            field.description.label, row: row, column: RowLayout.indent, width: labelWidth,
            style: isSelected ? .bold : .dim)
        screen.write(sign(of: place), row: row, column: RowLayout.indent + labelWidth + 1)
        let start = valueColumn(screen.size)
        let unit = field.description.unit ?? ""
        let unitWidth = unit.isEmpty ? 0 : screen.sanitizer.width(of: unit, limit: 12) + 1
        let width = max(screen.size.columns - start - unitWidth - 1, 1)
        let dim: Style = isReading ? .dim : .plain
        var caret = Position(row: row, column: start)
        // Where the unit goes; nil where nothing stands.
        var end: Int?
        switch field.entry {
        case .text(let text) where text.text.isEmpty:
            drawEmpty(field, on: &screen, row: row, column: start)
        case .text where linkedTitle(place) != nil:
            end = screen.write(
                linkedTitle(place) ?? "", row: row, column: start, width: width,
                style: isSelected ? .reverse : dim)
        case .text(let text):
            let shown = isSelected ? text : text.fromStart
            caret = shown.draw(on: &screen, row: row, column: start, width: width, style: dim)
            end = start + min(screen.sanitizer.width(of: text.text, limit: width), width)
        case .check(let isOn?):
            end = screen.write(isOn ? "yes" : "no", row: row, column: start, style: dim)
        case .check(nil): drawEmpty(field, on: &screen, row: row, column: start)
        case .fixed(let text):
            end = screen.write(text, row: row, column: start, width: width, style: .dim)
        }
        if unitWidth > 0, let end {
            screen.write(unit, row: row, column: end + 1, width: unitWidth, style: .dim)
        }
        if isSelected { screen.cursor = caret }
    }

    /// What stands for the id of another list's row.
    private func linkedTitle(_ place: Int) -> String? {
        guard !isTyped(place) else { return nil }
        return linked.text(of: try? fields[place].cell(), in: fields[place].description, glyphs)
    }

    /// Fills an empty field with a hint that can't be read as a value.
    private func drawEmpty(_ field: FormField, on screen: inout Screen, row: Int, column: Int) {
        screen.write(
            hint(for: field).compactMap(\.self).joined(separator: " "), row: row, column: column,
            width: max(screen.size.columns - column - 1, 1), style: .dim)
    }

    private func hint(for field: FormField) -> [String?] {
        if isReading { return [] }
        let column = field.description
        if let hint = column.placeholder, field.seen == nil || !field.isChanged {
            return [hint, column.unit]
        }
        switch (try? field.cell(), field.seen) {
        case (_, nil) where !field.isChanged && column.isRequired: return [column.unit]
        case (_, nil) where !field.isChanged:
            // The table says what a new row gets, and the catalog what that means.
            let text = column.defaultText
            return text.isEmpty ? ["(default)"] : [text, column.unit, "(default)"]
        case (.null?, _): return ["NULL"]
        case (_, _): return [column.unit]
        }
    }
}
