/// The first and the last line of every screen.
extension Screen {
    /// ` Cars  1,000                 ● live`: what is shown, a note about it, the connection.
    mutating func drawTitle(
        _ title: String, tint: Tint? = nil, note: String?, _ noteStyle: Style,
        _ connection: Connection, _ glyphs: Glyphs
    ) {
        let isShort = size.columns < ListGeometry.fewestColumnsForStrip
        let names = namesLabel(connection.others, width: isShort ? 0 : size.columns / 4, glyphs)
        let labels =
            connection.labels(glyphs, isShort: isShort)
            + [Connection.Label(text: names, style: Style(.green))]
        let width = labels.reduce(0) { $0 + sanitizer.width(of: $1.text) }
        let labelColumn = max(size.columns - width - 2, 0)
        // Where there is little room, the count says more than the end of the name.
        let noteWidth = note.map { sanitizer.width(of: $0) + 2 } ?? 0
        let next = write(
            " \(title)", row: 0, column: 0, width: max(labelColumn - 2 - noteWidth, 6),
            style: Style(.standard, .bold, tint: tint))
        if let note {
            write(
                note, row: 0, column: next + 2, width: max(labelColumn - next - 4, 0),
                style: noteStyle)
        }
        var column = labelColumn
        for label in labels {
            column = write(label.text, row: 0, column: column, style: label.style)
        }
    }

    /// `   ana  bo  +3`: as many names as fit, and how many more there are.
    private func namesLabel(_ names: [String], width: Int, _ glyphs: Glyphs) -> String {
        var (label, shown) = ("", 0)
        for name in names {
            let longer = label + "  " + glyphs.shortName(name)
            guard sanitizer.width(of: longer, limit: width) <= width else { break }
            label = longer
            shown += 1
        }
        if shown < names.count { label += "  +\(names.count - shown)" }
        return label.isEmpty ? "" : " " + label
    }

    /// A text that is typed behind a sign.
    mutating func drawPrompt(_ sign: String, _ field: TextField, row: Int) {
        let column = write(sign, row: row, column: 1, style: .bold)
        let width = max(size.columns - column - 1, 1)
        cursor = field.draw(on: &self, row: row, column: column, width: width, style: .plain)
    }

    /// What there is to say at the left, the keys for help at the right. A long text takes lines
    /// of the body.
    /// - Parameters:
    ///   - extras: what is said behind it, as far as there is room.
    ///   - help: keys with three blanks between, of which the last but one goes first if the text,
    ///     or what is said behind it, needs the room.
    mutating func drawStatus(_ text: String, extras: [String] = [], help: String = "? help") {
        let said = ([text] + extras).joined(separator: "   ")
        let width = sanitizer.width(of: said, limit: size.columns)
        let help = shortened(help, to: size.columns - width - 6)
        let column = max(size.columns - help.count - 2, 0)
        func fits(_ text: String) -> Bool {
            sanitizer.width(of: text, limit: column) <= max(column - 2, 0)
        }
        if fits(text) {
            var text = text
            for (place, extra) in extras.enumerated() {
                let longer = text + (place == 0 ? "   " : "  ") + extra
                guard fits(longer) else { break }
                text = longer
            }
            write(text, row: size.rows - 1, column: 1)
            write(help, row: size.rows - 1, column: column, style: .dim)
            return
        }
        let lines = wrapped(text, width: max(size.columns - 2, 1), sanitizer)
            .prefix(max(size.rows / 2, 1))
        for (row, line) in zip((size.rows - lines.count)..., lines) {
            fill(" ", row: row, columns: 0..<size.columns)
            write(line, row: row, column: 1)
        }
    }

    /// Without as many keys as don't fit, the last but one first.
    private func shortened(_ help: String, to width: Int) -> String {
        guard help.count > width else { return help }
        var keys = help.split(separator: "   ")
        while keys.count > 1, keys.joined(separator: "   ").count > width {
            keys.remove(at: keys.count - 2)
        }
        return keys.joined(separator: "   ")
    }
}
