import ValetModel

/// Names above, labels at the left, and the values of the rows that have room.
extension CompareScreen {
    func drawWhole(on screen: inout Screen, connection: Connection, message: String?) {
        let size = screen.size
        let body = body(size)
        let columns = CompareColumns(self, size)
        let first = firstRow(size)
        let shown = first..<min(first + columns.fitting, rows.count)
        if body.lowerBound > 1 {
            let title = rows.first?.list.title ?? ""
            screen.drawTitle(
                "\(rows.count) of \(title) side by side", note: countText, .plain, connection,
                glyphs)
            drawHidden(before: first, behind: rows.count - shown.upperBound, on: &screen)
        }
        for place in shown {
            drawName(of: place, on: &screen, row: body.lowerBound - 1, columns, place - first)
        }
        drawFields(on: &screen, body, columns, shown)
        if body.lowerBound > 1 {
            let isRoomy = size.columns >= ListGeometry.fewestColumnsForStrip
            let keys = "d \(hidesSame ? "all fields" : "only what differs")   M removes   ? help"
            screen.drawStatus(message ?? placeText, help: isRoomy ? keys : "? help")
        } else if let message {
            screen.fill(" ", row: size.rows - 1, columns: 0..<size.columns)
            screen.write(message, row: size.rows - 1, column: 1)
        }
    }

    private var countText: String {
        guard rows.allSatisfy(\.isAnswered) else { return "" }
        let count = differenceCount
        let all = (rows.first?.list.shownColumns.count ?? 0).grouped
        return count == 0 ? "nothing differs" : "\(count.grouped) of \(all) fields differ"
    }

    private var placeText: String {
        let count = fields.count
        return count == 0 ? "" : "\((place + 1).grouped) of \(count.grouped) fields"
    }

    /// `‹ 2` and `3 ›`: rows that have no room.
    private func drawHidden(before: Int, behind: Int, on screen: inout Screen) {
        if before > 0 {
            screen.write("\(glyphs.previous) \(before)", row: 1, column: 1, style: .dim)
        }
        guard behind > 0 else { return }
        let text = "\(behind) \(glyphs.next)"
        screen.write(
            text, row: 1, column: max(screen.size.columns - text.count - 1, 0), style: .dim)
    }

    private func drawName(
        of place: Int, on screen: inout Screen, row: Int, _ columns: CompareColumns, _ column: Int
    ) {
        let compared = rows[place]
        let sign =
            compared.isGone
            ? "\(glyphs.deleted) " : compared.pending.map { "\($0.sign(glyphs).text) " } ?? ""
        var style = Style(.standard, place == current ? [.bold, .underline] : .underline)
        if compared.hasFailed || compared.isGone { style = style.with([.dim, .strikethrough]) }
        let name = compared.title.isEmpty ? "row \(compared.id)" : compared.title
        screen.write(
            sign + name, row: row, column: columns.start(column), width: columns.width,
            style: style)
    }

    private func drawFields(
        on screen: inout Screen, _ body: Range<Int>, _ columns: CompareColumns, _ shown: Range<Int>
    ) {
        let fields = fields
        let selectedPlace = place
        if fields.isEmpty, !body.isEmpty {
            screen.write("All fields are the same.", row: body.lowerBound, column: RowLayout.indent)
        }
        let first = firstField(screen.size)
        for (row, place) in zip(body, first..<max(fields.count, first)) {
            let column = fields[place]
            let isSelected = place == selectedPlace
            let isDifferent = likeness(of: column) == .different
            if isSelected { screen.write(glyphs.cursor, row: row, column: 0) }
            if isDifferent {
                screen.write(glyphs.differs, row: row, column: 1, style: Style(.yellow, .bold))
            }
            screen.write(
                rows.first?.list.columns[column].label ?? "", row: row,
                column: columns.label.lowerBound, width: columns.label.count,
                style: isDifferent || isSelected ? .bold : .dim)
            let usual = isDifferent ? usualCell(column) : nil
            for (offset, compared) in rows[shown].enumerated() {
                let start = columns.start(offset)
                let isCurrent = isSelected && shown.lowerBound + offset == current
                draw(
                    column, of: compared, on: &screen, row: row, start: start,
                    width: columns.width, isCurrent: isCurrent,
                    standsOut: isDifferent && (usual == nil || compared.cell(column) != usual))
                if isCurrent {
                    screen.cursor = Position(row: row, column: min(start, screen.size.columns - 1))
                }
            }
            if isSelected { screen.shade(row: row, columns: 0..<screen.size.columns) }
        }
    }

    /// - Parameter standsOut: the value is another than most rows have.
    private func draw(
        _ column: Int, of compared: ReadRow, on screen: inout Screen, row: Int, start: Int,
        width: Int, isCurrent: Bool, standsOut: Bool
    ) {
        if compared.changed[column] != nil {
            screen.write("~", row: row, column: start - 1, style: Style(.green, .bold))
        }
        var style = Style(standsOut ? .yellow : .standard, standsOut ? [.bold, .underline] : [])
        if compared.isStale { style = style.with(.dim) }
        if isCurrent {
            style = style.with(.reverse)
            // The blanks behind the text aren't underlined.
            screen.fill(
                " ", row: row, columns: start..<start + width,
                style: Style(style.foreground, .reverse))
        }
        guard let content = compared.text(column, glyphs) else {
            guard !compared.hasFailed else { return }
            screen.fill(
                glyphs.skeleton, row: row, columns: start..<start + min(width, 9), style: .dim)
            return
        }
        screen.write(
            content.text, row: row, column: start, width: width,
            style: content.isMissing ? style.with(.dim) : style)
    }
}
