import ValetModel

/// Somebody else has changed what this person has edited: what each of them wrote, side by side.
struct ConflictDialog: Hashable, Sendable {
    /// The edit that was not made.
    let form: FormScreen
    let conflicts: [Conflict]

    private var glyphs: Glyphs { form.glyphs }

    /// Somebody deleted the row.
    var isOfDeletedRow: Bool { conflicts.contains { $0.theirs == .rowDeleted } }

    private var cells: [ColumnValue] {
        conflicts.compactMap { conflict in
            switch conflict.theirs {
            case .cell(let cell): cell
            case .rowChanged, .rowDeleted: nil
            }
        }
    }

    // MARK: Answers

    /// The edit again, with theirs as seen; nil where theirs is too long to be seen here.
    func keepingMine() -> FormScreen? {
        cells.allSatisfy { !$0.value.isCut } ? editing() : nil
    }

    /// The edit to go on with, with theirs as seen.
    func editing() -> FormScreen {
        var form = form
        for cell in cells { form.see(cell) }
        return form
    }

    /// The rest of the edit.
    func takingTheirs() -> FormScreen {
        var form = form
        for cell in cells { form.drop(column: cell.column) }
        return form
    }

    // MARK: Drawing

    private static let widest = 60

    private var keys: String {
        isOfDeletedRow
            ? "+ add it again   Esc cancel" : "1 keep mine   2 take theirs   e edit   Esc cancel"
    }

    private var author: String {
        let name = conflicts.first?.station ?? ""
        return name.isEmpty ? "another program" : glyphs.shortName(name)
    }

    /// `bo changed this row at 14:02 UTC`.
    private var title: String {
        let time = conflicts.first?.time ?? 0
        let minute = CivilTime(secondsSince1970: time / 1_000_000).isoMinute
        let verb = isOfDeletedRow ? "deleted" : "changed"
        return "\(author) \(verb) this row" + (time > 0 ? " at \(minute) UTC" : "")
    }

    func draw(on screen: inout Screen) {
        let width = min(screen.size.columns, ConflictDialog.widest)
        let cells = isOfDeletedRow ? [] : cells
        let height = min(cells.count + 5, screen.size.rows)
        let top = (screen.size.rows - height) / 2
        let left = (screen.size.columns - width) / 2
        let box = Box(rows: top..<top + height, columns: left..<left + width)
        box.draw(on: &screen, title: title, glyphs)
        let inner = left + 2..<max(left + width - 2, left + 2)
        let write = { (screen: inout Screen, text: String, line: Int, place: Int, style: Style) in
            let starts = [0, inner.count * 3 / 14, inner.count * 8 / 14, inner.count + 1]
            screen.write(
                text, row: line, column: inner.lowerBound + starts[place],
                width: max(starts[place + 1] - starts[place] - 1, 0), style: style)
        }
        let end = top + height - 1
        if !isOfDeletedRow {
            write(&screen, "yours", top + 1, 1, .dim)
            write(&screen, "theirs (\(author))", top + 1, 2, .dim)
        }
        for (place, theirs) in cells.enumerated() where top + 2 + place < end - 1 {
            let line = top + 2 + place
            guard let field = form.fields.first(where: { $0.column == theirs.column }) else {
                continue
            }
            write(&screen, field.description.label, line, 0, .bold)
            write(&screen, text(of: try? field.cell(), field.description), line, 1, .plain)
            write(&screen, text(of: theirs.value, field.description), line, 2, .plain)
        }
        screen.write(keys, row: end - 1, column: inner.lowerBound, width: inner.count, style: .bold)
        screen.cursor = Position(row: end - 1, column: inner.lowerBound)
    }

    private func text(of cell: Cell?, _ column: ColumnDescription) -> String {
        cell.map { CellText.stored($0, in: column, glyphs: glyphs).text } ?? ""
    }
}

/// A frame with nothing in it.
struct Box: Hashable, Sendable {
    let rows: Range<Int>
    let columns: Range<Int>

    func draw(on screen: inout Screen, title: String, _ glyphs: Glyphs) {
        guard let last = rows.last, let right = columns.last else { return }
        for row in rows {
            screen.fill(" ", row: row, columns: columns)
            screen.write(glyphs.side, row: row, column: columns.lowerBound)
            screen.write(glyphs.side, row: row, column: right)
        }
        for row in [rows.lowerBound, last] {
            screen.fill(glyphs.line, row: row, columns: columns)
        }
        for (row, column, corner) in [
            (rows.lowerBound, columns.lowerBound, glyphs.corners[0]),
            (rows.lowerBound, right, glyphs.corners[1]),
            (last, columns.lowerBound, glyphs.corners[2]), (last, right, glyphs.corners[3]),
        ] {
            screen.write(corner, row: row, column: column)
        }
        screen.write(
            " \(title) ", row: rows.lowerBound, column: columns.lowerBound + 1,
            width: max(columns.count - 2, 0), style: .bold)
    }
}
