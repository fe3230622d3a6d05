/// The wheel, and clicks: on rows, labels, headers, the tools and the section index.
extension ListScreen {
    private static let linesPerWheel = 3

    mutating func handle(_ mouse: MouseEvent, at milliseconds: Int) -> [ScreenOutcome] {
        pressed(at: milliseconds)
        let geometry = geometry
        let (row, column) = (mouse.position.row, mouse.position.column)
        switch mouse.kind {
        case .wheelUp, .wheelDown:
            let lines =
                mouse.kind == .wheelUp ? -ListScreen.linesPerWheel : ListScreen.linesPerWheel
            scroll(by: lines, at: milliseconds)
            return askForRows()
        case .press where mode.isMoving, .press(.middle): return []
        case .press(.left), .drag:
            if viewport.isScrubbing || geometry.strip.contains(column), geometry.body.contains(row)
            {
                return pressStrip(
                    line: row - geometry.body.lowerBound, mouse.kind, at: milliseconds)
            }
            guard mouse.kind == .press(.left) else { return [] }
            if !geometry.isBare, row == 1 { return clickTool(at: column) }
            if row == geometry.chipsRow { return clickChip(at: column) }
            if row == geometry.labelRow { return clickLabel(at: column) }
            return click(line: row - geometry.body.lowerBound, column: column, at: milliseconds)
        case .press(.right):
            guard geometry.body.contains(row), !geometry.strip.contains(column) else { return [] }
            return openDrawer(line: row - geometry.body.lowerBound, at: milliseconds)
        case .release:
            guard viewport.isScrubbing else { return [] }
            viewport.isScrubbing = false
            return askForRows()
        }
    }

    // MARK: The section index

    /// While the index is dragged nothing is asked for, until the mouse rests or is let go.
    private mutating func pressStrip(
        line: Int, _ kind: MouseEvent.Kind, at milliseconds: Int
    ) -> [ScreenOutcome] {
        guard line > 0 else { return kind == .drag ? [] : beginSearch() }
        let lines = geometry.body.count - 1
        guard let place = SectionStrip.entry(at: line - 1, of: view.index.count, lines: lines)
        else { return [] }
        if !viewport.isScrubbing { remember() }
        viewport.isScrubbing = true
        return go(toIndex: place, at: milliseconds)
    }

    /// Keys, or the mouse in the middle of a drag, have come to rest.
    mutating func rest(at milliseconds: Int) -> [ScreenOutcome] {
        fitColumns(at: milliseconds)
        guard viewport.isScrubbing else { return overtake(at: milliseconds) }
        guard viewport.requests.isResting(at: milliseconds) else { return [] }
        viewport.isScrubbing = false
        defer { viewport.isScrubbing = true }
        return askForRows()
    }

    // MARK: Clicks

    private mutating func clickTool(at column: Int) -> [ScreenOutcome] {
        switch tool(atColumn: column) {
        case .grouping(let place): return regroup(to: place)
        case .search: return beginSearch()
        case .dropSearch: return dropSearch()
        case .scope(let place): return choose(scope: place)
        case nil: return []
        }
    }

    /// Sorts by the column; again reverses.
    private mutating func clickLabel(at column: Int) -> [ScreenOutcome] {
        guard let placed = placedColumn(at: column) else { return [] }
        columns.choose(placed)
        guard list.columns.indices.contains(placed) else { return [] }
        let isSorted = query.sort.first?.column == list.columns[placed].name
        return isSorted ? reverseSort() : sort(by: list.columns[placed].name)
    }

    private func placedColumn(at column: Int) -> Int? {
        placedColumns.last { $0.start <= column && column < $0.start + $0.width }?.column
    }

    /// Selects the row, or opens it if it is selected; in a table, the cell.
    private mutating func click(line: Int, column: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard let content = lines[checked: line] else { return [] }
        guard line >= firstLine else { return clickHeader(over: content, at: milliseconds) }
        switch content {
        case .row(let ordinal, let part):
            if mode != .searching { mode = .browsing }
            let before = cellColumn
            if columns.layout.isTable, let placed = placedColumn(at: column) {
                columns.choose(placed)
            }
            if ordinal == cursor.ordinal, gone == nil {
                return cellColumn == before ? act(.open) : []
            }
            return visit(ordinal, line: line - part, at: milliseconds)
        case .header(let run): return visit(run.first, line: line + 1, at: milliseconds)
        case .footer, .lifted, .blank: return []
        }
    }

    /// The sticky header leads to the first row of its section.
    private mutating func clickHeader(over line: Line, at milliseconds: Int) -> [ScreenOutcome] {
        guard let section = section(of: line) else { return [] }
        return visit(section.first, line: firstLine, at: milliseconds)
    }

    private mutating func openDrawer(line: Int, at milliseconds: Int) -> [ScreenOutcome] {
        guard line >= firstLine, case .row(let ordinal, let part)? = lines[checked: line]
        else { return [] }
        mode = .browsing
        var outcomes: [ScreenOutcome] = []
        if ordinal != cursor.ordinal || gone != nil {
            outcomes = visit(ordinal, line: line - part, at: milliseconds)
        }
        return outcomes + act(.drawer)
    }
}
