import ValetModel

/// Titles, counts, shares and bars.
extension FacetScreen {
    func body(_ size: Size) -> Range<Int> { ListGeometry.body(size, below: 3) }

    func draw(on screen: inout Screen, in context: DrawContext) {
        let body = body(screen.size)
        if body.lowerBound > 0 {
            screen.drawTitle(
                column.map { "\($0.label) of \(list.title)" } ?? "Sections of \(list.title)",
                note: countText, .plain, context.connection, glyphs)
            drawQuery(on: &screen)
            drawLabels(on: &screen, row: 2)
        }
        drawSections(on: &screen, body, at: context.milliseconds)
        if body.lowerBound > 0 {
            screen.drawStatus(context.message ?? statusText, help: keysText(screen.size.columns))
        }
        if isFinding {
            screen.drawPrompt("/ ", wanted, row: body.lowerBound > 0 ? 1 : screen.size.rows - 1)
        }
    }

    private var countText: String? {
        guard let page else { return nil }
        let noun = column == nil ? (total == 1 ? "section" : "sections") : cut.noun(total)
        if areRepeated {
            let most = isPart ? "at least " : ""
            let rows = page.sections.reduce(0) { $0 + $1.count }
            return "\(most)\(total.grouped) \(noun) more than once, \(rows.grouped) rows"
        }
        return "\(total.grouped) \(noun), \(page.totalRows.grouped) rows"
    }

    private var statusText: String {
        guard total > 0 else { return "" }
        let place = "\((selected + 1).grouped) of \(total.grouped)"
        return picked.isEmpty ? place : place + "   \(picked.count.grouped) picked"
    }

    private func keysText(_ columns: Int) -> String {
        guard columns >= ListGeometry.fewestColumnsForStrip else { return "? help" }
        let other = order == .byRows ? "in order" : "by rows"
        guard let column else { return "Enter opens   Tab \(other)   ? help" }
        let change = cut.next(of: column).map { "   c \($0.noun(2))" } ?? ""
        if areRepeated {
            let whose = picked.isEmpty ? "all their rows" : "rows of those picked"
            return "Enter shows \(whose)   Space picks   d all values   ? help"
        }
        let repeated = cut == .values ? "   d duplicates" : ""
        return "Enter filters   Space picks   Tab \(other)\(change)\(repeated)   ? help"
    }

    /// What else the list is asked: its search and conditions.
    private func drawQuery(on screen: inout Screen) {
        guard !isFinding else { return }
        var parts: [String] = []
        if !wanted.text.isEmpty { parts.append("/ \(wanted.text)") }
        if let search = asked.search { parts.append(glyphs.quoted(search.text)) }
        parts += asked.conditions.filter { $0.column != column?.name }.map {
            glyphs.ofCondition($0.text(in: list.columns))
        }
        if parts.isEmpty { parts = ["of all rows"] }
        if column?.isText == true, cut == .values { parts.append("case and accents ignored") }
        if hasLongTexts {
            parts.append("texts by their first \(Limits.bytesPerKeyText.grouped) bytes")
        }
        screen.write(
            parts.joined(separator: "   "), row: 1, column: 1,
            width: max(screen.size.columns - 2, 1), style: .dim)
    }

    /// Whether a value that is shown may be the beginning of several.
    private var hasLongTexts: Bool {
        guard let column, cut == .values else { return false }
        return page?.sections.contains {
            column.condition(of: FacetValue($0))?.comparison == .beginsWith
        } ?? false
    }

    // MARK: Lines

    private struct Columns {
        let title: Range<Int>
        /// The ends of the right-aligned columns.
        let countEnd: Int
        let shareEnd: Int
        let bar: Range<Int>

        init(_ size: Size) {
            let width = size.columns
            let titleEnd = max(min(RowLayout.indent + width * 45 / 100, width - 24), 8)
            title = RowLayout.indent..<max(titleEnd, RowLayout.indent + 1)
            countEnd = title.upperBound + 12
            shareEnd = countEnd + 9
            bar = min(shareEnd + 2, width)..<max(width - 2, min(shareEnd + 2, width))
        }
    }

    private func drawLabels(on screen: inout Screen, row: Int) {
        let columns = Columns(screen.size)
        let style = Style(.standard, [.dim, .underline])
        let isByRows = shownOrder == .byRows
        let title = column == nil ? "section" : cut.noun(1)
        screen.write(
            isByRows ? title : "\(title) \(glyphs.ascending)", row: row,
            column: columns.title.lowerBound, style: style)
        let rows = isByRows ? "rows \(glyphs.descending)" : "rows"
        screen.write(rows, row: row, column: columns.countEnd - rows.count, style: style)
        if columns.shareEnd < screen.size.columns {
            screen.write("share", row: row, column: columns.shareEnd - 5, style: style)
        }
    }

    private func drawSections(on screen: inout Screen, _ body: Range<Int>, at milliseconds: Int) {
        if let failure {
            screen.write(
                "The values can't be counted: " + glyphs.plain(failure.description),
                row: body.lowerBound, column: RowLayout.indent, style: Style(.red))
            return
        }
        guard page != nil else {
            screen.write(
                "\(glyphs.spinner(at: milliseconds)) counting", row: body.lowerBound,
                column: RowLayout.indent, style: .dim)
            return
        }
        if total == 0 {
            let words = areRepeated ? "No value is there more than once." : "No matching values."
            screen.write(words, row: body.lowerBound, column: RowLayout.indent)
        }
        for row in body where top + row - body.lowerBound < total {
            draw(top + row - body.lowerBound, on: &screen, row: row)
        }
    }

    private func draw(_ place: Int, on screen: inout Screen, row: Int) {
        let columns = Columns(screen.size)
        let isSelected = place == selected
        guard let section = section(at: place) else {
            screen.fill(
                glyphs.skeleton, row: row,
                columns: columns.title.lowerBound..<columns.title.lowerBound + 9, style: .dim)
            return
        }
        if isSelected {
            screen.write(glyphs.cursor, row: row, column: 0)
            screen.cursor = Position(row: row, column: columns.title.lowerBound)
        }
        if isPicked(FacetValue(section)) {
            screen.write(glyphs.selected, row: row, column: 1, style: Style(.yellow, .bold))
        }
        let title = section.isUnknown && column != nil ? glyphs.none : section.title
        screen.write(
            title.isEmpty ? "\"\"" : title, row: row,
            column: columns.title.lowerBound, width: columns.title.count,
            style: isSelected ? .bold : section.isUnknown ? .dim : .plain)
        let count = section.count.grouped
        screen.write(count, row: row, column: max(columns.countEnd - count.count, 0))
        let all = max(page?.totalRows ?? 1, 1)
        let tenths = (section.count * 1_000 + all / 2) / all
        let share = tenths == 0 ? "< 0.1 %" : "\(tenths / 10).\(tenths % 10) %"
        if columns.shareEnd < screen.size.columns {
            screen.write(share, row: row, column: columns.shareEnd - share.count, style: .dim)
        }
        let length = columns.bar.count * section.count / max(mostRows, 1)
        guard !columns.bar.isEmpty else { return }
        let end = columns.bar.lowerBound + min(max(length, 1), columns.bar.count)
        screen.fill(
            glyphs.bar, row: row, columns: columns.bar.lowerBound..<end, style: Style(.cyan))
    }
}
