import ValetModel

/// The dialog on the screen. Clicks go by the layout that draws.
extension ConflictDialog {
    enum Target: Hashable, Sendable {
        /// A value, or the whole field.
        case field(Int, Pick?)
        case command(ConflictCommand)
    }

    private enum Line {
        case conflict(Int)
        case same(FormField)
    }

    private struct Layout {
        var box: Box
        /// Where a row's cells begin: label, mine, theirs, pick; and the end.
        var columns: [Int]
        var head: Int?
        /// Those that fit.
        var lines: [Line]
        var firstLine: Int
        var merged: [String]
        var buttons: Buttons<ConflictCommand>
        var buttonRows: Range<Int>
    }

    private static let widest = 60

    private var glyphs: Glyphs { form.glyphs }

    // MARK: Words

    private var authors: [String] {
        conflicts.map { conflict in
            conflict.station.isEmpty ? "another program" : glyphs.shortName(conflict.station)
        }.withoutDuplicates
    }

    /// Of the newest of the changes.
    private var minute: String? {
        guard let time = conflicts.map(\.time).max(), time > 0 else { return nil }
        let minute = CivilTime(secondsSince1970: time / 1_000_000, in: zone).isoMinute
        return zone == nil ? "\(minute) UTC" : minute
    }

    private var title: String {
        guard isOfDeletedRow else { return "Someone changed this row" }
        if form.isRowInDoubt { return "This row can't be found again" }
        let author = authors.first ?? ""
        return "\(author) deleted this row" + (minute.map { " at \($0)" } ?? "")
    }

    /// `theirs (bo, 14:02)`; of a later value nobody knows whose it is.
    private var theirs: String {
        isNewer
            ? "theirs, by now"
            : "theirs (\((authors + [minute].compactMap { $0 }).joined(separator: ", ")))"
    }

    private var answers: [(text: String, act: ConflictCommand)] {
        if isOfDeletedRow { return [("+ add it again", .addAgain), ("Esc cancel", .cancel)] }
        let end: [(String, ConflictCommand)] = [("e edit", .edit), ("Esc cancel", .cancel)]
        if cells.count < 2 {
            return [("1 keep mine", .pick(.mine)), ("2 take theirs", .pick(.theirs))] + end
        }
        return [
            ("1 mine", .pick(.mine)), ("2 theirs", .pick(.theirs)),
            ("m all mine", .pickAll(.mine)), ("t all theirs", .pickAll(.theirs)),
            ("Enter save", .save),
        ] + end
    }

    private func sign(of pick: Pick?) -> String {
        switch pick {
        case .mine: "1 mine"
        case .theirs: "2 theirs"
        case nil: "1/2"
        }
    }

    // MARK: Layout

    private var lines: [Line] {
        form.fields.compactMap { field in
            if let place = cells.firstIndex(where: { $0.column == field.column }) {
                return .conflict(place)
            }
            return isSame(field) ? .same(field) : nil
        }
    }

    private func layout(_ size: Size) -> Layout {
        let width = min(size.columns, Self.widest)
        let inner = max(width - 4, 1)
        let buttons = Buttons(answers, width: inner, glyphs.sanitizer)
        let lines = isOfDeletedRow ? [] : lines
        let merged = isOfDeletedRow ? [] : mergedLabels
        let mergedText = "merged already: " + merged.joined(separator: ", ")
        var mergedLines = merged.isEmpty ? [] : wrapped(mergedText, width: inner, glyphs.sanitizer)
        // The answers are seen, however small the screen is; then one field, then the rest.
        var room = max(size.rows - 2, 0)
        let buttonCount = min(buttons.lineCount, max(room - min(lines.count, 1), 1))
        room -= buttonCount + min(lines.count, 1)
        let hasHead = room > 0 && !lines.isEmpty
        room -= hasHead ? 1 : 0
        let count = min(lines.count, 1 + max(room, 0))
        room -= max(count - 1, 0)
        mergedLines = Array(mergedLines.prefix(max(room, 0)))
        room -= mergedLines.count
        let blank = room > 0 ? 1 : 0
        let box = Box(
            columns: width,
            rows: 2 + (hasHead ? 1 : 0) + count + mergedLines.count + blank + buttonCount,
            inMiddleOf: size)
        let (top, left) = (box.rows.lowerBound, box.columns.lowerBound)
        let selectedLine =
            lines.firstIndex { if case .conflict(selected) = $0 { true } else { false } } ?? 0
        let first = max(min(selectedLine - count / 2, lines.count - count), 0)
        let firstLine = top + (hasHead ? 2 : 1)
        let end = box.rows.upperBound - 1
        return Layout(
            box: box,
            columns: [0, inner * 3 / 14, inner * 15 / 28, max(inner - 8, inner * 15 / 28), inner]
                .map { left + 2 + $0 },
            head: hasHead ? top + 1 : nil, lines: Array(lines.dropFirst(first).prefix(count)),
            firstLine: firstLine, merged: mergedLines, buttons: buttons,
            buttonRows: max(end - buttonCount, top)..<max(end, top))
    }

    func target(at position: Position, _ size: Size) -> Target? {
        let layout = layout(size)
        if layout.buttonRows.contains(position.row) {
            return layout.buttons.act(
                line: position.row - layout.buttonRows.lowerBound,
                column: position.column - layout.columns[0]
            ).map { .command($0) }
        }
        let line = position.row - layout.firstLine
        guard layout.box.columns.contains(position.column),
            case .conflict(let place)? = layout.lines[checked: line]
        else { return nil }
        let columns = layout.columns
        switch position.column {
        case columns[1]..<columns[2]: return .field(place, .mine)
        case columns[2]..<columns[3]: return .field(place, .theirs)
        default: return .field(place, nil)
        }
    }

    // MARK: Drawing

    func draw(on screen: inout Screen, _ linked: LinkedRows = LinkedRows()) {
        let layout = layout(screen.size)
        layout.box.draw(on: &screen, title: title, glyphs)
        screen.cursor = Position(row: layout.buttonRows.lowerBound, column: layout.columns[0])
        if let head = layout.head {
            write("yours", on: &screen, row: head, 1..<2, layout, .dim)
            write(theirs, on: &screen, row: head, 2..<4, layout, .dim)
        }
        for (offset, line) in layout.lines.enumerated() {
            let row = layout.firstLine + offset
            switch line {
            case .conflict(let place): draw(place, on: &screen, row: row, layout, linked)
            case .same(let field):
                let text = content(of: try? field.cell(), field.description, linked).text
                write(field.description.label, on: &screen, row: row, 0..<1, layout, .dim)
                write(text, on: &screen, row: row, 1..<2, layout, .dim)
                write("\(text)  (same)", on: &screen, row: row, 2..<4, layout, .dim)
            }
        }
        for (offset, text) in layout.merged.enumerated() {
            screen.write(
                text, row: layout.firstLine + layout.lines.count + offset,
                column: layout.columns[0], width: layout.columns[4] - layout.columns[0])
        }
        layout.buttons.draw(
            on: &screen, row: layout.buttonRows.lowerBound, column: layout.columns[0],
            lines: layout.buttonRows.count, end: layout.columns[4]
        ) { _ in .bold }
    }

    private func draw(
        _ place: Int, on screen: inout Screen, row: Int, _ layout: Layout, _ linked: LinkedRows
    ) {
        let cell = cells[place]
        guard let field = form.fields.first(where: { $0.column == cell.column }) else { return }
        let pick = picks[cell.column]
        let isSelected = place == selected
        write(
            field.description.label, on: &screen, row: row, 0..<1, layout,
            isSelected ? .bold : .plain)
        for (own, value) in [(Pick.mine, try? field.cell()), (.theirs, cell.value)] {
            let content = content(of: value, field.description, linked)
            let style: Style =
                pick == own
                ? .reverse.with(.bold) : pick == nil && !content.isMissing ? .plain : .dim
            let place = own == .mine ? 1 : 2
            write(content.text, on: &screen, row: row, place..<place + 1, layout, style)
        }
        write(sign(of: pick), on: &screen, row: row, 3..<4, layout, pick == nil ? .dim : .bold)
        if isSelected {
            screen.write(glyphs.cursor, row: row, column: layout.columns[0] - 1)
            screen.cursor = Position(row: row, column: layout.columns[0])
        }
    }

    /// In some of the layout's columns, with a blank before the next.
    private func write(
        _ text: String, on screen: inout Screen, row: Int, _ columns: Range<Int>, _ layout: Layout,
        _ style: Style
    ) {
        let (start, end) = (layout.columns[columns.lowerBound], layout.columns[columns.upperBound])
        let isLast = columns.upperBound == layout.columns.count - 1
        screen.write(
            text, row: row, column: start, width: max(end - start - (isLast ? 0 : 1), 0),
            style: style)
    }

    private func content(
        of cell: Cell?, _ column: ColumnDescription, _ linked: LinkedRows
    ) -> CellText {
        if let title = linked.text(of: cell, in: column, glyphs) { return CellText(text: title) }
        return cell.map { CellText.alone($0, in: column, glyphs: glyphs) } ?? CellText(text: "")
    }
}
