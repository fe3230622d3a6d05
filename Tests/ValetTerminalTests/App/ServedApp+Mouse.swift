import Testing

@testable import ValetTerminal

extension ServedApp {
    /// What a terminal sends when a button is pressed and let go: left 0, right 2.
    @discardableResult
    mutating func click(row: Int, column: Int, button: Int = 0) -> [Asked] {
        let place = "\(column + 1);\(row + 1)"
        return send(bytes: "\u{1B}[<\(button);\(place)M")
            + send(bytes: "\u{1B}[<\(button);\(place)m")
    }

    @discardableResult
    mutating func send(bytes: String) -> [Asked] {
        var decoder = InputDecoder()
        var asked: [Asked] = []
        for event in decoder.decode(bytes.utf8) {
            if case .mouse(let mouse) = event { asked += send(.mouse(mouse)) }
        }
        return asked
    }

    /// Clicks on the first place where a text stands.
    @discardableResult
    mutating func click(
        _ text: String, button: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Asked] {
        let screen = app.draw()
        for row in 0..<screen.size.rows {
            let line = screen.row(row).map { String($0.character) }
            for column in line.indices where line[column...].joined().hasPrefix(text) {
                return click(row: row, column: column, button: button)
            }
        }
        Issue.record("“\(text)” is not there", sourceLocation: sourceLocation)
        return []
    }
}
