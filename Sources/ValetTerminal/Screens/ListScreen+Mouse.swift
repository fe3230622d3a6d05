/// The wheel, clicks on rows, and the section index.
extension ListScreen {
    private static let linesPerWheel = 3

    mutating func handle(_ mouse: MouseEvent, at milliseconds: Int) -> [ScreenOutcome] {
        let geometry = geometry
        switch mouse.kind {
        case .wheelUp:
            scroll(by: -ListScreen.linesPerWheel, at: milliseconds)
            return askForRows()
        case .wheelDown:
            scroll(by: ListScreen.linesPerWheel, at: milliseconds)
            return askForRows()
        case .press(.left) where mode.isMoving: return []
        case .press(.left), .drag:
            let isOnStrip = geometry.strip.contains(mouse.position.column)
            if isOnStrip, geometry.body.contains(mouse.position.row) {
                return pressStrip(
                    line: mouse.position.row - geometry.body.lowerBound, at: milliseconds)
            }
            guard mouse.kind == .press(.left) else { return [] }
            return click(line: mouse.position.row - geometry.body.lowerBound, at: milliseconds)
        case .press(.middle), .press(.right), .release: return []
        }
    }

    private mutating func pressStrip(line: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard line > 0 else { return beginSearch() }
        let lines = geometry.body.count - 1
        guard let place = SectionStrip.entry(at: line - 1, of: index.count, lines: lines)
        else { return [] }
        return go(toIndex: place, at: milliseconds)
    }

    /// Selects the row, or opens it if it is selected.
    private mutating func click(line: Int, at milliseconds: Int) -> [ScreenOutcome] {
        let lines = lines
        guard lines.indices.contains(line), line >= firstLine else { return [] }
        switch lines[line] {
        case .row(let ordinal, let part):
            if mode != .searching { mode = .browsing }
            if ordinal == cursor.ordinal, gone == nil { return act(.open) }
            go(to: ordinal, line: line - part, at: milliseconds)
            return askForRows()
        case .header, .footer, .lifted, .blank: return []
        }
    }
}
