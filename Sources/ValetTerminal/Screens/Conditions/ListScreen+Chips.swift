import ValetModel

/// The line of conditions, and the prompt in which one is typed.
extension ListScreen {
    private struct Chip {
        var text: String
        var columns: Range<Int>
    }

    var conditionsText: String { typed.conditionTexts.joined(separator: ", ") }

    /// ` make = BMW ✕  year ≥ 2015 ✕ `. Those that don't fit are counted at the end.
    private var chips: (shown: [Chip], rest: Int) {
        let sanitizer = glyphs.sanitizer
        let texts = typed.conditionTexts
        var chips: [Chip] = []
        var column = 1
        for text in texts {
            let room = size.columns - column - (chips.count + 1 < texts.count ? 6 : 1)
            let widest = chips.isEmpty ? room : min(room, max(size.columns / 2, 12))
            let width = sanitizer.width(of: text, limit: widest) + 3 + glyphs.drop.count
            guard width <= room || chips.isEmpty else { break }
            chips.append(Chip(text: text, columns: column..<min(column + width, size.columns)))
            column += width + 1
        }
        return (chips, texts.count - chips.count)
    }

    func drawChips(on screen: inout Screen, row: Int) {
        let style = Style(.blue, .reverse, tint: titleTint)
        let (shown, rest) = chips
        for chip in shown {
            let cross = chip.columns.upperBound - 1 - glyphs.drop.count
            let room = cross - chip.columns.lowerBound - 2
            screen.fill(" ", row: row, columns: chip.columns, style: style)
            screen.write(
                chip.text, row: row, column: chip.columns.lowerBound + 1, width: max(room, 1),
                style: style)
            screen.write(glyphs.drop, row: row, column: max(cross, 0), style: style)
        }
        if rest > 0, let last = shown.last {
            screen.write("+\(rest)", row: row, column: last.columns.upperBound + 1, style: .dim)
        }
    }

    /// The cross drops the condition, the rest of the chip edits it.
    mutating func clickChip(at column: Int) -> [ScreenOutcome] {
        guard let place = chips.shown.firstIndex(where: { $0.columns.contains(column) }) else {
            return chips.rest > 0 ? [.pickCondition] : []
        }
        return column >= chips.shown[place].columns.upperBound - 2 - glyphs.drop.count
            ? dropCondition(place) : [.editCondition(place)]
    }

    // MARK: The prompt

    /// The text on the last line, what is wrong with it above, and over that what may come next.
    func draw(_ prompt: ConditionPrompt, on screen: inout Screen) {
        let row = size.rows - 1
        screen.fill(" ", row: row, columns: 0..<size.columns)
        let column = 1 + screen.sanitizer.width(of: "filter ")
        var top = row
        if let note = note(about: prompt), row > 1 {
            top = draw(note, on: &screen, above: row, column: column)
        }
        drawCompletions(
            prompt.completions, chosen: prompt.chosen, on: &screen, above: top, column: column)
        screen.drawPrompt("filter ", prompt.field, row: row)
    }

    /// Behind its caret, or above it where it has no room there.
    /// - Returns: the row of its first line.
    private func draw(_ note: Note, on screen: inout Screen, above row: Int, column: Int) -> Int {
        let style = note.isWrong ? Style(.red) : .dim
        let caret = note.caret.map { min(column + $0, size.columns - 2) }
        let start = caret.map { $0 + 2 } ?? column
        let sanitizer = screen.sanitizer
        let isBeside = start + sanitizer.width(of: note.text) < size.columns
        let width = max(size.columns - column - 1, 1)
        let lines =
            (isBeside ? [note.text] : wrapped(note.text, width: width, sanitizer))
            .prefix(max(row / 2, 1))
        let top = row - lines.count - (caret != nil && !isBeside ? 1 : 0)
        for row in top..<row { screen.fill(" ", row: row, columns: 0..<size.columns) }
        for (place, line) in lines.enumerated() {
            screen.write(line, row: top + place, column: isBeside ? start : column, style: style)
        }
        if let caret {
            screen.write(glyphs.caret, row: row - 1, column: caret, style: Style(.red, .bold))
        }
        return top
    }

    private struct Note {
        var text: String
        var isWrong = false
        /// Where it went wrong, in columns from the text's start.
        var caret: Int?
    }

    private func note(about prompt: ConditionPrompt) -> Note? {
        switch prompt.result {
        case .success(let condition):
            if let hint = condition.hint(in: list.columns) { return Note(text: glyphs.plain(hint)) }
            return Note(text: "Enter filters   Tab completes   Esc back")
        case .failure(let error):
            if prompt.field.text.isEmpty {
                let earlier = typed.conditionHistory.isEmpty ? "" : "   \(glyphs.up) earlier"
                return Note(
                    text: "a condition, such as year >= 2015   Tab completes\(earlier)   Esc back")
            }
            guard !error.isIncomplete else {
                switch error.expected {
                case .column: return Note(text: "a column of the list   Tab completes")
                case .comparison: return Note(text: "an operator   Tab completes")
                case .value: return Note(text: glyphs.plain(error.message))
                }
            }
            let head = String(
                decoding: prompt.field.text.utf8.prefix(error.place.lowerBound), as: UTF8.self)
            let place = glyphs.sanitizer.width(of: head, limit: size.columns)
            return Note(text: glyphs.plain(error.message), isWrong: true, caret: place)
        }
    }

    func drawCompletions(
        _ completions: [Completion], chosen: Int?, on screen: inout Screen, above row: Int,
        column: Int
    ) {
        // The chosen one and those before it, or the first ones, where not all have room.
        let height = min(completions.count, row - 3)
        guard height > 0 else { return }
        let top = max((chosen ?? 0) - height + 1, 0)
        let completions = completions.dropFirst(top).prefix(height)
        let sanitizer = screen.sanitizer
        let widest = max(size.columns - column - 2, 8)
        let texts = completions.map { sanitizer.width(of: $0.text, limit: widest / 2) }.max() ?? 0
        let notes = completions.map { sanitizer.width(of: $0.note, limit: 16) }.max() ?? 0
        let width = min(max(texts + notes + 5, 16), widest)
        let first = row - completions.count
        for (line, completion) in completions.enumerated() {
            let isChosen = top + line == chosen
            let style = isChosen ? Style.reverse.with(.bold) : Style.reverse
            let columns = column - 1..<column - 1 + width
            screen.fill(" ", row: first + line, columns: columns, style: style)
            if isChosen {
                screen.write(glyphs.cursor, row: first + line, column: column - 1, style: style)
            }
            screen.write(
                completion.text, row: first + line, column: column,
                width: max(width - notes - 3, 1), style: style)
            screen.write(
                completion.note, row: first + line,
                column: columns.upperBound - 1 - sanitizer.width(of: completion.note, limit: 16),
                width: notes + 1, style: style)
        }
    }
}
