import ValetTerminal

/// Lines of cells in columns as wide as their widest cell.
enum TextTable {
    /// - Parameter isNumeric: whether a column stands at the right of its place.
    static func lines(_ rows: [[String]], isNumeric: (Int) -> Bool) -> [String] {
        let columns = (rows.first ?? []).indices
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { cells in
            let padded = columns.map { column in
                let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumeric(column) ? blanks + cells[column] : cells[column] + blanks
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Whatever a database put into a line, it steers no terminal.
    static func text(_ lines: [String]) -> String {
        lines.map { Sanitizer().line(of: $0) }.joined(separator: "\n")
    }
}
