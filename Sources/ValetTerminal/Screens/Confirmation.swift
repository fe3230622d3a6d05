import ValetModel

/// A question in the status line before something is lost. The safe answer is the default.
struct Confirmation: Hashable, Sendable {
    enum Act: Hashable, Sendable {
        case discardForm
        case addEmptyRow
        case submit(OwnChanges.Act, Change, title: String)
        case quit
    }

    let question: String
    /// What the safe answer is called, and the other one.
    let keep: String
    let act: String
    let doing: Act

    func draw(on screen: inout Screen) {
        let row = screen.size.rows - 1
        let answers = screen.sanitizer.width(of: "[\(keep)]  y \(act)")
        screen.fill(" ", row: row, columns: 0..<screen.size.columns)
        // The answers are seen, however narrow the screen is.
        let room = max(screen.size.columns - answers - 4, 0)
        let next = screen.write(question, row: row, column: 1, width: room, style: .bold)
        let column = next + (room > 0 ? 2 : 0)
        screen.cursor = Position(row: row, column: min(column, screen.size.columns - 1))
        let end = screen.write("[\(keep)]", row: row, column: column, style: .reverse)
        screen.write("  y \(act)", row: row, column: end)
    }
}
